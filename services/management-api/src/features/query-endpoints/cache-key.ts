import { hash } from 'node:crypto';
import type { Surroundings } from '../../querying/surroundings.ts';
import type { VariableValue } from '../../querying/variables.ts';

/** What a result depends on, beside the data: a version's query never changes, and belongs to one project. */
export interface ResultIdentity {
  versionId: string;
  values: Readonly<Record<string, VariableValue>>;
  limit: number | undefined;
  offset: number | undefined;
  surroundings: Surroundings;
}

/** The same for two runs that would answer the same rows of the same data. Pure. */
export function cacheKey({ versionId, values, limit, offset, surroundings: { timeZone, testAccounts } }: ResultIdentity): string {
  const named = Object.keys(values).sort().map((name) => [name, values[name]]);
  return hash('sha256', JSON.stringify([versionId, named, limit ?? null, offset ?? null, timeZone, testAccounts]), 'base64url');
}
