import type { TSchema } from 'typebox';
import { AppError } from '../errors/errors.ts';
import { parseJson, type Form } from './parse-body.ts';

/** The part of a property's schema that says how its text is read. */
interface Property {
  type?: string | string[];
  anyOf?: readonly Property[];
  items?: Property;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['1', true],
  ['false', false],
  ['False', false],
  ['0', false],
]);

const readers: Record<string, (text: string) => unknown> = {
  integer: (text) => finite(/^[+-]?\d+$/, text),
  number: (text) => finite(/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i, text),
  boolean: (text) => booleans.get(text),
};

/**
 * Texts of a query string as the values that the schema's properties are of: whole numbers, numbers, booleans.
 * A text that is none stays a text, for the schema to refuse. Pure.
 */
export function readTexts(schema: TSchema, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, readText(propertyOf(schema, name), text)]),
  );
}

/**
 * A form's texts as the values that the schema's properties are of. Beside what `readTexts` does: lists are a field sent
 * several times or one JSON text, objects are JSON texts, and nothing at all is null where null may stand and no text. Pure.
 * @throws {AppError} null_characters_not_allowed; parse_error for JSON that nests too deeply
 */
export function readForm(schema: TSchema, form: Form): Record<string, unknown> {
  return Object.fromEntries([...form].map(([name, texts]) => [name, readField(name, propertyOf(schema, name), texts)]));
}

function propertyOf(schema: TSchema, name: string): Property {
  const { properties = {} } = schema as { properties?: Record<string, Property> };
  return (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? {};
}

function readField(name: string, property: Property, texts: readonly string[]): unknown {
  const types = typesOf(property);
  const last = texts.at(-1) ?? '';
  if (last === '' && types.includes('null') && !types.includes('string')) return null;
  if (types.includes('array')) {
    const list = texts.length === 1 ? readJson(name, last, '[') : undefined;
    return list ?? texts.map((text) => readText(property.items ?? {}, text));
  }
  if (types.includes('object')) return readJson(name, last, '{') ?? last;
  return readText(property, last);
}

const typesOf = ({ type, anyOf = [] }: Property): string[] => [...[type ?? []].flat(), ...anyOf.flatMap(typesOf)];

/** The JSON value of a text that starts with the bracket; undefined when it is no JSON. */
function readJson(name: string, text: string, bracket: '[' | '{'): unknown {
  if (!text.trimStart().startsWith(bracket)) return undefined;
  try {
    return parseJson(text, [name]);
  } catch (error) {
    if (error instanceof AppError && error.code === 'parse_error') return undefined;
    throw error;
  }
}

function readText({ type }: Property, text: string): unknown {
  for (const name of [type ?? []].flat()) {
    const value = readers[name]?.(text.trim());
    if (value !== undefined) return value;
  }
  return text;
}

function finite(form: RegExp, text: string): number | undefined {
  return form.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined;
}
