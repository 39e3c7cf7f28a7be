import type { SavedQuery } from '../../../../queries/compile/check-query.ts';
import type { PreparedEndpointQuery } from '../../../../queries/compile/prepared-endpoint-query.ts';
import type { QueryCompiler } from '../../../../queries/compile/query-compiler.ts';
import type { KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import type { StoredVersion } from '../../endpoint.ts';
import { createPreparedCache } from './prepared-cache.ts';

export interface PreparedQueries {
  /** The version's query, ready to be compiled with values. The cache key is the version's id, because a version's query and types never change. */
  of(version: Pick<StoredVersion, 'id' | 'query' | 'propertyTypes'>, organizationId: string): PreparedEndpointQuery;
}

/** A parsed query takes up to 100 bytes for a character. */
const charsMax = 1_000_000;

/** A cache of the prepared queries of the last run versions. */
export function createPreparedQueries(compiler: Pick<QueryCompiler, 'prepare'>): PreparedQueries {
  const cache = createPreparedCache<PreparedEndpointQuery>(charsMax);
  return {
    of: ({ id, query, propertyTypes }, organizationId) =>
      cache.of(id, query as SavedQuery, (checked) =>
        compiler.prepare(checked, organizationId, propertyTypes as KeptTypes),
      ),
  };
}
