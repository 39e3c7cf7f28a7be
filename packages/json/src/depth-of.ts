import { backslash, bracketBit, closeBrace, openBrace, quote } from './bytes.ts';

/** The deepest nesting of brackets outside of texts, also of what is no JSON. Linear in time, no recursion. */
export function depthOf(bytes: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) while (++at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 1 : 0;
    else if ((byte | bracketBit) === openBrace) deepest = Math.max(deepest, ++depth);
    else if ((byte | bracketBit) === closeBrace) depth--;
  }
  return deepest;
}
