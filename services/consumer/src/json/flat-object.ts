import { backslash, closeBrace, colon, comma, isDigit, openBrace, quote, space, zero } from './json-bytes.ts';
import { LastTexts } from './last-texts.ts';
import { emptyHash, mixIn, NameTable } from './name-table.ts';

/** So many digits a double holds exactly. */
const digitsMax = 15;

/** The members that an object may have, and what is remembered from one object to the next. */
interface FlatForm {
  names: NameTable;
  lastTexts: LastTexts;
}

/** A form with members of these names. */
export function flatForm(names: readonly string[]): FlatForm {
  return { names: new NameTable(names), lastTexts: new LastTexts(names.length) };
}

/**
 * Reads a JSON object as our own code prints it: only members of these names, no white space, texts without escapes, whole
 * numbers, and `true`. Gives what `JSON.parse` gives, at a third of its price; null for everything else, JSON or not.
 */
export function readFlatObject(bytes: Buffer, { names, lastTexts }: FlatForm): Record<string, unknown> | null {
  const object: Record<string, unknown> = {};
  if (bytes[0] !== openBrace) return null;
  for (let at = 1; ; at++) {
    const nameEnd = endOfText(bytes, at);
    if (nameEnd === -1 || bytes[nameEnd + 1] !== colon) return null;
    const name = names.find(hashOf(bytes, at + 1, nameEnd), bytes, at + 1, nameEnd);
    if (name === -1) return null;
    const start = nameEnd + 2;
    const end = bytes[start] === quote ? endOfText(bytes, start) + 1 : endOfScalar(bytes, start);
    if (end <= start) return null;
    object[names.names[name] as string] = bytes[start] === quote ? lastTexts.read(name, bytes, start + 1, end - 1) : scalarAt(bytes, start, end);
    at = end;
    if (bytes[at] === closeBrace) return at === bytes.length - 1 ? object : null;
    if (bytes[at] !== comma) return null;
  }
}

/** Where the quote stands that closes the text whose opening one is at `start`; -1 for a text with escapes, or none. */
function endOfText(bytes: Buffer, start: number): number {
  if (bytes[start] !== quote) return -1;
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) return at;
    if (byte === backslash || byte < space) return -1;
  }
  return -1;
}

/** Behind the whole number or `true` at `start`; -1 for everything else. */
function endOfScalar(bytes: Buffer, start: number): number {
  if (isTrue(bytes, start)) return start + 4;
  let at = start;
  while (at < bytes.length && isDigit(bytes[at] as number)) at++;
  const digits = at - start;
  return digits === 0 || digits > digitsMax || (digits > 1 && bytes[start] === zero) ? -1 : at;
}

function isTrue(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0x74 && bytes[at + 1] === 0x72 && bytes[at + 2] === 0x75 && bytes[at + 3] === 0x65;
}

function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = emptyHash;
  for (let at = start; at < end; at++) hash = mixIn(hash, bytes[at] as number);
  return hash;
}

function scalarAt(bytes: Buffer, start: number, end: number): unknown {
  if (bytes[start] === 0x74) return true;
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + (bytes[at] as number) - zero;
  return value;
}
