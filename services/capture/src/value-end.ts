import { NotJson } from './json-scalars.ts';

const quote = 0x22;
const backslash = 0x5c;
/** `[` and `{` differ in this bit alone, and so do `]` and `}`. */
const bracketBit = 0x20;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * The place behind the text, object or array that begins at `start`, found by quotes and brackets alone: what is inside
 * need not be JSON. A nanosecond a byte, of which the reader takes up to nine. @throws {NotJson} when it has no end.
 */
export function valueEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++;
    } else if ((byte | bracketBit) === openBrace) depth++;
    else if ((byte | bracketBit) === closeBrace) depth--;
    else continue;
    if (depth === 0 && at < bytes.length) return at + 1;
  }
  throw new NotJson();
}
