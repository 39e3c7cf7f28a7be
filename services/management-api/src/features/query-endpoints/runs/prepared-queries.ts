import { createLeastRecentlyUsed } from '../../../least-recently-used.ts';
import type { CheckedQuery } from '../../../queries/compile/check-query.ts';
import type { PreparedEndpointQuery } from '../../../queries/compile/prepared-endpoint-query.ts';
import type { QueryCompiler } from '../../../queries/compile/query-compiler.ts';
import type { KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import type { StoredVersion } from '../endpoint.ts';

export interface PreparedQueries {
  /** The version's query, ready to be compiled with values. The cache key is the version's id, because a version's query and types never change. */
  of(version: Pick<StoredVersion, 'id' | 'query' | 'propertyTypes'>, organizationId: string): PreparedEndpointQuery;
}

const versionsMax = 1_000;
/** Characters of all cached queries together, as JSON. A parsed query takes up to 100 bytes for a character. */
const charsMax = 1_000_000;

interface Entry {
  prepared: PreparedEndpointQuery;
  chars: number;
}

/** A cache of the prepared queries of the last run versions. */
export function createPreparedQueries(compiler: Pick<QueryCompiler, 'prepare'>): PreparedQueries {
  const entries = createLeastRecentlyUsed<string, Entry>(versionsMax, {
    weightMax: charsMax,
    weightOf: ({ chars }) => chars,
  });
  return {
    of({ id, query, propertyTypes }, organizationId) {
      const cached = entries.get(id);
      if (cached !== undefined) return cached.prepared;
      const checked = query as CheckedQuery;
      const prepared = compiler.prepare(checked, organizationId, propertyTypes as KeptTypes);
      entries.set(id, { prepared, chars: JSON.stringify(checked).length });
      return prepared;
    },
  };
}
