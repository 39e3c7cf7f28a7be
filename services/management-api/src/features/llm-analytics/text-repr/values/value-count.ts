import { measureJson } from '@millrace/json/measure-json.ts';

const encoder = new TextEncoder();

/**
 * Most objects, lists and members of a body, all together: each takes memory, up to some 100 bytes, however short it is, and `JSON.parse` that meets
 * the heap limit of its thread ends the whole process.
 */
export const valuesMax = 4_000_000;

/** The objects, lists and members of JSON. Pure; linear, some 0.8 ms a MiB. */
export const valuesIn = (bytes: Uint8Array): number => measureJson(bytes).values;

/** True for JSON that has more values than may be parsed. Pure. */
export function hasTooManyValues(text: string): boolean {
  return text.length > valuesMax && valuesIn(encoder.encode(text)) > valuesMax;
}

/** The same for a literal of Python. Its texts stand in quotes of several kinds, so what stands inside them counts too. Pure. */
export function mayHaveTooManyValues(literal: string): boolean {
  if (literal.length <= valuesMax) return false;
  let count = 0;
  for (const byte of encoder.encode(literal)) if (beginsValue(byte)) count++;
  return count > valuesMax;
}

/** A list and an object begin so, and a member follows; `{"a":1}` counts as two. */
function beginsValue(byte: number): boolean {
  return byte === 0x2c || byte === 0x3a || byte === 0x5b || byte === 0x7b;
}
