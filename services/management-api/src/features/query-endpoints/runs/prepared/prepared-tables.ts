import type { KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import type { CheckedQuery } from '../../../../queries/compile/check-query.ts';
import type { PreparedTable } from '../../../../queries/compile/prepare-table.ts';
import type { QueryCompiler } from '../../../../queries/compile/query-compiler.ts';
import type { RunnableTable, RunnableVersion } from '../../store/runnable-endpoint.ts';
import { createPreparedCache } from './prepared-cache.ts';

export interface PreparedTables {
  /**
   * The table, ready to be read. The cache key is its name: another build has another one. A table whose plan this release cannot read throws when
   * it is compiled, as one does that is gone.
   */
  of(
    version: Pick<RunnableVersion, 'query' | 'propertyTypes'>,
    table: RunnableTable,
    organizationId: string,
  ): PreparedTable;
}

const charsMax = 4_000_000;

/** A cache of the prepared tables that were last read. */
export function createPreparedTables(compiler: Pick<QueryCompiler, 'prepareTable'>): PreparedTables {
  const cache = createPreparedCache<PreparedTable>(charsMax);

  function prepare(...given: Parameters<QueryCompiler['prepareTable']>): PreparedTable {
    try {
      return compiler.prepareTable(...given);
    } catch (error) {
      return unreadable(error);
    }
  }

  return {
    of: ({ query, propertyTypes }, { name, plan: stored }, organizationId) =>
      cache.of(name, stored, (plan) =>
        prepare({ plan, view: name, query: query as CheckedQuery, kept: propertyTypes as KeptTypes }, organizationId),
      ),
  };
}

const unreadable = (cause: unknown): PreparedTable => ({
  variables: [],
  wantsTestAccounts: false,
  emptyMeansInline: false,
  serves: () => true,
  compile() {
    throw new Error('the plan of a table cannot be read', { cause });
  },
});
