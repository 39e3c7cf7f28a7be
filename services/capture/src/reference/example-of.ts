import type { Schema } from '../http/operation.ts';
import { schemas } from './schemas.ts';

interface Parts {
  $ref?: string;
  examples?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
}

/** The example that a schema names, or the one that it refers to; of several schemas, the first. Undefined: none has one. */
export function exampleOf(schema: Schema): unknown {
  const { $ref, examples, const: only, anyOf: [first] = [] } = schema as Parts;
  if (examples !== undefined) return examples[0];
  if (only !== undefined) return only;
  if ($ref !== undefined) return exampleOf(schemas[$ref.slice($ref.lastIndexOf('/') + 1) as keyof typeof schemas]);
  return first === undefined ? undefined : exampleOf(first);
}
