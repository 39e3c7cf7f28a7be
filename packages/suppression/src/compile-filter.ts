import type { EventReader, PropertyValues } from './event-reader.ts';
import { FilterError, operators, type Filter, type PositiveOperator, type Scalar } from './filters.ts';
import { compilePattern } from './compile-pattern.ts';
import { dayOf, readDate, type TimeRange } from './read-date.ts';
import { readNumber } from './read-number.ts';

/** True when an event matches. Never throws, and never changes the event. */
export type Matcher = (event: EventReader) => boolean;

/** True when an element of a property matches. */
type Test = (values: PropertyValues, event: EventReader) => boolean;

/**
 * A filter as a function. A value of another type does not match; a negative operator is the exact opposite of its positive one
 * (contract/decisions 103, 104). Pure. @throws {FilterError} `uncompilable`
 */
export function compileFilter({ key, operator, values }: Filter): Matcher {
  const denied = operators[operator];
  const test = tests[denied ?? (operator as PositiveOperator)](values, `of ${JSON.stringify(key)}`);
  return denied === null ? (event) => test(event.valuesOf(key), event) : (event) => !test(event.valuesOf(key), event);
}

/** The test of each operator; `of` names the filter in errors. */
const tests: Readonly<Record<PositiveOperator, (values: readonly Scalar[], of: string) => Test>> = {
  exact: isOneOf,
  in: isOneOf,
  icontains(values) {
    const wanted = values.map((value) => String(value).toLowerCase());
    return (found, event) =>
      searchAny(found.lowered(), event, wanted.length, (text) => wanted.some((part) => text.includes(part)));
  },
  regex(values, of) {
    const patterns = values.map((value) => compilePattern(String(value), of));
    return (found, event) => patterns.some(({ size, test }) => searchAny(found.heads, event, size, test));
  },
  gt: (values, of) => compareNumbers(values, of, (value, bound) => value > bound),
  gte: (values, of) => compareNumbers(values, of, (value, bound) => value >= bound),
  lt: (values, of) => compareNumbers(values, of, (value, bound) => value < bound),
  lte: (values, of) => compareNumbers(values, of, (value, bound) => value <= bound),
  is_set: () => (found) => found.isSet,
  between(values, of) {
    const [low = 0, high = 0, ...more] = numbersOf(values, of);
    if (values.length < 2 || more.length > 0) throw uncompilable(`The filter ${of} needs two numbers to be between.`);
    return ({ scalars }) =>
      scalars.some((value) => {
        const number = readNumber(value);
        return number !== undefined && number >= low && number <= high;
      });
  },
  is_date_exact: (values, of) =>
    compareDates(values, of, (value, wanted) => dayOf(value.first) === dayOf(wanted.first)),
  is_date_before: (values, of) => compareDates(values, of, (value, bound) => value.last < bound.first),
  is_date_after: (values, of) => compareDates(values, of, (value, bound) => value.first > bound.last),
};

function isOneOf(values: readonly Scalar[]): Test {
  const wanted = new Set(values.map(String));
  return ({ texts }) => texts.some((text) => wanted.has(text));
}

/** Searches the texts while there are steps left; `cost` is that of a character. */
function searchAny(
  texts: readonly string[],
  event: EventReader,
  cost: number,
  test: (text: string) => boolean,
): boolean {
  return texts.some((text) => event.take((text.length + 1) * cost) && test(text));
}

function numbersOf(values: readonly Scalar[], of: string): number[] {
  return values.map((value) => {
    const number = readNumber(value);
    if (number === undefined) throw uncompilable(`The filter ${of} compares numbers: ${shown(value)} is none.`);
    return number;
  });
}

function compareNumbers(values: readonly Scalar[], of: string, holds: (value: number, bound: number) => boolean): Test {
  const bounds = numbersOf(values, of);
  return ({ scalars }) =>
    scalars.some((value) => {
      const number = readNumber(value);
      return number !== undefined && bounds.some((bound) => holds(number, bound));
    });
}

function compareDates(
  values: readonly Scalar[],
  of: string,
  holds: (value: TimeRange, bound: TimeRange) => boolean,
): Test {
  const bounds = values.map((value) => {
    const range = readDate(value);
    if (range === undefined)
      throw uncompilable(
        `The filter ${of} compares dates: ${shown(value)} is none, such as 2026-01-31 or 2026-01-31T12:00:00Z.`,
      );
    return range;
  });
  return ({ scalars }) =>
    scalars.some((value) => {
      const range = readDate(value);
      return range !== undefined && bounds.some((bound) => holds(range, bound));
    });
}

const shown = (value: Scalar): string => JSON.stringify(String(value).slice(0, 100));

const uncompilable = (message: string): FilterError => new FilterError('uncompilable', message);
