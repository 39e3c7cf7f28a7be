const comma = 0x2c;
/** `[` and `{` differ in this bit alone. */
const bracketBit = 0x20;
const openBrace = 0x7b;
/** A text of so many bytes costs what a value costs. */
const bytesOfValue = 64;

/**
 * What it costs to make a value of the object or array between two places, as a number of values: those that it holds, and
 * one more for each 64 bytes. What stands in texts is not told apart, so it may be a few more.
 */
export function valuesIn(bytes: Uint8Array, start: number, end: number): number {
  let count = Math.floor((end - start) / bytesOfValue);
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === comma || (byte | bracketBit) === openBrace) count++;
  }
  return count;
}
