import fc from 'fast-check';
import type { SchemaParts } from './schema-values.ts';

type Components = Readonly<Record<string, SchemaParts>>;

/** The schema with every `$ref` replaced by what it refers to. */
export function withoutReferences(schema: unknown, components: Components): SchemaParts {
  if (Array.isArray(schema)) return schema.map((part) => withoutReferences(part, components)) as object;
  if (typeof schema !== 'object' || schema === null) return schema as SchemaParts;
  const reference = (schema as { $ref?: string }).$ref;
  if (reference !== undefined) return withoutReferences(components[reference.split('/').at(-1) ?? ''], components);
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, withoutReferences(part, components)]));
}

/** Any JSON value, odd texts among them. */
export const anyJson = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('', '\0', "'--", '{{a}}', '../..', '%s', '9'.repeat(30)),
);
const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  email: fc.emailAddress(),
  uri: fc.webUrl(),
  date: fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
};

/** Values that mostly fit the schema. Texts of a pattern are made by it; lengths and counts stay small. */
function fitting(schema: SchemaParts): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fitting));
  const made = [schema.type ?? []].flat().map((type) => fittingType(type, schema));
  const examples = schema.examples?.length ? [fc.constantFrom(...schema.examples)] : [];
  return made.length + examples.length === 0 ? anyJson : fc.oneof(...examples, ...made);
}

function fittingType(type: string, schema: SchemaParts): fc.Arbitrary<unknown> {
  const { minimum = -100, maximum = 100, minItems = 0, maxItems = minItems + 3 } = schema;
  switch (type) {
    case 'string':
      return fittingText(schema);
    case 'integer':
      return fc.oneof(
        fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, 2 ** 53 - 1)) }),
        fc.constantFrom(minimum, maximum),
      );
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fitting(schema.items ?? {}), {
        minLength: minItems,
        maxLength: Math.min(maxItems, minItems + 3),
      });
    case 'object':
      return fittingObject(schema);
    default:
      return fc.constant(null);
  }
}

function fittingText({ format = '', pattern, minLength = 0, maxLength = 50 }: SchemaParts): fc.Arbitrary<unknown> {
  if (formats[format]) return formats[format];
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 50) });
}

function fittingObject({ properties, required = [] }: SchemaParts): fc.Arbitrary<unknown> {
  if (properties === undefined) return fc.dictionary(fc.string({ maxLength: 10 }), anyJson, { maxKeys: 3 });
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, fitting(field)]));
  return fc.record(fields, { requiredKeys: required });
}

/** Values that a client may send for a schema: a valid one, one with wrong fields, or anything. */
export function sent(schema: SchemaParts): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  const good = fitting(schema);
  const spoilt = fc
    .tuple(good, fc.dictionary(fc.constantFrom('unknown', ...names), anyJson, { maxKeys: 2 }))
    .map(([value, wrong]) => ({ ...(value as object), ...wrong }));
  return fc.oneof({ weight: 5, arbitrary: good }, { weight: 4, arbitrary: spoilt }, { weight: 1, arbitrary: anyJson });
}

/** Text of a value in a URL, for a schema. */
export function sentText(schema: SchemaParts): fc.Arbitrary<string> {
  return fc.oneof(fitting(schema).map(String), text);
}
