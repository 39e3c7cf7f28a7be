import { AppError } from '@millrace/http/errors/errors.ts';
import type { BrokenTables } from '../materialization/broken-tables.ts';
import type { RunnableVersion } from '../store/runnable-endpoint.ts';
import type { ReadTable } from './choose-table.ts';

/** Errors that the query would meet too, at a higher price. */
const ofLoad: ReadonlySet<string> = new Set(['throttled', 'query_capacity', 'query_cancelled']);

/** Reports a table that could not be read, so that the run goes on with its query. @throws the error itself where the query would meet it too */
export function fallBack(
  error: unknown,
  { readTable, version, signal }: { readTable: ReadTable; version: RunnableVersion; signal: AbortSignal },
  brokenTables: BrokenTables,
): void {
  if (signal.aborted || (error instanceof AppError && ofLoad.has(error.code))) throw error;
  brokenTables.report(error, version, readTable.table.name);
}

/** ClickHouse may still know the id of the first query of a run when the second one comes. */
export const tableQueryId = (executionId: string): string => `${executionId}-table`;
