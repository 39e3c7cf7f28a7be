import { bracketBit, comma, openBrace } from './bytes.ts';
import { NotJson } from './scalars.ts';

/** Objects and arrays of more bytes are not parsed into values. The largest that has a meaning, five groups of 400 characters each, fits. */
const bytesMax = 16_384;
/** Most values (as `valuesIn` counts them) of all objects and arrays of one text that are parsed. Each costs up to half a microsecond, because it is read and written several times. */
const valuesMax = 250_000;
/** A string of this many bytes costs as much as a value. */
const bytesOfValue = 64;

/**
 * Replaces an object or array of more than 16,384 bytes. Most code treats it as a value of the wrong type; the rest
 * compares by identity.
 */
export const tooLargeToKeep: readonly unknown[] = Object.freeze([]);

/** Parses the objects and arrays of one text into values, as long as they are not too large, nor too many. */
export class ComposedValues {
  #values = 0;

  /** The value between two places, as `JSON.parse` gives it; `tooLargeToKeep` for more than 16,384 bytes. @throws {NotJson} when `areTooMany` */
  parse(bytes: Buffer, start: number, end: number): unknown {
    if (end - start > bytesMax) return tooLargeToKeep;
    this.#values += valuesIn(bytes, start, end);
    if (this.areTooMany()) throw new NotJson();
    return JSON.parse(bytes.toString('utf8', start, end));
  }

  /** True when they hold more than 250,000 values in all. */
  areTooMany(): boolean {
    return this.#values > valuesMax;
  }
}

/**
 * Estimates the cost of parsing the object or array between two places, as a number of values: one for each value in it, and
 * one more for each 64 bytes. Commas and brackets inside strings count too, so the estimate may be too high.
 */
function valuesIn(bytes: Uint8Array, start: number, end: number): number {
  let count = Math.floor((end - start) / bytesOfValue);
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === comma || (byte | bracketBit) === openBrace) count++;
  }
  return count;
}
