import { createLeastRecentlyUsed } from '../../../least-recently-used.ts';
import type { CheckedQuery } from '../../../queries/compile/check-query.ts';
import type { PreparedEndpointQuery } from '../../../queries/compile/compile-query.ts';
import type { QueryCompiler } from '../../../queries/compile/query-compiler.ts';
import type { StoredVersion } from '../endpoint.ts';

export interface PreparedQueries {
  /** The version's query, ready to be compiled with values; kept by version id, as a version's query never changes. */
  of(version: Pick<StoredVersion, 'id' | 'query'>, organizationId: string): PreparedEndpointQuery;
}

const versionsMax = 1_000;
/** Characters of all of them together, as JSON: a parsed query takes up to 100 bytes for a character. */
const charsMax = 1_000_000;

interface Kept {
  prepared: PreparedEndpointQuery;
  chars: number;
}

/** Keeps the prepared queries of the versions that were run last. */
export function createPreparedQueries(compiler: Pick<QueryCompiler, 'prepare'>): PreparedQueries {
  const kept = createLeastRecentlyUsed<string, Kept>(versionsMax, {
    weightMax: charsMax,
    weightOf: ({ chars }) => chars,
  });
  return {
    of({ id, query }, organizationId) {
      const known = kept.get(id);
      if (known !== undefined) return known.prepared;
      const checked = query as CheckedQuery;
      const prepared = compiler.prepare(checked, organizationId);
      kept.set(id, { prepared, chars: JSON.stringify(checked).length });
      return prepared;
    },
  };
}
