import { itemOf, lambdaOf, once } from './array-items.ts';
import { toText } from './conversions.ts';
import type { Span } from '../query-error.ts';
import { call, constant, fixed, type Resolved } from '../resolved.ts';
import { plain, type ValueType } from '../types.ts';

// A version as a text that sorts by its numbers: 1.10 is 00…01.00…10.00…00.… .

/** Numbers of a version that count; missing ones are 0. */
const partsMax = 6;

/** Digits of such a number. */
const digitsMax = 20;

// `v` before it and a name behind it, as in v1.2.3-beta.1+5, do not count.
const pattern = String.raw`^\s*[vV]?(\d+(?:\.\d+)*)(?:[-+].*|\s*)$`;

/** The key of these numbers. Pure. */
export function versionKey(numbers: readonly bigint[]): string {
  return Array.from({ length: partsMax }, (_, at) => String(numbers[at] ?? 0n).padStart(digitsMax, '0')).join('.');
}

/** The numbers of a version; undefined when the text is none, or has too many or too large ones for a key. Pure. */
export function readVersion(text: string): bigint[] | undefined {
  const [, written] = new RegExp(pattern, 's').exec(text) ?? [];
  const parts = written?.split('.') ?? [];
  if (parts.length === 0 || parts.length > partsMax || parts.some(({ length }) => length >= digitsMax))
    return undefined;
  return parts.map(BigInt);
}

const texts: ValueType = { kind: 'array', nullable: false, item: plain('text') };

/** The key of a text; NULL where it is no version. */
export function toVersionKey(expr: Resolved): Resolved {
  return once(orEmpty(toText(expr)), (text) => keyOf(text, expr), '__version', expr);
}

function keyOf(text: Resolved, { start, end }: Span): Resolved {
  const span = { start, end };
  const whole = (value: number): Resolved => constant(value, plain('integer'), span);
  const found = call('extract', [text, fixed(`(?s)${pattern}`, span)], plain('text'), span);
  const numbers = call('extractAll', [found, fixed(String.raw`\d+`, span)], texts, span);
  const resized = call('arrayResize', [numbers, whole(partsMax), fixed('0', span)], texts, span);
  const item = itemOf(plain('text'), span);
  const padded = call('leftPad', [item, whole(digitsMax), fixed('0', span)], plain('text'), span);
  const all = call('arrayMap', [lambdaOf(item, padded), resized], texts, span);
  const key = call('arrayStringConcat', [all, fixed('.', span)], plain('text'), span);
  const isVersion = call('match', [text, fixed(`(?s)${pattern}`, span)], plain('boolean'), span);
  return call('if', [isVersion, key, constant(null, plain('null', true), span)], plain('text', true), span);
}

function orEmpty(text: Resolved): Resolved {
  return text.type.nullable ? call('ifNull', [text, fixed('', text)], plain('text'), text) : text;
}
