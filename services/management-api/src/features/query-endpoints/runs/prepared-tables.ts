import type { KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import { createLeastRecentlyUsed } from '../../../least-recently-used.ts';
import type { CheckedQuery } from '../../../queries/compile/check-query.ts';
import { prepareTable, type PreparedTable } from '../../../queries/compile/prepare-table.ts';
import { readDeclarations } from '../../../queries/definition/variables.ts';
import type { RunnableTable, RunnableVersion } from '../store/runnable-endpoint.ts';

export interface PreparedTables {
  /** The table, ready to be read. The cache key is its name: another build has another one. @throws {Error} for a plan that cannot be read */
  of(version: Pick<RunnableVersion, 'query' | 'propertyTypes'>, table: RunnableTable): PreparedTable;
}

const tablesMax = 1_000;
/** Characters of all cached plans together, as JSON. */
const charsMax = 4_000_000;

/** A cache of the prepared tables that were last read. */
export function createPreparedTables(): PreparedTables {
  const entries = createLeastRecentlyUsed<string, { prepared: PreparedTable; chars: number }>(tablesMax, {
    weightMax: charsMax,
    weightOf: ({ chars }) => chars,
  });
  return {
    of({ query: stored, propertyTypes }, { name, plan }) {
      const cached = entries.get(name);
      if (cached !== undefined) return cached.prepared;
      const query = stored as CheckedQuery;
      const declared = readDeclarations(query.variables);
      const prepared = prepareTable(plan, name, { declared, query, kept: propertyTypes as KeptTypes });
      entries.set(name, { prepared, chars: JSON.stringify(plan).length });
      return prepared;
    },
  };
}
