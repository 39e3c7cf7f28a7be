import type { TSchema } from 'typebox';

const readers: Record<string, (text: string) => unknown> = {
  integer: (text) => finite(/^[+-]?\d+$/, text),
  number: (text) => finite(/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i, text),
  boolean: (text) => ({ true: true, True: true, 1: true, false: false, False: false, 0: false })[text],
};

/**
 * Texts of a query string or a form as the values that the schema's properties are of: whole numbers, numbers, booleans.
 * A text that is none stays a text, for the schema to refuse. Pure.
 */
export function readTexts(schema: TSchema, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string | string[] }> };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, readText(Object.hasOwn(properties, name) ? properties[name]?.type : undefined, text)]));
}

function readText(type: string | string[] | undefined, text: string): unknown {
  for (const name of [type ?? []].flat()) {
    const value = readers[name]?.(text.trim());
    if (value !== undefined) return value;
  }
  return text;
}

function finite(form: RegExp, text: string): number | undefined {
  return form.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined;
}
