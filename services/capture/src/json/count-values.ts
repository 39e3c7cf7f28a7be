const comma = 0x2c;
/** `[` and `{` differ in this bit alone. */
const bracketBit = 0x20;
const openBrace = 0x7b;
/** A string of this many bytes costs as much as a value. */
const bytesOfValue = 64;

/**
 * Estimates the cost of parsing the object or array between two places, as a number of values: one for each value in it, and
 * one more for each 64 bytes. Commas and brackets inside strings count too, so the estimate may be too high.
 */
export function valuesIn(bytes: Uint8Array, start: number, end: number): number {
  let count = Math.floor((end - start) / bytesOfValue);
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === comma || (byte | bracketBit) === openBrace) count++;
  }
  return count;
}
