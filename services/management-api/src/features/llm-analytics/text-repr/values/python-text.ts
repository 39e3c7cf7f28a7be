import { rawNumber } from '@millrace/json/exact-json.ts';
import { nativeJson2 } from './native-json2.ts';
import { writeContainer, type Notation } from './write-container.ts';
import { numberText } from './python-numbers.ts';

// Text forms of values as Python prints them (contract/llm-surveys 5.2). Python is the reference because clients compare the
// texts byte for byte with those of PostHog, which is written in it.

const unplainJson = /[^ !#-[\]-~]/;
const beyondAscii = /[\u007f-\uffff]/g;

/** A text in double quotes, escaped as Python's `json.dumps` does: ASCII only. */
function jsonString(text: string): string {
  if (!unplainJson.test(text)) return `"${text}"`;
  return withEscapes(JSON.stringify(text));
}

function withEscapes(printed: string): string {
  return printed.replace(beyondAscii, unitEscape);
}

function unitEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const unplainRepr = /[^ !#-&(-[\]-~]/;
const unprintable = /[\p{C}\p{Zl}\p{Zp}\p{Zs}]/gu;

/** A text in quotes as Python's `repr` writes it: double quotes only for a text that has `'` and no `"`. */
function reprString(text: string): string {
  if (!unplainRepr.test(text)) return `'${text}'`;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let escaped = text.replaceAll('\\', '\\\\');
  if (quote === "'") escaped = escaped.replaceAll("'", "\\'");
  return quote + escaped.replace(unprintable, reprEscape) + quote;
}

const namedEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', ' ': ' ' };

function reprEscape(character: string): string {
  const named = namedEscapes[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}

function jsonScalar(value: unknown): string {
  if (typeof value === 'string') return jsonString(value);
  if (typeof value === 'number') return jsonNumber(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return rawNumber(value) ?? 'null';
}

function jsonNumber(value: number): string {
  if (Number.isFinite(value)) return numberText(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
}

function reprScalar(value: unknown): string {
  return typeof value === 'string' ? reprString(value) : scalarText(value);
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return rawNumber(value) ?? 'None';
}

const jsonNotation: Notation = { scalar: jsonScalar, key: jsonString, isIndented: false };
const json2Notation: Notation = { scalar: jsonScalar, key: jsonString, isIndented: true };
const reprNotation: Notation = { scalar: reprScalar, key: reprString, isIndented: false };

/**
 * Python's `json.dumps(value)`: one line, `, ` and `: `, ASCII only.
 * @throws {TextTooLarge}
 */
export function json(value: unknown): string {
  return typeof value === 'object' ? writeContainer(value, jsonNotation) : jsonScalar(value);
}

/**
 * Python's `json.dumps(value, indent=2)`. Containers below 200 levels stand on one line: an indentation grows with the
 * square of the depth.
 * @throws {TextTooLarge}
 */
export function json2(value: unknown): string {
  if (typeof value !== 'object') return jsonScalar(value);
  const native = nativeJson2(value);
  return native === null ? writeContainer(value, json2Notation) : withEscapes(native);
}

/**
 * Python's `str(value)`: texts as they are, `None`, `True`, `[1, 'a']`, `{'k': 'v'}`.
 * @throws {TextTooLarge}
 */
export function pystr(value: unknown): string {
  return typeof value === 'object' ? writeContainer(value, reprNotation) : scalarText(value);
}
