import { createLeastRecentlyUsed } from '../../least-recently-used.ts';
import { prepareChecked, type CheckedQuery } from '../../querying/check-query.ts';
import type { PreparedEndpointQuery } from '../../querying/compile-query.ts';
import type { StoredVersion } from './endpoint.ts';

export interface PreparedQueries {
  /** The version's query, ready to be compiled with values; kept by version id, as a version's query never changes. */
  of(version: Pick<StoredVersion, 'id' | 'query'>): PreparedEndpointQuery;
}

const versionsMax = 1_000;

/** Keeps the prepared queries of the versions that were run last. */
export function createPreparedQueries(): PreparedQueries {
  const kept = createLeastRecentlyUsed<string, PreparedEndpointQuery>(versionsMax);
  return {
    of({ id, query }) {
      const known = kept.get(id);
      if (known !== undefined) return known;
      const prepared = prepareChecked(query as CheckedQuery);
      kept.set(id, prepared);
      return prepared;
    },
  };
}
