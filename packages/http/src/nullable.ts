import { Unsafe, type Static, type TSchema } from 'typebox';

/** The schema or null. For schemas with one `type` (not for unions). */
export function nullable<S extends TSchema>(schema: S) {
  const { type, enum: choices } = schema as { type?: string; enum?: unknown[] };
  if (typeof type !== 'string') throw new Error('nullable() needs a schema with one type');
  return Unsafe<Static<S> | null>({
    ...schema,
    type: [type, 'null'],
    ...(choices ? { enum: [...choices, null] } : {}),
  });
}
