import { AppError } from '@millrace/http/errors/errors.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { VariableValue } from '../../../queries/definition/variables.ts';
import type { PreparedTable } from '../../../queries/compile/prepare-table.ts';
import type { QueryContext } from '../../../queries/compile/query-context.ts';
import { tableFingerprint } from '../../../queries/compile/table-fingerprint.ts';
import type { RunnableTable, RunnableVersion } from '../store/runnable-endpoint.ts';
import type { PreparedTables } from './prepared-tables.ts';
import type { RunRequest } from './run-request.ts';

/** A table that answers a run. */
export interface ReadTable {
  table: RunnableTable;
  prepared: PreparedTable;
}

/** Errors that the query would meet too, at a higher price. */
const ofLoad: ReadonlySet<string> = new Set(['throttled', 'query_capacity', 'query_cancelled']);

/** Logs that the query of a run goes on without its table. @throws the error itself where the query would meet it too */
export function leaveTable(
  error: unknown,
  { table }: ReadTable,
  { signal, logger }: { signal: AbortSignal; logger: Pick<Logger, 'warn'> },
): void {
  if (signal.aborted || (error instanceof AppError && ofLoad.has(error.code))) throw error;
  logger.warn({ err: error, table: table.name }, 'a materialized table could not be read: the query ran');
}

interface Chosen {
  version: RunnableVersion;
  request: Pick<RunRequest, 'refresh'>;
  values: Readonly<Record<string, VariableValue>>;
  queryContext: QueryContext;
  nowMs: number;
}

/** What answers a run. */
export interface Choice {
  /** Undefined: the query does. */
  readTable: ReadTable | undefined;
  /** Should the version be built now, since its table does not answer any more? */
  wantsBuild: boolean;
  /** Why the plan of the table cannot be read. */
  unreadable?: unknown;
}

const inline = (wantsBuild: boolean): Choice => ({ readTable: undefined, wantsBuild });

/**
 * Chooses between a version's table and its query (contract/endpoints 0.8). A table answers while it is fresh, was made of what the query is
 * made of now, and holds for these values what the query returns. One whose plan cannot be read fails no run.
 */
export function chooseTable(tables: PreparedTables, run: Chosen): Choice {
  const { materialization } = run.version;
  const table = materialization?.table ?? null;
  if (table === null) return inline(materialization?.isHibernated ?? false);
  if (isOfBefore(table, run)) return inline(true);
  if (run.request.refresh === 'direct') return inline(false);
  try {
    const prepared = tables.of(run.version, table);
    return prepared.serves(run.values) ? { readTable: { table, prepared }, wantsBuild: false } : inline(false);
  } catch (unreadable) {
    return { ...inline(true), unreadable };
  }
}

/** Too old, or made of something else, such as days of the time zone that the project had. */
function isOfBefore(
  { builtAtMs, plan }: RunnableTable,
  { version, queryContext, nowMs }: Pick<Chosen, 'version' | 'queryContext' | 'nowMs'>,
): boolean {
  return (
    nowMs >= builtAtMs + version.dataFreshnessSeconds * 1000 ||
    plan.fingerprint !== tableFingerprint(version, queryContext)
  );
}
