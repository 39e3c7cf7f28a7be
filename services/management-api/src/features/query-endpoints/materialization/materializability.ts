import { createLeastRecentlyUsed } from '../../../least-recently-used.ts';
import type { CheckedQuery } from '../../../queries/compile/check-query.ts';
import { isShort, type QueryCompiler } from '../../../queries/compile/query-compiler.ts';

/** Why queries cannot be materialized; null: they can. */
export interface Materializability {
  /** The reason of a version that is shown. One with a large query that nobody has looked at says only that. */
  shown(version: LookedAt, organizationId: string): Promise<string | null>;
  /** The reason of a version, whose query never changes: it is looked at once. @throws {AppError} as `QueryCompiler.preview` does */
  of(version: LookedAt, organizationId: string): Promise<string | null>;
  /** The reason of a query that is about to be saved. @throws {AppError} as `QueryCompiler.preview` does */
  ofQuery(query: CheckedQuery, organizationId: string): Promise<string | null>;
}

interface LookedAt {
  id: string;
  query: unknown;
}

const versionsMax = 10_000;
const notLookedAt = 'The query is large, and was not looked at yet: materialization_preview does.';

export function createMaterializability(compiler: Pick<QueryCompiler, 'preview'>): Materializability {
  const reasons = createLeastRecentlyUsed<string, { reason: string | null }>(versionsMax);

  async function ofQuery(query: CheckedQuery, organizationId: string): Promise<string | null> {
    // The names of the table and of its buckets do not matter.
    const previewed = { query, name: 'endpoint', version: 1, bucketOverrides: null };
    return (await compiler.preview(previewed, organizationId)).reason;
  }

  async function of({ id, query }: LookedAt, organizationId: string): Promise<string | null> {
    const known = reasons.get(id);
    if (known !== undefined) return known.reason;
    const reason = await ofQuery(query as CheckedQuery, organizationId);
    reasons.set(id, { reason });
    return reason;
  }

  return {
    of,
    ofQuery,
    // A list of large queries would wait long for the thread that plans them.
    shown: async (version, organizationId) =>
      reasons.get(version.id) === undefined && !isShort((version.query as CheckedQuery).query)
        ? notLookedAt
        : await of(version, organizationId),
  };
}
