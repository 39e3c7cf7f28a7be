import { Array as ArrayType, String as StringType } from 'typebox';

/** Schema of all tags of a thing. */
export const tagList = ArrayType(StringType({ minLength: 1, maxLength: 255 }), { maxItems: 100, examples: [['web']] });

/** Tags as they are stored: trimmed, in lower case, each once. */
export function tagsOf(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim().toLowerCase()).filter((text) => text !== ''))];
}
