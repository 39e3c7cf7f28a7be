import type { TSchema } from 'typebox';

/** A place of a definition that a text can stand in. Members of lists are those at 0. */
export interface TextField {
  path: readonly (string | number)[];
  /** `free`: the schema says nothing of its content; `choice`: one of a few texts. */
  takes: 'text' | 'choice' | 'free';
}

/** Parts of a JSON schema that definitions are made of. */
interface Shape {
  type?: string;
  enum?: readonly string[];
  const?: unknown;
  items?: Shape | readonly Shape[];
  properties?: Readonly<Record<string, Shape>>;
  patternProperties?: Readonly<Record<string, Shape>>;
}

/** Every such place of a strict schema; for names that begin alike one of them. @throws on a schema that it does not know */
export const textFieldsOf = (schema: TSchema): TextField[] => fieldsOf(schema, []);

function fieldsOf(shape: Shape, path: TextField['path']): TextField[] {
  if (shape.properties !== undefined) {
    const named = Object.entries(shape.properties).flatMap(([name, one]) => fieldsOf(one, [...path, name]));
    const prefixes = Object.keys(shape.patternProperties ?? {}).flatMap((pattern) =>
      pattern.slice('^(?:'.length, -1).split('|'),
    );
    return [...named, ...prefixes.map((name): TextField => ({ path: [...path, `${name}X`], takes: 'free' }))];
  }
  if (shape.const !== undefined || shape.enum !== undefined) return [{ path, takes: 'choice' }];
  if (shape.items !== undefined) return [shape.items].flat().flatMap((one, index) => fieldsOf(one, [...path, index]));
  if (shape.type === 'string') return [{ path, takes: 'text' }];
  if (shape.type === undefined) return [{ path, takes: 'free' }];
  if (['integer', 'number', 'boolean', 'object'].includes(shape.type)) return [];
  throw new Error(`no text fields are known of ${JSON.stringify(shape)}`);
}

/** The definition with a value at a path; objects and lists that are not there are made. Pure. */
export function withValueAt(definition: unknown, [head, ...rest]: TextField['path'], value: unknown): unknown {
  if (head === undefined) return value;
  if (typeof head === 'string') {
    const object = (definition ?? {}) as Record<string, unknown>;
    return { ...object, [head]: withValueAt(object[head], rest, value) };
  }
  const members = [...((definition ?? []) as unknown[])];
  members[head] = withValueAt(members[head], rest, value);
  return members;
}
