import { hash } from 'node:crypto';
import type { QueryContext } from '../../../queries/compile/query-context.ts';
import type { VariableValue } from '../../../queries/definition/variables.ts';

/** What a result depends on, beside the data: a version's query never changes, and belongs to one project. */
export interface ResultIdentity {
  versionId: string;
  /** In the order in which the version declares them (`bindVariables`). */
  values: Readonly<Record<string, VariableValue>>;
  limit: number | undefined;
  offset: number | undefined;
  /** Rows are kept as they are sent: as lists, or as objects. */
  asObjects: boolean;
  queryContext: QueryContext;
}

/** Another one when a release answers the same query with other rows: in 2 the project's time zone holds in SQL, in 3 times show its offset. */
const semantics = 3;

/** The same for two runs that would answer the same rows of the same data. Pure. */
export function cacheKey({
  versionId,
  values,
  limit,
  offset,
  asObjects,
  queryContext: { timeZone, testAccounts },
}: ResultIdentity): string {
  return hash(
    'sha256',
    JSON.stringify([semantics, versionId, values, limit ?? null, offset ?? null, asObjects, timeZone, testAccounts]),
    'base64url',
  );
}
