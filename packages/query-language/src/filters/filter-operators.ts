import { FilterError } from './filter-error.ts';
import { readVersionOperator, versionOperators } from './filter-versions.ts';
import type { FilterOperator } from './query-filters.ts';
import { readPattern } from './read-pattern.ts';
import { readMoment, type Now } from './relative-time.ts';
import { shown } from './shown.ts';
import { utcText } from './zone-time.ts';

const valuesMax = 1_000;

type Value = string | number;

/** Context of a test. `place` names the filter in errors. */
interface OperatorContext extends Now {
  place: string;
  /** The subject is a property, and not a column that has a type. */
  isProperty: boolean;
}

type Reader = (values: readonly Value[], context: OperatorContext) => FilterOperator;

const ordered =
  (operator: '>' | '>=' | '<' | '<='): Reader =>
  (values, context) => ({ operator, value: bound(single(values, context), context) });
const texts =
  (operator: 'in' | 'not in' | 'contains' | 'not contains'): Reader =>
  (values) => ({ operator, values: values.map(String) });
const patterns =
  (operator: 'matches' | 'not matches'): Reader =>
  (values, { place }) => ({ operator, values: values.map((value) => pattern(String(value), place)) });
const span =
  (operator: 'between' | 'not between'): Reader =>
  (values, context) => {
    if (values.length !== 2) throw new FilterError(`${context.place} needs a list of two values.`);
    const [from, to] = values.map((value) => bound(value, context)) as [Value, Value];
    return typeof from === typeof to ? { operator, from, to } : { operator, from: String(from), to: String(to) };
  };
const version =
  (operator: string): Reader =>
  (values, context) => {
    const value = String(single(values, context));
    const test = readVersionOperator(operator, value);
    if (test) return test;
    const example = operator === 'semver_wildcard' ? '1.2.*' : '1.2.3';
    throw new FilterError(`${context.place} needs a version such as ${example}, not ${shown(value)}.`);
  };

const readers: Readonly<Record<string, Reader>> = {
  exact: texts('in'),
  in: texts('in'),
  is_not: texts('not in'),
  not_in: texts('not in'),
  icontains: texts('contains'),
  icontains_multi: texts('contains'),
  not_icontains: texts('not contains'),
  not_icontains_multi: texts('not contains'),
  regex: patterns('matches'),
  not_regex: patterns('not matches'),
  gt: ordered('>'),
  gte: ordered('>='),
  min: ordered('>='),
  lt: ordered('<'),
  lte: ordered('<='),
  max: ordered('<='),
  between: span('between'),
  not_between: span('not between'),
  is_date_exact: (values, context) => {
    const { first, last } = momentOf(values, context);
    return { operator: 'in time', from: first, to: last };
  },
  is_date_before: (values, context) => ({
    operator: 'in time',
    from: undefined,
    to: shifted(momentOf(values, context).first, -1n),
  }),
  is_date_after: (values, context) => ({
    operator: 'in time',
    from: shifted(momentOf(values, context).last, 1n),
    to: undefined,
  }),
  ...Object.fromEntries(versionOperators.map((operator) => [operator, version(operator)])),
};

/** Operators of filters (contract/insights 3). */
export const filterOperators: readonly string[] = [...Object.keys(readers), 'is_set', 'is_not_set'];

/** Advice for operators that are not here. */
const instead: Readonly<Record<string, string>> = {
  is_cleaned_path_exact: 'Write regex',
  flag_evaluates_to: 'Write exact for the property $feature/<key of the flag>',
};

/**
 * Reads an operator and its value (contract/endpoints 2.4). Pure.
 * @throws {FilterError} there is no such operator, or it has no value that fits
 */
export function readOperator(operator: string, value: unknown, context: OperatorContext): FilterOperator {
  if (operator === 'is_set') return { operator: 'set' };
  if (operator === 'is_not_set') return { operator: 'not set' };
  const reader = Object.hasOwn(readers, operator) ? readers[operator] : undefined;
  if (reader !== undefined) return reader(valuesOf(value, context.place), context);
  const advice = Object.hasOwn(instead, operator) ? ` ${instead[operator]}.` : '';
  throw new FilterError(
    `${context.place} has the operator ${shown(operator)}, which is not available.${advice} The operators are ${filterOperators.join(', ')}.`,
  );
}

/**
 * The values of a filter: texts and numbers; booleans as texts. Pure.
 * @throws {FilterError} there is none, or another kind of value
 */
export function valuesOf(value: unknown, place: string): Value[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0 || values.length > valuesMax)
    throw new FilterError(`${place} needs 1 to ${valuesMax} values.`);
  return values.map((member) => {
    if (typeof member === 'string' || (typeof member === 'number' && Number.isFinite(member))) return member;
    if (typeof member === 'boolean') return String(member);
    throw new FilterError(`${place} needs a value: a text, a number, a boolean or a list of these.`);
  });
}

function single([first, ...others]: readonly Value[], { place }: OperatorContext): Value {
  if (first === undefined || others.length > 0) throw new FilterError(`${place} needs one value.`);
  return first;
}

// Clients send numbers as texts too. A property is compared with numbers alone; a column may hold times and texts.
function bound(value: Value, { place, isProperty }: OperatorContext): Value {
  if (typeof value === 'number') return value;
  if (value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  if (!isProperty) return value;
  throw new FilterError(
    `${place} needs a number, not ${shown(value)}. Times are compared by is_date_before and is_date_after, versions by semver_gt and the like.`,
  );
}

function pattern(text: string, place: string): string {
  const { fault } = readPattern(text);
  if (fault === undefined) return text;
  throw new FilterError(`${place} has the regular expression ${shown(text)}, which is not valid: ${fault}.`);
}

function momentOf(values: readonly Value[], context: OperatorContext) {
  return readMoment(String(single(values, context)), context, context.place);
}

// Times have six digits of a second.
function shifted(time: string, micros: bigint): string {
  const at = BigInt(Date.parse(`${time.slice(0, 19).replace(' ', 'T')}Z`)) * 1_000n + BigInt(time.slice(20)) + micros;
  const rest = ((at % 1_000_000n) + 1_000_000n) % 1_000_000n;
  return utcText(Number((at - rest) / 1_000n), String(rest).padStart(6, '0'));
}
