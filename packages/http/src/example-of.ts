/** Parts of JSON Schema that an example is made of. */
interface SchemaParts {
  title?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: SchemaParts[];
  examples?: unknown[];
  format?: string;
  minimum?: number;
  minItems?: number;
  items?: SchemaParts;
  properties?: Record<string, SchemaParts>;
  required?: string[];
}

const formats: Readonly<Record<string, string>> = {
  uuid: '01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d',
  email: 'ann@example.com',
  'date-time': '2026-01-02T03:04:05Z',
};

/**
 * An example of a value that the schema takes: the first of its `examples`, or one made of its parts. An object has its
 * required fields, and the optional ones that have an example of their own. A value that may be null is null without one.
 * @throws naming the place where the schema does not say enough, as of a text that may be anything
 */
export function exampleOf(schema: unknown, place: string): unknown {
  return make(schema as SchemaParts, place);
}

function make(schema: SchemaParts, place: string): unknown {
  const own = schema.examples ?? schema.enum?.filter((value) => value !== null);
  if (own !== undefined) return own[0];
  if (schema.const !== undefined) return schema.const;
  const choice = schema.anyOf?.find(({ type }) => type !== 'null');
  if (choice !== undefined) return make(choice, place);
  const here = schema.title ?? place;
  if (Array.isArray(schema.type) && schema.type.includes('null')) return null;
  switch (schema.type) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'null':
      return null;
    case 'boolean':
      return false;
    case 'array':
      return schema.items === undefined ? [] : [make(schema.items, `${here}[]`)];
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name, field]) => schema.required?.includes(name) || field.examples !== undefined)
          .map(([name, field]) => [name, make(field, `${here}.${name}`)]),
      );
    default:
      return textOf(schema.format, place);
  }
}

function textOf(format = '', place: string): string {
  const text = formats[format];
  if (text === undefined) throw new Error(`the schema of ${place} needs \`examples\``);
  return text;
}
