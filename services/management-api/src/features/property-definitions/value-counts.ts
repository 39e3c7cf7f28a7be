import type { PropertyType } from '@millrace/contracts/property-types.ts';

/** How many values of each kind were met. */
export interface ValueCounts {
  numbers: number;
  booleans: number;
  /** Texts that are ISO dates or times. */
  times: number;
  texts: number;
  lists: number;
  objects: number;
}

/** The columns as numbers. Pure. */
export function countsOf(row: Readonly<Record<keyof ValueCounts, bigint>>): ValueCounts {
  return {
    numbers: Number(row.numbers),
    booleans: Number(row.booleans),
    times: Number(row.times),
    texts: Number(row.texts),
    lists: Number(row.lists),
    objects: Number(row.objects),
  };
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
