import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  dot,
  isDigit,
  isOfNumber,
  minus,
  openBrace,
  openBracket,
  quote,
  zero,
} from './bytes.ts';
import { emptyHash, hashOf, mixIn } from './hash.ts';
import { endOfDigits, endOfString } from './plain-parts.ts';
import { SeenHashes } from './seen-hashes.ts';

const words = ['true', 'false', 'null'].map((word) => Buffer.from(word));

/** A double cannot hold more digits. */
const digitsMax = 15;
const depthMax = 8;

/** Hashes of the names in one value, each mixed with where its object begins. */
const names = new SeenHashes();

/**
 * End of the JSON value that begins at `start`, if it is written as `JSON.stringify` prints it: no white space, no
 * escapes, no number but `endOfPlainNumber`, in no object a name twice or one that may be an array's index (JavaScript
 * puts these first). -1 for others, and for what is nested deeper than `depthMax`. The bytes must be valid UTF-8.
 */
export function endOfPlain(bytes: Buffer, start: number): number {
  names.clear();
  return endOfValue(bytes, start, depthMax);
}

function endOfValue(bytes: Buffer, start: number, depthLeft: number): number {
  const first = bytes[start] ?? 0;
  if (first === quote) return endOfString(bytes, start);
  if (first === openBrace) return depthLeft === 0 ? -1 : endOfObject(bytes, start, depthLeft - 1);
  if (first === openBracket) return depthLeft === 0 ? -1 : endOfArray(bytes, start, depthLeft - 1);
  if (first === minus || isDigit(first)) return endOfPlainNumber(bytes, start);
  const word = words.find((known) => known.every((byte, index) => bytes[start + index] === byte));
  return word === undefined ? -1 : start + word.length;
}

function endOfArray(bytes: Buffer, start: number, depthLeft: number): number {
  if (bytes[start + 1] === closeBracket) return start + 2;
  for (let at = start; ;) {
    at = endOfValue(bytes, at + 1, depthLeft);
    if (at === -1) return -1;
    if (bytes[at] === closeBracket) return at + 1;
    if (bytes[at] !== comma) return -1;
  }
}

function endOfObject(bytes: Buffer, start: number, depthLeft: number): number {
  if (bytes[start + 1] === closeBrace) return start + 2;
  for (let at = start; ;) {
    const name = at + 1;
    const nameEnd = bytes[name] === quote ? endOfString(bytes, name) : -1;
    if (nameEnd === -1 || bytes[nameEnd] !== colon || !isNewName(bytes, start, name + 1, nameEnd - 1)) return -1;
    at = endOfValue(bytes, nameEnd + 1, depthLeft);
    if (at === -1) return -1;
    if (bytes[at] === closeBrace) return at + 1;
    if (bytes[at] !== comma) return -1;
  }
}

function isNewName(bytes: Buffer, object: number, start: number, end: number): boolean {
  if (isDigit(bytes[start] as number)) return false;
  return names.add(hashOf(bytes, start, end, mixIn(emptyHash, object)));
}

/**
 * End of the number that begins at `start`, if it is written as JavaScript prints it, as far as its digits show; -1 for
 * others.
 */
function endOfPlainNumber(bytes: Buffer, start: number): number {
  const isNegative = bytes[start] === minus;
  const first = isNegative ? start + 1 : start;
  let at = endOfDigits(bytes, first);
  const isZero = bytes[first] === zero;
  let digits = at - first;
  if (digits === 0 || (isZero && digits > 1)) return -1;
  if (bytes[at] === dot) {
    const fraction = endOfDigits(bytes, at + 1) - at - 1;
    digits += fraction;
    at += 1 + fraction;
    // Below 0.000001 JavaScript prints an exponent, and it prints no zeros at the end.
    if (fraction === 0 || bytes[at - 1] === zero || (isZero && fraction > 6)) return -1;
  } else if (isZero && isNegative) return -1;
  return digits > digitsMax || isOfNumber(bytes[at] ?? 0) ? -1 : at;
}
