import { hash } from 'node:crypto';
import type { VariableValue } from '../../querying/variables.ts';

/** What a result depends on, beside the data: a version's query never changes, and belongs to one project. */
export interface ResultIdentity {
  versionId: string;
  values: Readonly<Record<string, VariableValue>>;
  limit: number | undefined;
  offset: number | undefined;
}

/** The same for two runs that would answer the same rows of the same data. Pure. */
export function cacheKey({ versionId, values, limit, offset }: ResultIdentity): string {
  const named = Object.keys(values).sort().map((name) => [name, values[name]]);
  return hash('sha256', JSON.stringify([versionId, named, limit ?? null, offset ?? null]), 'base64url');
}
