/** Codes of characters that end lines. */
export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;
const lineSeparator = 0x2028;
const paragraphSeparator = 0x2029;

/** Lines of a text. They end as JavaScript has it, and as engines and makers of maps count: LF, CR, CR LF, U+2028, U+2029. */
export interface Lines {
  /** Place of the first character of each line in the text; the first is 0. */
  starts: number[];
  /** The same in bytes of UTF-8, where half a surrogate pair takes the 3 bytes of U+FFFD. */
  byteStarts: number[];
  /** Bytes of the whole text. */
  bytes: number;
}

/** Finds the lines of a text; null when there are more than `most`. Pure, linear. */
export function linesOf(text: string, most: number): Lines | null {
  const starts = [0];
  const byteStarts = [0];
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (isPair(text, at, code)) {
      bytes += 4;
      at++;
    } else bytes += 3;
    if (!endsLine(text, at, code)) continue;
    if (starts.length >= most) return null;
    starts.push(at + 1);
    byteStarts.push(bytes);
  }
  return { starts, byteStarts, bytes };
}

const isPair = (text: string, at: number, code: number): boolean =>
  code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;

function endsLine(text: string, at: number, code: number): boolean {
  if (code === lineFeed) return true;
  if (code === carriageReturn) return text.charCodeAt(at + 1) !== lineFeed;
  return code === lineSeparator || code === paragraphSeparator;
}

/** The last line that begins at or before a place, from 0. */
export function lineAt(starts: readonly number[], place: number): number {
  let low = 0;
  let high = starts.length;
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= place) low = middle;
    else high = middle;
  }
  return low;
}
