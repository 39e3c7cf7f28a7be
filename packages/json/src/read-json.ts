import { cleanJson } from './clean-json.ts';
import { parseJson } from './exact-json.ts';

/**
 * `parseJson` of valid Unicode, without lone surrogates and NULs: only escapes can bring these in.
 * @throws {SyntaxError} when `text` is not JSON.
 */
export function readJson(text: string): unknown {
  const value = parseJson(text);
  return text.includes('\\u') ? cleanJson(value) : value;
}

/** `readJson` of the text that these bytes are; undefined when it is not JSON. */
export function jsonOf(bytes: Buffer): unknown {
  try {
    return readJson(bytes.toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
