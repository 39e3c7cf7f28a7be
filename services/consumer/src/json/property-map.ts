import { rawNumber, type JsonObject } from './exact-json.ts';

/** What the column `properties` takes: text by key, null for JSON null. */
export type PropertyMap = ReadonlyMap<string, string | null>;

/** Most keys of one event that enter the map; the text has them all (design/clickhouse 2). */
export const mapKeysMax = 1_000;

/** Longest key or value in the map, in bytes of UTF-8; longer ones stay in the text only. */
export const mapValueBytesMax = 8_192;

/** Large payloads of language models: read from the text by the queries that name one (design/clickhouse 2). */
const textOnlyKeys: ReadonlySet<string> = new Set([
  '$ai_input',
  '$ai_output',
  '$ai_output_choices',
  '$ai_input_state',
  '$ai_output_state',
]);

/**
 * The map of an event's or a person's properties: strings as they are, everything else as JSON text, null as null.
 * `properties` must be clean (`cleanJson`), so that each value is text that ClickHouse takes and reads back.
 */
export function propertyMap(properties: JsonObject): PropertyMap {
  const map = new Map<string, string | null>();
  let room = mapKeysMax;
  for (const key of Object.keys(properties)) {
    if (textOnlyKeys.has(key) || !fits(key)) continue;
    const text = valueText(properties[key]);
    if (text !== null && !fits(text)) continue;
    if (room-- === 0) break;
    map.set(key, text);
  }
  return map;
}

function valueText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (value === null) return null;
  return rawNumber(value) ?? JSON.stringify(value);
}

function fits(text: string): boolean {
  if (text.length * 3 <= mapValueBytesMax) return true;
  return text.length <= mapValueBytesMax && Buffer.byteLength(text) <= mapValueBytesMax;
}
