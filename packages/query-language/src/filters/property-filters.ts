import { meantName } from '../hints/meant-name.ts';
import { FilterError } from './filter-error.ts';
import type { FilterCondition, FilterGroup, FilterSubject } from './query-filters.ts';
import { readMoment, type Now } from './relative-time.ts';
import { utcText } from './zone-time.ts';

const conditionsMax = 200;
const depthMax = 8;
const valuesMax = 1_000;
const keyLengthMax = 1_000;

/** A condition as it is written. */
const conditionHint = 'Write each condition as {"key": "plan", "operator": "exact", "value": "pro", "type": "event"}.';

type Members = (FilterCondition | FilterGroup)[];
type Test = FilterCondition['test'];

/**
 * Property filters, a list of which all hold or `{type: AND|OR, values: […]}` (contract/endpoints 2.4). Pure.
 * @throws {FilterError} what cannot be understood is never left out
 */
export function readProperties(properties: unknown, now: Now): Members {
  let count = 0;

  function readMember(member: unknown, depth: number): FilterCondition | FilterGroup {
    if (typeof member !== 'object' || member === null || Array.isArray(member))
      throw new FilterError('Each of query.filters.properties must be an object.');
    if (isGroup(member)) return readGroup(member, depth);
    count += 1;
    if (count > conditionsMax)
      throw new FilterError(`query.filters.properties holds more than ${conditionsMax} conditions.`);
    return readCondition(member as Record<string, unknown>, now);
  }

  function readGroup({ type, values }: { type?: unknown; values: unknown }, depth: number): FilterGroup {
    if (depth > depthMax)
      throw new FilterError(`query.filters.properties is nested more than ${depthMax} levels deep.`);
    if (type !== 'AND' && type !== 'OR')
      throw new FilterError('The type of a group in query.filters.properties must be AND or OR.');
    if (!Array.isArray(values))
      throw new FilterError('The values of a group in query.filters.properties must be a list.');
    return { all: type === 'AND', members: values.map((value) => readMember(value, depth + 1)) };
  }

  if (properties === undefined || properties === null) return [];
  if (Array.isArray(properties)) return properties.map((member) => readMember(member, 1));
  return [readMember(properties, 1)];
}

function isGroup(member: object): member is { type?: unknown; values: unknown } {
  return 'values' in member;
}

function readCondition(condition: Record<string, unknown>, now: Now): FilterCondition {
  const { key, value, operator, type, group_type_index: index } = condition;
  refuseMisnamed(condition);
  if (typeof key !== 'string' || key === '' || key.length > keyLengthMax)
    throw new FilterError(`A filter needs a key of 1 to ${keyLengthMax} characters. ${conditionHint}`);
  const name = typeof operator === 'string' ? operator : 'exact';
  if (operator !== undefined && operator !== null && typeof operator !== 'string')
    throw new FilterError(`The operator of the filter of ${shown(key)} must be a text.`);
  return { subject: readSubject(type ?? 'event', index, key), key, test: readTest(name, value, key, now) };
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

function readSubject(type: unknown, index: unknown, key: string): FilterSubject {
  if (type === 'event' || type === 'person' || type === 'session') return { of: type };
  if (type === 'event_metadata') return { of: 'column' };
  if (type === 'group') {
    if (typeof index !== 'number' || ![0, 1, 2, 3, 4].includes(index))
      throw new FilterError(`The filter of ${shown(key)} needs group_type_index, 0 to 4.`);
    return { of: 'group', index };
  }
  throw new FilterError(
    `Filters of type ${shown(type)} are not available here: use event, person, session, group or event_metadata, or write the condition into the SQL.`,
  );
}

type Reader = (values: readonly (string | number)[], key: string, now: Now) => Test;

const one = <Value>([value]: readonly Value[]): Value => value as Value;
const ordered =
  (operator: '>' | '>=' | '<' | '<='): Reader =>
  (values, key) => ({ operator, value: number(single(values, key)) });
const texts =
  (operator: 'contains' | 'not contains' | 'matches' | 'not matches'): Reader =>
  (values) => ({ operator, values: values.map(String) });
const among =
  (operator: 'in' | 'not in'): Reader =>
  (values) => ({ operator, values: alike(values) });
const span =
  (operator: 'between' | 'not between'): Reader =>
  (values, key) => {
    if (values.length !== 2) throw new FilterError(`The filter of ${shown(key)} needs a list of two values.`);
    const [from, to] = values.map(number) as [string | number, string | number];
    return typeof from === typeof to ? { operator, from, to } : { operator, from: String(from), to: String(to) };
  };

const readers: Readonly<Record<string, Reader>> = {
  exact: among('in'),
  in: among('in'),
  is_not: among('not in'),
  not_in: among('not in'),
  icontains: texts('contains'),
  not_icontains: texts('not contains'),
  regex: texts('matches'),
  not_regex: texts('not matches'),
  gt: ordered('>'),
  gte: ordered('>='),
  lt: ordered('<'),
  lte: ordered('<='),
  between: span('between'),
  not_between: span('not between'),
  is_date_exact: (values, key, now) => ({
    operator: 'in time',
    from: timeOf(values, key, now).first,
    to: timeOf(values, key, now).last,
  }),
  is_date_before: (values, key, now) => ({
    operator: 'in time',
    from: undefined,
    to: justBefore(timeOf(values, key, now).first),
  }),
  is_date_after: (values, key, now) => ({
    operator: 'in time',
    from: justAfter(timeOf(values, key, now).last),
    to: undefined,
  }),
};

function readTest(operator: string, value: unknown, key: string, now: Now): Test {
  if (operator === 'is_set') return { operator: 'set' };
  if (operator === 'is_not_set') return { operator: 'not set' };
  const reader = Object.hasOwn(readers, operator) ? readers[operator] : undefined;
  if (reader === undefined)
    throw new FilterError(
      `The operator ${shown(operator)} of the filter of ${shown(key)} is not available. The operators are ${[...Object.keys(readers), 'is_set', 'is_not_set'].join(', ')}.`,
    );
  return reader(valuesOf(value, key), key, now);
}

function valuesOf(value: unknown, key: string): (string | number)[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0 || values.length > valuesMax)
    throw new FilterError(`The filter of ${shown(key)} needs 1 to ${valuesMax} values.`);
  return values.map((member) => {
    if (typeof member === 'string' || (typeof member === 'number' && Number.isFinite(member))) return member;
    if (typeof member === 'boolean') return String(member);
    throw new FilterError(`The filter of ${shown(key)} needs a value: a text, a number, a boolean or a list of these.`);
  });
}

function single(values: readonly (string | number)[], key: string): string | number {
  if (values.length === 1) return one(values);
  throw new FilterError(`The filter of ${shown(key)} needs one value.`);
}

/** Clients send numbers as texts too. */
function number(value: string | number): string | number {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

function alike(values: readonly (string | number)[]): readonly string[] | readonly number[] {
  return values.every((value) => typeof value === 'number') ? values : values.map(String);
}

function timeOf(values: readonly (string | number)[], key: string, now: Now) {
  return readMoment(String(single(values, key)), now, `the filter of ${shown(key)}`);
}

// Times have six digits of a second.
function justBefore(time: string): string {
  return shifted(time, -1n);
}

function justAfter(time: string): string {
  return shifted(time, 1n);
}

function shifted(time: string, micros: bigint): string {
  const at = BigInt(Date.parse(`${time.slice(0, 19).replace(' ', 'T')}Z`)) * 1_000n + BigInt(time.slice(20)) + micros;
  const rest = ((at % 1_000_000n) + 1_000_000n) % 1_000_000n;
  return utcText(Number((at - rest) / 1_000n), String(rest).padStart(6, '0'));
}

function shown(text: unknown): string {
  return JSON.stringify(text)?.slice(0, 100) ?? 'undefined';
}
