import { hash } from 'node:crypto';
import { semantics } from '../../../queries/compile/semantics.ts';
import type { QueryContext } from '../../../queries/compile/query-context.ts';
import type { VariableValue } from '../../../queries/definition/variables.ts';

/** Everything but the data that a result depends on. A version's query never changes, and belongs to one project. */
export interface ResultIdentity {
  versionId: string;
  /** In the order in which the version declares them (`bindVariables`). */
  values: Readonly<Record<string, VariableValue>>;
  limit: number | undefined;
  offset: number | undefined;
  /** Rows are cached as they are sent: as objects or as lists. */
  asObjects: boolean;
  queryContext: QueryContext;
  /** Name of the table that is read; undefined: the query runs. */
  table?: string | undefined;
  /** Range and filters of an insight's run (contract/insights 12). */
  insight?: unknown;
}

/** The cache key: equal for two runs that give the same rows for the same data. Pure. */
export function cacheKey({
  versionId,
  values,
  limit,
  offset,
  asObjects,
  queryContext: { timeZone, testAccounts },
  table,
  insight,
}: ResultIdentity): string {
  return hash(
    'sha256',
    JSON.stringify([
      semantics,
      versionId,
      values,
      limit ?? null,
      offset ?? null,
      asObjects,
      timeZone,
      testAccounts,
      table ?? null,
      ...(insight === undefined ? [] : [insight]),
    ]),
    'base64url',
  );
}
