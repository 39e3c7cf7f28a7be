import { bracketBit, dot, lowerE, minus, plus, zero } from './bytes.ts';

/** Thrown where a text stops being JSON (RFC 8259), or goes deeper than allowed. */
export class NotJson extends Error {
  override name = 'NotJson';
}

const isDigit = bytesOf('0123456789');
/** By their first byte. */
const words: (Buffer | undefined)[] = Array.from({ length: 256 }, () => undefined);
for (const word of ['true', 'false', 'null']) words[word.charCodeAt(0)] = Buffer.from(word);

/** A table of all 256 bytes: 1 for those that are among the characters (ASCII), else 0. */
export function bytesOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/** Position after the number or word (`true`, `false`, `null`) at `at`, whose first byte is `first`. @throws {NotJson} when there is neither. */
export function scalarEnd(bytes: Uint8Array, at: number, first: number): number {
  if (isDigit[first] === 1 || first === minus) return numberEnd(bytes, at);
  const word = words[first];
  if (word === undefined || at + word.length > bytes.length) throw new NotJson();
  for (let index = 1; index < word.length; index++) if (bytes[at + index] !== word[index]) throw new NotJson();
  return at + word.length;
}

function numberEnd(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === minus ? start + 1 : start;
  at = byteAt(bytes, at) === zero ? at + 1 : digitsEnd(bytes, at);
  if (byteAt(bytes, at) === dot) at = digitsEnd(bytes, at + 1);
  if ((byteAt(bytes, at) | bracketBit) === lowerE) {
    at++;
    const sign = byteAt(bytes, at);
    at = digitsEnd(bytes, sign === plus || sign === minus ? at + 1 : at);
  }
  return at;
}

function digitsEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit[byteAt(bytes, at)] === 1) at++;
  if (at === start) throw new NotJson();
  return at;
}

/** 0 after the end of the text, which no JSON token begins with. */
function byteAt(bytes: Uint8Array, at: number): number {
  return at < bytes.length ? (bytes[at] as number) : 0;
}

/** The text between two places of the bytes, which are those of its quotes; `escaped` when it is written with escapes. */
export function textBetween(bytes: Buffer, start: number, end: number, escaped: boolean): string {
  return escaped
    ? (JSON.parse(bytes.toString('utf8', start, end)) as string)
    : bytes.toString('utf8', start + 1, end - 1);
}
