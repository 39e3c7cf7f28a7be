import { backslash, isDigit, quote, space } from './bytes.ts';

/** Position after the closing quote of the text whose opening quote is at `start`; -1 for a text with escapes or control characters. */
export function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) return at + 1;
    if (byte < space || byte === backslash) return -1;
  }
  return -1;
}

/** Position after the last of the digits that begin at `from`; `from` when there is none. */
export function endOfDigits(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isDigit(bytes[at] as number)) at++;
  return at;
}
