import { createLeastRecentlyUsed } from '../../least-recently-used.ts';
import { prepareEndpointQuery, type PreparedEndpointQuery } from '../../querying/compile-query.ts';
import type { GivenFilters } from '../../querying/filters.ts';
import type { StoredVersion } from './endpoint.ts';
import { readDeclarations } from '../../querying/variables.ts';

export interface PreparedQueries {
  /** The version's query, ready to be compiled with values; kept by version id, as a version's query never changes. */
  of(version: Pick<StoredVersion, 'id' | 'query'>): PreparedEndpointQuery;
}

/** Keeps the prepared queries of the `max` versions that were run last. */
export function createPreparedQueries(max: number): PreparedQueries {
  const kept = createLeastRecentlyUsed<string, PreparedEndpointQuery>(max);
  return {
    of({ id, query }) {
      const known = kept.get(id);
      if (known !== undefined) return known;
      const { query: sql, variables, values, filters } = query as { query: string; variables?: unknown; values?: Record<string, unknown>; filters?: GivenFilters };
      const prepared = prepareEndpointQuery(sql, readDeclarations(variables), values ?? {}, filters);
      kept.set(id, prepared);
      return prepared;
    },
  };
}
