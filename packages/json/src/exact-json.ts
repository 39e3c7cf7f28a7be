/** A JSON object as parsed: string keys, any JSON values. */
export type JsonObject = Record<string, unknown>;

interface RawJson {
  readonly rawJSON: string;
}

// V8 hands the source text of a number to the reviver and prints raw JSON unchanged (ECMAScript proposal "JSON.parse source
// text access"); TypeScript does not know either yet.
const engine = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
};

/**
 * The rule by which numbers lose digits: true when a double holds the number that its text says, to the precision of doubles.
 * False for a whole number beyond 2^53, of which `JSON.parse` may change digits, and for Infinity, which it makes of `1e999`.
 */
export function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

/** Only such texts can hold a number that is not exact: an integer of 16 digits or more, an exponent. */
const mayLoseDigits = /\d{16}|\d[eE]/;

/**
 * `JSON.parse` for what becomes an id: every number that is not exact comes back as raw JSON, which `JSON.stringify` prints as
 * it was written (contract/capture 1.3, 2.1), `1e21` too.
 * @throws {SyntaxError} when `text` is not JSON.
 */
export function parseAsWritten(text: string): unknown {
  return mayLoseDigits.test(text) ? engine.parse(text, keepInexact) : JSON.parse(text);
}

function keepInexact(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' && source !== undefined && !isExact(value) ? engine.rawJSON(source) : value;
}

/** Only such texts can hold a number that `parseJson` keeps: an integer of 16 digits or more, an exponent of three. */
const mayLoseValue = /\d{16}|\d[eE]\+?\d{3,}\s*(?:[,}\]]|$)/;

/**
 * `JSON.parse` for values: the same rule, but a number that is written with a point or an exponent is a double to who sent it,
 * and stays one while a double can reach it. So `1e21` is a number that prints as `1e+21`, as it always stood in the columns
 * of properties; `parseAsWritten` would change what queries read. Integers keep all digits.
 * @throws {SyntaxError} when `text` is not JSON.
 */
export function parseJson(text: string): unknown {
  return mayLoseValue.test(text) ? engine.parse(text, keepIntegers) : JSON.parse(text);
}

function keepIntegers(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined || isExact(value)) return value;
  return Number.isFinite(value) && !/^-?\d+$/.test(source) ? value : engine.rawJSON(source);
}

/** The digits of a number that was parsed as raw JSON, or null for every other value. */
export function rawNumber(value: unknown): string | null {
  return typeof value === 'object' && value !== null && engine.isRawJSON(value) ? value.rawJSON : null;
}

/** True for a JSON object; false for arrays, null, raw numbers and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !('rawJSON' in value && engine.isRawJSON(value))
  );
}

/** The name of a parsed value's type in warnings. */
export function jsonTypeName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return rawNumber(value) === null ? typeof value : 'number';
}

/** A number that keeps the digits of `text`, which must be a JSON number: `rawNumber` and `JSON.stringify` give them back. */
export function rawJsonNumber(text: string): unknown {
  return engine.rawJSON(text);
}
