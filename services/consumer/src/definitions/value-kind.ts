import { isAlwaysText, valueKinds } from '@millrace/contracts/property-types.ts';
import { rawNumber } from '@millrace/json/exact-json.ts';

/** Index of a kind in `valueKinds`; -1 for null, which says nothing about a type. */
export type KindIndex = -1 | 0 | 1 | 2 | 3 | 4 | 5;

/** ISO dates and times of the years that ClickHouse stores, 1900 to 2299; texts like these are times. Also a pattern of ClickHouse. */
export const isoTime =
  /^(?:19|2[0-2])\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-][01]\d:?[0-5]\d)?)?$/;

/** No values of any kind. */
export function noCounts(): number[] {
  return valueKinds.map(() => 0);
}

/** The kind of a property's value. Some properties are texts whatever is in them (`isAlwaysText`). */
export function kindOf(name: string, value: unknown): KindIndex {
  if (value === null || value === undefined) return -1;
  if (isAlwaysText(name)) return 3;
  if (typeof value === 'number' || rawNumber(value) !== null) return 0;
  if (typeof value === 'boolean') return 1;
  if (typeof value === 'string') return isoTime.test(value) ? 2 : 3;
  return Array.isArray(value) ? 4 : 5;
}
