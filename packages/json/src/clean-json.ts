import { isJsonObject, type JsonObject } from './exact-json.ts';

const replacement = '\ufffd';

/** Lone surrogates and NULs become U+FFFD (contract/decisions 24); all other text is untouched. */
export function cleanText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', replacement) : wellFormed;
}

/** `cleanText` for every key and string of a JSON value. Of keys that become equal the last one wins. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (!isJsonObject(value)) return value;
  const clean = emptyObject();
  for (const key of Object.keys(value)) clean[cleanText(key)] = cleanJson(value[key]);
  return clean;
}

/** An object without prototype: a client's key such as `__proto__` is an ordinary key in it. */
export function emptyObject(): JsonObject {
  return Object.create(null) as JsonObject;
}
