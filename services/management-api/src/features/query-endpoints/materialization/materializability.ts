import { createLeastRecentlyUsed } from '../../../least-recently-used.ts';
import type { CheckedQuery } from '../../../queries/compile/check-query.ts';
import { isShort, type QueryCompiler } from '../../../queries/compile/query-compiler.ts';

/** Why queries cannot be materialized, null: they can; and what their tables would demand of runs. */
export interface Materializability {
  /** The reason of a version that is shown. One with a large query that nobody has looked at says only that. */
  shown(version: LookedAt, organizationId: string): Promise<string | null>;
  /** The reason of a version, whose query never changes: it is looked at once. @throws {AppError} as `QueryCompiler.preview` does */
  of(version: LookedAt, organizationId: string): Promise<string | null>;
  /** The reason of a query that is about to be saved. @throws {AppError} as `QueryCompiler.preview` does */
  ofQuery(query: CheckedQuery, organizationId: string): Promise<string | null>;
  /** Variables that runs of a materialized version may leave out. @throws {AppError} as `QueryCompiler.preview` does */
  optionalVariables(version: LookedAt, organizationId: string): Promise<readonly string[]>;
}

interface LookedAt {
  id: string;
  query: unknown;
}

interface Look {
  reason: string | null;
  optional: readonly string[];
}

const versionsMax = 10_000;
const notLookedAt = 'The query is large, and was not looked at yet: materialization_preview does.';

export function createMaterializability(compiler: Pick<QueryCompiler, 'preview'>): Materializability {
  const looks = createLeastRecentlyUsed<string, Look>(versionsMax);

  async function look(query: CheckedQuery, organizationId: string): Promise<Look> {
    // The names of the table and of its buckets do not matter.
    const previewed = { query, name: 'endpoint', version: 1, bucketOverrides: null };
    const { reason, optional_variables: optional } = await compiler.preview(previewed, organizationId);
    return { reason, optional };
  }

  async function lookOnce({ id, query }: LookedAt, organizationId: string): Promise<Look> {
    const known = looks.get(id);
    if (known !== undefined) return known;
    const made = await look(query as CheckedQuery, organizationId);
    looks.set(id, made);
    return made;
  }

  const of: Materializability['of'] = async (version, organizationId) =>
    (await lookOnce(version, organizationId)).reason;

  return {
    of,
    ofQuery: async (query, organizationId) => (await look(query, organizationId)).reason,
    optionalVariables: async (version, organizationId) => (await lookOnce(version, organizationId)).optional,
    // A list of large queries would wait long for the thread that plans them.
    shown: async (version, organizationId) =>
      looks.get(version.id) === undefined && !isShort((version.query as CheckedQuery).query)
        ? notLookedAt
        : await of(version, organizationId),
  };
}
