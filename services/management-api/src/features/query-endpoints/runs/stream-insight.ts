import type { ReplySink } from '@millrace/http/replies/reply.ts';
import type { Context } from '../context.ts';
import { executeQuery } from '../../../queries/execute/execute-query.ts';
import { withoutFormula } from '../../../queries/stream/formula-guard.ts';
import { csvHeader } from '../../../queries/stream/stream-format.ts';
import type { StreamedRows } from '../../../queries/stream/stream-rows.ts';
import { shownWarnings, warningHeaders } from '../../../queries/result/run-warnings.ts';
import { rowFacts } from './run-result.ts';
import { streamHeaders, type StreamedRun } from './stream-run.ts';

type Parts = Pick<Context, 'tenantEngine' | 'projectNames' | 'resultRowsMax' | 'clock'>;

/**
 * Sends the rows of an insight that is a table as lines. It has at most 1,000 of them, each shaped of several columns of ClickHouse, so they are
 * computed first. @throws {AppError} as `executeQuery` does
 */
export async function streamInsight(parts: Parts, run: StreamedRun, sink: ReplySink): Promise<StreamedRows> {
  const { format, request, facts, executionId, isOfToken } = run;
  const whole = { ...run, request: { limit: undefined, offset: undefined } };
  const { result, warnings, read } = await executeQuery(parts, whole);
  const columns = (result.columns ?? []).map(({ name }) => name);
  const rows = JSON.parse(`[${Buffer.from(result.rows).toString()}]`) as unknown[][];
  const isSafe = !request.isRawCsv;
  const lines =
    format === 'csv'
      ? [csvHeader(columns, isSafe), ...rows.map((row) => `${row.map((cell) => csvCell(cell, isSafe)).join(',')}\n`)]
      : rows.map((row) => `${JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, row[at]])))}\n`);
  run.onBegin?.();
  sink.begin(
    {
      ...streamHeaders(format, facts),
      'x-execution-id': executionId,
      ...warningHeaders(shownWarnings(warnings, isOfToken)),
    },
    ['x-row-count', 'x-statistics'],
  );
  await sink.write(Buffer.from(lines.join('')));
  const { row_count, statistics } = rowFacts(rows.length, read);
  sink.end({ 'x-row-count': String(row_count), 'x-statistics': JSON.stringify(statistics) });
  return { rows: rows.length, read };
}

/** Null is nothing, and a list its JSON. */
function csvCell(cell: unknown, isSafe: boolean): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell);
  return `"${(isSafe ? withoutFormula(text) : text).replaceAll('"', '""')}"`;
}
