import {
  filterLimits,
  FilterError,
  operators,
  type Filter,
  type FilterGroup,
  type Operator,
  type Scalar,
} from './filters.ts';

/** Members that a part of filters may have; `label` is for people alone. */
const groupMembers: ReadonlySet<string> = new Set(['type', 'values']);
const filterMembers: ReadonlySet<string> = new Set(['key', 'type', 'operator', 'value', 'label']);

/** Counts the parts, which all groups share. */
interface Count {
  parts: number;
}

/**
 * The filters of a rule, of any JSON value (contract/orgs-errors 3.2). Pure.
 * @throws {FilterError} `invalid`, or `uncompilable` for a type of filter that needs more than the event
 */
export function readFilters(value: unknown): FilterGroup {
  if (!isObject(value)) throw invalid('Filters must be an object.');
  if (!Object.hasOwn(value, 'values')) throw invalid('Filters must have values.');
  // Before the length, which reads all of it: a call of its own for each level would end the stack.
  const group = readGroup(value, 1, { parts: 0 });
  if (JSON.stringify(value).length > filterLimits.charsMax)
    throw invalid(`Filters may have at most ${filterLimits.charsMax} characters as JSON.`);
  return group;
}

function readGroup(group: Record<string, unknown>, depth: number, count: Count): FilterGroup {
  if (depth > filterLimits.depthMax) throw invalid(`Groups may be nested ${filterLimits.depthMax} deep.`);
  refuseUnknown(group, groupMembers, 'group');
  const { type, values } = group;
  if (type !== 'AND' && type !== 'OR') throw invalid('The type of a group is AND or OR.');
  if (!Array.isArray(values)) throw invalid('The values of a group are a list.');
  return { type, values: values.map((part: unknown) => readPart(part, depth, count)) };
}

function readPart(part: unknown, depth: number, count: Count): Filter | FilterGroup {
  if (++count.parts > filterLimits.partsMax) throw invalid(`Filters may have at most ${filterLimits.partsMax} parts.`);
  if (!isObject(part)) throw invalid('Each value of a group is a filter or a group.');
  return Object.hasOwn(part, 'values') ? readGroup(part, depth + 1, count) : readFilter(part);
}

function readFilter(filter: Record<string, unknown>): Filter {
  refuseUnknown(filter, filterMembers, 'filter');
  const { key, type = 'event', operator = 'exact', label } = filter;
  if (typeof key !== 'string' || key === '') throw invalid('A filter has a key, which names a property.');
  if (key.length > filterLimits.keyLengthMax)
    throw invalid(`A key may have at most ${filterLimits.keyLengthMax} characters.`);
  if (typeof type !== 'string') throw invalid('The type of a filter is a text.');
  if (label !== undefined && label !== null && typeof label !== 'string')
    throw invalid('The label of a filter is a text.');
  if (!isOperator(operator)) throw invalid(`A filter has one of the operators ${Object.keys(operators).join(', ')}.`);
  if (type !== 'event')
    throw new FilterError(
      'uncompilable',
      `A filter of type ${JSON.stringify(type.slice(0, 100))} cannot be evaluated on an event: use type event.`,
    );
  return { key, operator, values: operators[operator] === 'is_set' || operator === 'is_set' ? [] : readValues(filter) };
}

function readValues({ key, value }: Record<string, unknown>): Scalar[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const of = `of ${JSON.stringify(key)}`;
  if (values.length === 0) throw invalid(`The filter ${of} needs a value.`);
  if (values.length > filterLimits.valuesMax)
    throw invalid(`The filter ${of} may have at most ${filterLimits.valuesMax} values.`);
  return values.map((each) => {
    if (typeof each !== 'string' && typeof each !== 'number' && typeof each !== 'boolean')
      throw invalid(`A value of the filter ${of} is a text, a number or a truth value.`);
    if (typeof each === 'string' && each.length > filterLimits.valueLengthMax)
      throw invalid(`A value of the filter ${of} may have at most ${filterLimits.valueLengthMax} characters.`);
    return each;
  });
}

function refuseUnknown(part: Record<string, unknown>, members: ReadonlySet<string>, what: string): void {
  const unknown = Object.keys(part).find((name) => !members.has(name));
  if (unknown !== undefined) throw invalid(`A ${what} has no ${JSON.stringify(unknown.slice(0, 100))}.`);
}

const isOperator = (value: unknown): value is Operator => typeof value === 'string' && Object.hasOwn(operators, value);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const invalid = (message: string): FilterError => new FilterError('invalid', message);
