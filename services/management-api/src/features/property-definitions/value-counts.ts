import type { PropertyType } from '@millrace/contracts/property-types.ts';

/** Kinds of JSON values, as columns of `property_definitions`. `times`: texts that are ISO dates or times. */
const valueKinds = ['numbers', 'booleans', 'times', 'texts', 'lists', 'objects'] as const;

/** How many values of each kind were met. */
export type ValueCounts = Record<(typeof valueKinds)[number], number>;

/** Counts of a property of which no value was met. */
export const noCounts: Readonly<ValueCounts> = countsBy(() => 0);

/** The columns as numbers. Pure. */
export function countsOf(row: Readonly<Record<keyof ValueCounts, bigint>>): ValueCounts {
  return countsBy((kind) => Number(row[kind]));
}

function countsBy(count: (kind: keyof ValueCounts) => number): ValueCounts {
  return Object.fromEntries(valueKinds.map((kind) => [kind, count(kind)])) as ValueCounts;
}

const fitting: Readonly<Record<Exclude<PropertyType, 'String'>, keyof ValueCounts>> = {
  Numeric: 'numbers',
  Boolean: 'booleans',
  DateTime: 'times',
  List: 'lists',
};

/** How many values are of another type. Every value fits a text, and a property without a type. Pure. */
export function countUnfit(type: PropertyType | null, counts: ValueCounts): number {
  if (type === null || type === 'String') return 0;
  const all = Object.values<number>({ ...counts }).reduce((sum, count) => sum + count, 0);
  return all - counts[fitting[type]];
}
