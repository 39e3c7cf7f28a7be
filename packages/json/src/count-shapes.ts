import { backslash, bracketBit, closeBrace, colon, openBrace, quote } from './bytes.ts';

const tableBits = 24;
/** A random seed for each process, so that senders cannot choose keys with the same hash. */
const seed = Math.floor(Math.random() * 2 ** 32) | 0;

/**
 * True when the objects of a JSON text have more than `max` different beginnings of key lists (`a`, `a b`, `a b c`, …).
 * The JSON parser of V8 makes one hidden class for each, which costs a microsecond and a kilobyte: ten megabytes of
 * ever new keys would stop the service for seconds, while as many keys in objects that look alike cost next to nothing.
 * The text must be bracketed as JSON is, at most `depthMax` deep. About 3 ns a byte.
 */
export function hasMoreShapesThan(bytes: Uint8Array, max: number, depthMax: number): boolean {
  return hasMoreShapesInParts(bytes, max, depthMax, Infinity).next().value === true;
}

/** As `hasMoreShapesThan`; yields after a text each time that `partBytes` were read. */
export function* hasMoreShapesInParts(
  bytes: Uint8Array,
  max: number,
  depthMax: number,
  partBytes: number,
): Generator<void, boolean> {
  let pauseAt = partBytes;
  const seen = new Uint32Array(2 ** (tableBits - 5));
  const shapes = new Int32Array(depthMax + 2);
  let depth = 0;
  let count = 0;
  let text = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (at >= pauseAt) {
      pauseAt = at + partBytes;
      yield;
    }
    const byte = bytes[at] as number;
    if (byte === quote) {
      text = seed;
      for (at++; at < bytes.length; at++) {
        const inside = bytes[at] as number;
        if (inside === quote) break;
        text = Math.imul(text ^ inside, 0x01000193);
        if (inside === backslash) text = Math.imul(text ^ (bytes[++at] as number), 0x01000193);
      }
    } else if (byte === colon) {
      const shape = mixed((shapes[depth] as number) ^ text);
      shapes[depth] = shape;
      const slot = shape >>> (32 - tableBits);
      const bit = 1 << (slot & 31);
      const word = seen[slot >>> 5] as number;
      if ((word & bit) === 0) {
        seen[slot >>> 5] = word | bit;
        if (++count > max) return true;
      }
    } else if ((byte | bracketBit) === openBrace) {
      if (++depth > depthMax) return true;
      shapes[depth] = seed;
    } else if ((byte | bracketBit) === closeBrace && depth > 0) depth--;
  }
  return false;
}

function mixed(value: number): number {
  const first = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return Math.imul(first ^ (first >>> 13), 0xc2b2ae35) | 0;
}
