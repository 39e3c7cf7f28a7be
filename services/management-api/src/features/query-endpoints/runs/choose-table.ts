import type { VariableValue } from '../../../queries/definition/variables.ts';
import type { PreparedTable } from '../../../queries/compile/prepare-table.ts';
import type { QueryContext } from '../../../queries/compile/query-context.ts';
import { sourceFingerprint } from '../../../queries/compile/source-fingerprint.ts';
import type { RunnableTable, RunnableVersion } from '../store/runnable-endpoint.ts';
import type { PreparedTables } from './prepared/prepared-tables.ts';
import type { RunRequest } from './run-request.ts';

/** A table that answers a run. */
export interface ReadTable {
  table: RunnableTable;
  prepared: PreparedTable;
}

interface Chosen {
  version: RunnableVersion;
  organizationId: string;
  request: Pick<RunRequest, 'refresh' | 'filtersOverride'>;
  values: Readonly<Record<string, VariableValue>>;
  queryContext: QueryContext;
  nowMs: number;
}

/** The table that answers a run, if one does. */
export interface Choice {
  /** Undefined: the query does. */
  readTable: ReadTable | undefined;
  /** Should the version be built now, since its table does not answer any more? */
  wantsBuild: boolean;
}

const inline = (wantsBuild: boolean): Choice => ({ readTable: undefined, wantsBuild });

/**
 * Chooses between a version's table and its query (contract/endpoints 0.8). A table answers while it is fresh, was made of what the query is
 * made of now, and holds for these values what the query returns.
 */
export function chooseTable(tables: PreparedTables, run: Chosen): Choice {
  const { materialization } = run.version;
  const table = materialization?.table ?? null;
  if (table === null) return inline(materialization?.isHibernated ?? false);
  if (isStale(table, run)) return inline(true);
  const { refresh, filtersOverride } = run.request;
  if (refresh === 'direct' || filtersOverride !== null) return inline(false);
  const prepared = tables.of(run.version, table, run.organizationId);
  return prepared.serves(run.values) ? { readTable: { table, prepared }, wantsBuild: false } : inline(false);
}

/** Too old, or made of something else, such as days of the time zone that the project had. */
function isStale(
  { builtAtMs, plan }: RunnableTable,
  { version, queryContext, nowMs }: Pick<Chosen, 'version' | 'queryContext' | 'nowMs'>,
): boolean {
  return (
    nowMs >= builtAtMs + version.dataFreshnessSeconds * 1000 ||
    plan.fingerprint !== sourceFingerprint(version, queryContext)
  );
}
