import { emptyObject } from '@millrace/json/clean-json.ts';
import { rawNumber } from '@millrace/json/exact-json.ts';

/**
 * The value as Postgres can store it as JSON: a number beyond the range of a double (`1e999`), of which Postgres would
 * print or refuse every digit, becomes its text. Everything else is the same value.
 */
export function storableJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const digits = rawNumber(value);
  if (digits !== null) return Number.isFinite(Number(digits)) ? value : digits;
  if (Array.isArray(value)) return value.map(storableJson);
  const storable = emptyObject();
  for (const [key, inner] of Object.entries(value)) storable[key] = storableJson(inner);
  return storable;
}
