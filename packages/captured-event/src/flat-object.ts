import { closeBrace, colon, comma, quote, zero } from '@millrace/json/bytes.ts';
import { LastTexts } from './last-texts.ts';
import { NameTable } from '@millrace/json/name-table.ts';
import { endOfDigits, endOfString } from '@millrace/json/plain-parts.ts';

/** Number of digits that a double holds exactly. */
const digitsMax = 15;

/** The members that an object may have, and the values cached from one object to the next. */
interface FlatForm {
  names: NameTable;
  lastTexts: LastTexts;
}

/** A form with members of these names. */
export function flatForm(names: readonly string[]): FlatForm {
  return { names: new NameTable(names), lastTexts: new LastTexts(names.length) };
}

/**
 * Reads the members of a JSON object as our own code prints it, from the name at `start` to the brace before `end`: only members
 * of these names, no white space, texts without escapes, whole numbers, and `true`. Gives what `JSON.parse` gives, at a
 * third of its price; null for everything else, JSON or not.
 */
export function readFlatMembers(
  bytes: Buffer,
  start: number,
  end: number,
  { names, lastTexts }: FlatForm,
): Record<string, unknown> | null {
  const object: Record<string, unknown> = {};
  for (let at = start; ; at++) {
    const nameEnd = bytes[at] === quote ? endOfString(bytes, at) : -1;
    if (nameEnd === -1 || bytes[nameEnd] !== colon) return null;
    const name = names.indexAt(bytes, at + 1, nameEnd - 1);
    if (name === -1) return null;
    const from = nameEnd + 1;
    const to = bytes[from] === quote ? endOfString(bytes, from) : endOfScalar(bytes, from);
    if (to <= from || to >= end) return null;
    object[names.names[name] as string] =
      bytes[from] === quote ? lastTexts.read(name, bytes, from + 1, to - 1) : scalarAt(bytes, from, to);
    at = to;
    if (bytes[at] === closeBrace && at === end - 1) return object;
    if (bytes[at] !== comma) return null;
  }
}

/** Behind the whole number or `true` at `start`; -1 for everything else. */
function endOfScalar(bytes: Buffer, start: number): number {
  if (isTrue(bytes, start)) return start + 4;
  const end = endOfDigits(bytes, start);
  const digits = end - start;
  return digits === 0 || digits > digitsMax || (digits > 1 && bytes[start] === zero) ? -1 : end;
}

function isTrue(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0x74 && bytes[at + 1] === 0x72 && bytes[at + 2] === 0x75 && bytes[at + 3] === 0x65;
}

function scalarAt(bytes: Buffer, start: number, end: number): unknown {
  if (bytes[start] === 0x74) return true;
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + (bytes[at] as number) - zero;
  return value;
}
