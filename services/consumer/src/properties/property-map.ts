import { mapKeysMax, mapValueBytesMax, textOnlyNames } from '@millrace/contracts/property-map.ts';
import { rawNumber, type JsonObject } from '@millrace/json/exact-json.ts';

/** Value of the column `properties`: text by key, null for JSON null. */
export type PropertyMap = ReadonlyMap<string, string | null>;

const textOnly: ReadonlySet<string> = new Set(textOnlyNames);

/**
 * The map of an event's or a person's properties: strings as they are, everything else as JSON text, null as null.
 * `properties` must be clean (`cleanJson`), so that each value is text that ClickHouse takes and reads back.
 */
export function propertyMap(properties: JsonObject): PropertyMap {
  const map = new Map<string, string | null>();
  eachEntry(properties, (name, text) => map.set(name, text));
  return map;
}

/** Shows the entries of `propertyMap` one after the other; returns how many they are. */
export function eachEntry(properties: JsonObject, visit: (name: string, text: string | null) => void): number {
  let keysLeft = mapKeysMax;
  for (const key of Object.keys(properties)) {
    if (textOnly.has(key) || !fits(key)) continue;
    const text = valueText(properties[key]);
    if (text !== null && !fits(text)) continue;
    if (keysLeft === 0) break;
    keysLeft--;
    visit(key, text);
  }
  return mapKeysMax - keysLeft;
}

/** A clean value as the map has it: strings as they are, null as null, everything else as JSON text. */
export function valueText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (value === null) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return rawNumber(value) ?? JSON.stringify(value);
}

/** True when the text is not too long for the map. */
export function fits(text: string): boolean {
  if (text.length * 3 <= mapValueBytesMax) return true;
  return text.length <= mapValueBytesMax && Buffer.byteLength(text) <= mapValueBytesMax;
}
