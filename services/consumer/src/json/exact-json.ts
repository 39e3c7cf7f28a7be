/** A JSON object as parsed: string keys, any JSON values. */
export type JsonObject = Record<string, unknown>;

interface RawJson {
  readonly rawJSON: string;
}

// What the engine offers and the language library does not declare yet.
const engine = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
};

/** Only such texts can hold a number that a double cannot carry: an integer of 16 digits or more, an exponent of three. */
const mayNeedSource = /\d{16}|\d[eE]\+?\d{3,}\s*(?:[,}\]]|$)/;

/**
 * `JSON.parse` that loses no digits: an integer beyond 2^53 and a number beyond the range of a double come back as raw JSON,
 * which `JSON.stringify` prints digit by digit. All other values are the usual ones.
 * @throws {SyntaxError} when `text` is not JSON.
 */
export function parseJson(text: string): unknown {
  return mayNeedSource.test(text) ? engine.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined) return value;
  const exact = Number.isFinite(value) && (Math.abs(value) <= Number.MAX_SAFE_INTEGER || !/^-?\d+$/.test(context.source));
  return exact ? value : engine.rawJSON(context.source);
}

/** The digits of a number that `parseJson` kept as raw JSON, or null for every other value. */
export function rawNumber(value: unknown): string | null {
  return typeof value === 'object' && value !== null && engine.isRawJSON(value) ? value.rawJSON : null;
}

/** True for a JSON object; false for arrays, null, raw numbers and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !engine.isRawJSON(value);
}

/** What a value that was parsed is called in warnings. */
export function jsonTypeName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return rawNumber(value) === null ? typeof value : 'number';
}
