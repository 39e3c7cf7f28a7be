import { valueKinds, type PropertyType, type ValueKind } from '@millrace/contracts/property-types.ts';

/** How many values of each kind were met. */
export type ValueCounts = Record<ValueKind, number>;

/** No values of any kind. Pure. */
export const noValues = (): ValueCounts => countsBy(() => 0);

/** The columns as numbers. Pure. */
export function countsOf(row: Readonly<Record<ValueKind, bigint>>): ValueCounts {
  return countsBy((kind) => Number(row[kind]));
}

function countsBy(countOf: (kind: ValueKind) => number): ValueCounts {
  return Object.fromEntries(valueKinds.map((kind) => [kind, countOf(kind)])) as ValueCounts;
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
