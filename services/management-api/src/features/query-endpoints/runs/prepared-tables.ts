import type { KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import { createLeastRecentlyUsed } from '../../../least-recently-used.ts';
import type { CheckedQuery } from '../../../queries/compile/check-query.ts';
import type { PreparedTable } from '../../../queries/compile/prepare-table.ts';
import type { QueryCompiler } from '../../../queries/compile/query-compiler.ts';
import type { RunnableTable, RunnableVersion } from '../store/runnable-endpoint.ts';

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

const tablesMax = 1_000;
/** Characters of all cached plans together, as JSON. */
const charsMax = 4_000_000;

/** A cache of the prepared tables that were last read. */
export function createPreparedTables(compiler: Pick<QueryCompiler, 'prepareTable'>): PreparedTables {
  const entries = createLeastRecentlyUsed<string, { prepared: PreparedTable; chars: number }>(tablesMax, {
    weightMax: charsMax,
    weightOf: ({ chars }) => chars,
  });

  function prepare(...given: Parameters<QueryCompiler['prepareTable']>): PreparedTable {
    try {
      return compiler.prepareTable(...given);
    } catch (error) {
      return unreadable(error);
    }
  }

  return {
    of({ query, propertyTypes }, { name, plan }, organizationId) {
      const cached = entries.get(name);
      if (cached !== undefined) return cached.prepared;
      const source = { plan, view: name, query: query as CheckedQuery, kept: propertyTypes as KeptTypes };
      const prepared = prepare(source, organizationId);
      entries.set(name, { prepared, chars: JSON.stringify(plan).length });
      return prepared;
    },
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
