import { validator } from '@millrace/http/validator.ts';

/** The part of JSON Schema that our declarations use. */
export interface SchemaParts {
  title?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: SchemaParts[];
  examples?: unknown[];
  default?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: SchemaParts;
  properties?: Record<string, SchemaParts>;
  required?: string[];
}

const formats: Record<string, string> = {
  uuid: '01900000-0000-4000-8000-000000000000',
  email: 'ann@example.com',
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  uri: 'https://example.com/',
};

/** Values for fields that must be new each time, or that no schema can say: `<title of the body>.<field>` to a maker. */
export type FieldValues = Readonly<Record<string, () => unknown>>;

/** The least value that a schema takes: its own example, or made of its parts; only what is required. */
export function sampleOf(schema: SchemaParts, fields: FieldValues = {}): unknown {
  const [example] = schema.examples ?? [];
  const choice = (schema.enum ?? [schema.const]).find((value) => value !== null);
  const given = example ?? schema.default ?? choice;
  if (given !== undefined) return given;
  if (schema.anyOf) return sampleOf(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, fields);
  switch ([schema.type].flat().find((type) => type !== 'null')) {
    case 'string':
      return formats[schema.format ?? ''] ?? 'x'.repeat(Math.max(1, schema.minLength ?? 1));
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items ?? {}, fields));
    case 'object':
      return sampleObject(schema, fields);
    default:
      return null;
  }
}

function sampleObject(schema: SchemaParts, fields: FieldValues): Record<string, unknown> {
  const names = new Set([
    ...(schema.required ?? []),
    ...Object.keys(fields).flatMap((field) =>
      field.startsWith(`${schema.title}.`) ? [field.slice((schema.title ?? '').length + 1)] : [],
    ),
  ]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      fields[`${schema.title}.${name}`]?.() ?? sampleOf(schema.properties?.[name] ?? {}, fields),
    ]),
  );
}

/** Values of every kind, among them those that databases and parsers stumble over. */
export const oddValues: readonly unknown[] = [
  null,
  5,
  -1,
  1.5,
  1e300,
  2 ** 53,
  '',
  'x',
  '\ud800',
  "'; DROP TABLE endpoints",
  true,
  [],
  [null],
  [{}],
  {},
  { a: { b: null } },
  { __proto__x: 1 },
  'x'.repeat(100_000),
];

/** Every field of a schema's value, nested ones too (`0`: the items of a list), with those odd values that do not fit it. */
export function misfits(
  schema: SchemaParts,
  path: readonly string[] = [],
): { path: readonly string[]; values: readonly unknown[] }[] {
  const here = path.length === 0 ? [] : [{ path, values: oddValues.filter((value) => !fits(schema, value)) }];
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => misfits(field, [...path, name]));
  const items = entriesOf(schema).flatMap((entry, at) => misfits(entry, [...path, String(at)]));
  return [...here, ...fields, ...items];
}

/** Schemas of the entries of a list: one for all, or one for each place of a tuple. */
const entriesOf = ({ items }: SchemaParts): SchemaParts[] => (items === undefined ? [] : [items].flat());

/** `value` at `path` of a good value; what is missing on the way is made. */
export function withValue(
  schema: SchemaParts,
  good: unknown,
  [head, ...rest]: readonly string[],
  value: unknown,
): unknown {
  if (head === undefined) return value;
  if (schema.items && schema.properties === undefined)
    return entriesOf(schema).map((entry, at) =>
      String(at) === head ? withValue(entry, sampleOf(entry), rest, value) : sampleOf(entry),
    );
  const object = (typeof good === 'object' && good !== null ? good : sampleOf({ ...schema, examples: [] })) as Record<
    string,
    unknown
  >;
  return { ...object, [head]: withValue(schema.properties?.[head] ?? {}, object[head], rest, value) };
}

/** The fields of a body as a form has them: texts; lists and objects as JSON. */
export function asForm(body: unknown): string {
  return new URLSearchParams(textsOf(body)).toString();
}

/** The same as the parts of a multipart body. */
export function asMultipart(body: unknown, boundary: string): string {
  const parts = textsOf(body).map(
    ([name, text]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  return `${parts.join('')}--${boundary}--\r\n`;
}

function textsOf(body: unknown): [name: string, text: string][] {
  return Object.entries(body as Record<string, unknown>).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value),
  ]);
}

/** Fields of a value, as paths, that its schema does not speak of. */
export function undeclared(schema: SchemaParts, value: unknown, path = ''): string[] {
  if (schema.anyOf) {
    const [fewest = []] = schema.anyOf
      .map((choice) => undeclared(choice, value, path))
      .sort((one, other) => one.length - other.length);
    return fewest;
  }
  if (Array.isArray(value)) return value.flatMap((item, at) => undeclared(schema.items ?? {}, item, `${path}[${at}]`));
  const { properties } = schema;
  if (properties === undefined || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    properties[name] ? undeclared(properties[name], field, `${path}.${name}`) : [`${path}.${name}`],
  );
}

function fits(schema: SchemaParts, value: unknown): boolean {
  // As a field: a schema with a default is none by itself.
  const validate = validator({ type: 'object', properties: { field: schema } });
  try {
    validate({ field: structuredClone(value) });
    return true;
  } catch {
    return false;
  }
}
