import { Cursor } from '../parse/cursor.ts';
import { tokenize } from '../parse/lexer.ts';
import { parseTypeName } from '../parse/parse-type-name.ts';
import { parseStatement } from '../parse/parse-select.ts';
import type { Constant, Field } from '../tree/expressions.ts';
import { quoted, writeMember, writeName } from './write-names.ts';

/** A literal. Throws for a number that is not finite: the language has none. */
export function writeConstant({ value, value_type }: Constant): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return value_type === 'number' ? value : quoted(value);
  return typeof value === 'boolean' ? String(value) : writeNumber(value);
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new Error('A number that is not finite has no text');
  // The digits alone of a larger one would be read as a number that keeps them all.
  return Math.abs(value) > Number.MAX_SAFE_INTEGER ? value.toExponential() : String(value);
}

/** The place of an item after a dot. */
export function writePlace(place: number): string {
  return Number.isFinite(place) ? BigInt(place).toString() : '9'.repeat(310);
}

/** A name or a path of names. */
export function writeField({ chain, quoted: isQuoted }: Field): string {
  return chain
    .map((name, at) => {
      if (name === '*') return at === chain.length - 1 ? name : quoted(name, '`');
      if (at > 0) return writeMember(name);
      return isQuoted ? quoted(name, '"') : writeName(name);
    })
    .join('.');
}

/** The name of a type, in quotes if it is none of ours. */
export function writeTypeName(name: string): string {
  return isReadAs(name) ? name : quoted(name, '`');
}

function isReadAs(name: string): boolean {
  try {
    const cursor = new Cursor(tokenize(name), name, parseStatement);
    return parseTypeName(cursor) === name && cursor.peek().kind === 'end';
  } catch {
    return false;
  }
}
