// JSON.parse rounds integers beyond 2^53; an id must keep all its digits. V8 hands the source text of a number to the
// reviver and prints such text unchanged (ECMAScript proposal "JSON.parse source text access"); TypeScript does not
// know either yet.
type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => object };

const keepDigits: SourceReviver = (_key, value, { source }) =>
  typeof value === 'number' && source !== undefined && !isExact(value) ? rawJSON(source) : value;

function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

/** Like `JSON.parse`, but numbers that would be rounded or lost become objects that `JSON.stringify` prints as they were. */
export function parseKeepingDigits(text: string): unknown {
  return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown);
}

/**
 * What `pick(event)` is as text: a string as it is, anything else as compact JSON with all the digits of its numbers
 * (contract/capture 2.1). `eventText` is asked only when the parsed value may have lost digits.
 */
export function textOf(event: unknown, pick: (event: unknown) => unknown, eventText: () => string): string {
  const value = pick(event);
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || (typeof value === 'number' && isExact(value))) return String(value);
  return JSON.stringify(pick(parseKeepingDigits(eventText())));
}
