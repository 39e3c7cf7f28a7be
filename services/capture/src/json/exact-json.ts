import { tooLargeToKeep } from './json-reader.ts';
import { isExact } from './json-scalars.ts';

// JSON.parse rounds integers beyond 2^53; an id must keep all its digits. V8 hands the source text of a number to the
// reviver and prints such text unchanged (ECMAScript proposal "JSON.parse source text access"); TypeScript does not
// know either yet.
type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => object };

const keepDigits: SourceReviver = (_key, value, { source }) =>
  typeof value === 'number' && source !== undefined && !isExact(value) ? rawJSON(source) : value;

/** Like `JSON.parse`, but numbers that would be rounded or lost become objects that `JSON.stringify` prints as they were. */
export function parseKeepingDigits(text: string): unknown {
  return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown);
}

/** Only these can lose digits or change their form: long numbers, and such with an exponent (contract/capture 1.3). */
const mayLoseDigits = /\d{16}|\d[eE]/;

/**
 * A value as text: a string as it is, anything else as compact JSON with all the digits of its numbers (contract/capture
 * 2.1); of a value that is too large to be kept, the text that the client sent. `valueText` gives that text. It is called only
 * when the parsed value may have lost digits: looking for lost digits in whole events took ten times as long as reading them.
 */
export function textOf(value: unknown, valueText: () => string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || (typeof value === 'number' && isExact(value))) return String(value);
  const text = valueText();
  if (typeof value === 'number' || value === tooLargeToKeep) return text;
  return JSON.stringify(mayLoseDigits.test(text) ? parseKeepingDigits(text) : value);
}
