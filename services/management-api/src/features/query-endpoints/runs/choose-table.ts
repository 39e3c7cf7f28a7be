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

/**
 * The table that answers a run; undefined: its query does (contract/endpoints 0.8). A table answers while it is fresh, was made of
 * what the query is made of now, and holds for these values what the query returns.
 */
export function chooseTable(tables: PreparedTables, run: Chosen): ReadTable | undefined {
  const table = run.version.materialization?.table ?? null;
  if (table === null || run.request.refresh === 'direct' || isOfBefore(table, run)) return undefined;
  const prepared = tables.of(run.version, table);
  return prepared.serves(run.values) ? { table, prepared } : undefined;
}

/** Should the version be built now, since its table does not answer any more? */
export function wantsBuild(run: Omit<Chosen, 'request' | 'values'>): boolean {
  const { materialization } = run.version;
  if (materialization === null) return false;
  const { table, isHibernated } = materialization;
  return isHibernated || (table !== null && isOfBefore(table, run));
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
