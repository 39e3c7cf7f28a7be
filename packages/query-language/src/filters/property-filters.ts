import { meantName } from '../hints/meant-name.ts';
import { FilterError } from './filter-error.ts';
import { selectorPattern, tagPattern } from './element-selector.ts';
import { readSubject, subjectTypes } from './filter-subjects.ts';
import { readOperator, valuesOf } from './filter-operators.ts';
import type { FilterCondition, FilterGroup } from './query-filters.ts';
import type { Now } from './relative-time.ts';
import { readRowExpression } from './row-expression.ts';
import { shown } from './shown.ts';

const conditionsMax = 200;
const depthMax = 8;
const keyLengthMax = 1_000;
/** Characters of all expressions together: they are parsed at each run, in up to 2 ms. */
const expressionsLengthMax = 8_192;
/** Characters of the patterns of all tags and selectors: one has some hundreds. */
const elementsLengthMax = 100_000;

/** A condition as it is written. */
const conditionHint = 'Write each condition as {"key": "plan", "operator": "exact", "value": "pro", "type": "event"}.';

/** Values of `type`: those of subjects, a condition in the query language, and a filter that holds for every row (contract/insights 3). */
export const filterTypes: readonly string[] = [...subjectTypes, 'hogql', 'empty'];

type Members = (FilterCondition | FilterGroup)[];
/**
 * Property filters, a list of which all hold or `{type: AND|OR, values: […]}` (contract/endpoints 2.4). `place` names them in errors:
 * `query.filters.properties`. Pure.
 * @throws {FilterError} what cannot be understood is never left out
 */
export function readProperties(properties: unknown, now: Now, place: string): Members {
  const reading = { ...now, place, expressionsLength: 0, elementsLength: 0 };
  let count = 0;

  function readMember(member: unknown, depth: number): FilterCondition | FilterGroup {
    if (typeof member !== 'object' || member === null || Array.isArray(member))
      throw new FilterError(`Each of ${place} must be an object.`);
    if (isGroup(member)) return readGroup(member, depth);
    count += 1;
    if (count > conditionsMax) throw new FilterError(`${place} holds more than ${conditionsMax} conditions.`);
    return readCondition(member as Record<string, unknown>, reading);
  }

  function readGroup({ type, values }: { type?: unknown; values: unknown }, depth: number): FilterGroup {
    if (depth > depthMax) throw new FilterError(`${place} is nested more than ${depthMax} levels deep.`);
    if (type !== 'AND' && type !== 'OR') throw new FilterError(`The type of a group in ${place} must be AND or OR.`);
    if (!Array.isArray(values)) throw new FilterError(`The values of a group in ${place} must be a list.`);
    return { all: type === 'AND', members: values.map((value) => readMember(value, depth + 1)) };
  }

  if (properties === undefined || properties === null) return [];
  if (Array.isArray(properties)) return properties.map((member) => readMember(member, 1));
  return [readMember(properties, 1)];
}

function isGroup(member: object): member is { type?: unknown; values: unknown } {
  return 'values' in member;
}

/** Place of the reader, and its depth so far. */
interface Reading extends Now {
  place: string;
  expressionsLength: number;
  elementsLength: number;
}

function readCondition(condition: Record<string, unknown>, reading: Reading): FilterCondition | FilterGroup {
  const { key, value, operator, type, group_type_index: index } = condition;
  const { place } = reading;
  refuseMisnamed(condition);
  if (type === 'empty') return { all: true, members: [] };
  if (type === 'hogql') return readExpression(key, reading);
  if (typeof key !== 'string' || key === '' || key.length > keyLengthMax)
    throw new FilterError(`A filter in ${place} needs a key of 1 to ${keyLengthMax} characters. ${conditionHint}`);
  const filter = `The filter of ${shown(key)} in ${place}`;
  if (operator !== undefined && operator !== null && typeof operator !== 'string')
    throw new FilterError(`The operator of the filter of ${shown(key)} in ${place} must be a text.`);
  const name = operator ?? 'exact';
  const subject = readSubject(type ?? 'event', index, filter);
  if (subject.of === 'element' && key !== 'text' && key !== 'href')
    return readElements(key, name, value, filter, reading);
  const isProperty = subject.of !== 'column' && subject.of !== 'session';
  return { subject, key, test: readOperator(name, value, { ...reading, place: filter, isProperty }) };
}

function readExpression(key: unknown, reading: Reading): FilterCondition {
  if (typeof key !== 'string' || key.trim() === '')
    throw new FilterError(
      `A filter of type hogql in ${reading.place} needs its condition as key, such as "properties.plan = 'pro'".`,
    );
  reading.expressionsLength += key.length;
  if (reading.expressionsLength > expressionsLengthMax)
    throw new FilterError(
      `The filters of type hogql in ${reading.place} have more than ${expressionsLengthMax} characters together.`,
    );
  return readRowExpression(key, reading.place);
}

/** Patterns of what an element is. */
const elementPatterns: Readonly<Record<string, { pattern: (value: string) => string | undefined; example: string }>> = {
  tag_name: { pattern: tagPattern, example: 'the name of a tag, such as button' },
  selector: {
    pattern: selectorPattern,
    example:
      'tags, .classes, #ids, [attributes="…"], :nth-child(n) and :nth-of-type(n), with a blank or > between them',
  },
};

function readElements(
  key: string,
  operator: string,
  value: unknown,
  filter: string,
  reading: Reading,
): FilterCondition {
  const known = Object.hasOwn(elementPatterns, key) ? elementPatterns[key] : undefined;
  if (known === undefined)
    throw new FilterError(`${filter} is of type element, whose keys are tag_name, text, href and selector.`);
  if (operator !== 'exact' && operator !== 'is_not')
    throw new FilterError(`${filter} has the operator ${shown(operator)}; ${key} has exact and is_not alone.`);
  const patterns = valuesOf(value, filter).map((text) => {
    const pattern = known.pattern(String(text));
    if (pattern === undefined) throw new FilterError(`${filter} cannot read ${shown(text)}. Write ${known.example}.`);
    reading.elementsLength += pattern.length;
    if (reading.elementsLength > elementsLengthMax)
      throw new FilterError(`The filters of type element in ${reading.place} have too many tags and selectors.`);
    return pattern;
  });
  return { patterns, negated: operator === 'is_not' };
}

const fieldsOfCondition = new Set(['key', 'value', 'operator', 'type', 'group_type_index']);
const misnamed = meantName({
  key: ['property', 'property_key'],
  value: ['values', 'val'],
  operator: ['op', 'operation', 'comparator', 'comparison', 'negate', 'negated', 'negation', 'not'],
  type: ['property_type'],
  group_type_index: ['group_index', 'group_type'],
});

/** Other fields, such as `label`, are ignored, and so is one that says nothing. One that was meant for ours changes what is asked. */
function refuseMisnamed(condition: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(condition)) {
    if (fieldsOfCondition.has(name) || value === null || value === undefined || value === false) continue;
    const meant = misnamed(name);
    if (meant === undefined) continue;
    const advice = value === true && meant === 'operator' ? 'operator with a negative one, such as is_not' : meant;
    throw new FilterError(`${shown(name)} is not a field of a filter. Write ${advice}.`);
  }
}
