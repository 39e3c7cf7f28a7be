import type { ReplySink } from '@millrace/http/replies/reply.ts';
import type { Context } from '../context.ts';
import type { ExecutableQuery } from '../../../queries/execute/execute-query.ts';
import { createFormulaGuard } from '../../../queries/stream/formula-guard.ts';
import { csvHeader, streamForm, type StreamFormat } from '../../../queries/stream/stream-format.ts';
import { withNames } from '../../../queries/schema/with-names.ts';
import { streamRows, type StreamedRows } from '../../../queries/stream/stream-rows.ts';
import { shownWarnings, warningHeaders } from '../../../queries/result/run-warnings.ts';
import { rowFacts, type RunFacts } from './run-result.ts';

/** A run whose rows are sent while they are read. */
export interface StreamedRun extends ExecutableQuery {
  format: StreamFormat;
  request: ExecutableQuery['request'] & { isRawCsv: boolean };
  isOfToken: boolean;
  facts: Pick<RunFacts, 'name' | 'endpoint_version'>;
  /** Age of the rows, in whole seconds; those of a table are as old as the table. */
  ageSeconds?: number;
  /** Called just before the reply begins: a later error cuts it. */
  onBegin?: () => void;
}

type Parts = Pick<Context, 'tenantEngine' | 'projectNames' | 'streamRowsMax' | 'clock'>;

const contentTypes: Readonly<Record<StreamFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
};

/**
 * Computes the rows and sends them to the sink, no faster than it takes them. Nothing is cached.
 * @throws {AppError} as `PreparedEndpointQuery.compile` and `TenantEngine.stream` do. An error after the first row leaves the reply open, so that
 * it is cut (docs/endpoints.md); one row above the maximum of a stream is such an error.
 */
export async function streamRun(
  { tenantEngine, projectNames, streamRowsMax, clock }: Parts,
  run: StreamedRun,
  sink: ReplySink,
): Promise<StreamedRows> {
  const { format, prepared, values, queryContext, request, teamId, organizationId, keyId, executionId, signal } = run;
  const { queryId = executionId } = run;
  const { limit, offset, isRawCsv } = request;
  const rowsMax = Math.min(limit ?? Infinity, streamRowsMax);
  const compiled = await withNames(projectNames, teamId, (known) =>
    prepared.compile(
      values,
      // The compiler adds one row to `rowsMax`. Without a limit, that row exceeds the maximum and makes the query fail.
      { limit: undefined, offset, rowsMax: limit === rowsMax ? limit - 1 : rowsMax },
      { ...queryContext, nowMs: clock.nowMs() },
      known,
    ),
  );
  const names = compiled.columns.map(({ name }) => name);
  const form = streamForm(format, names);
  const guard = format === 'csv' && !isRawCsv ? createFormulaGuard() : undefined;
  const { sql, params } = compiled;
  const query = { sql, params, teamId, organizationId, keyId, queryId, signal, form, rowsMax };
  const streamed = await tenantEngine.stream(query, async (bytes) => {
    run.onBegin?.();
    sink.begin(
      {
        ...streamHeaders(format, run.facts, run.ageSeconds),
        'x-execution-id': executionId,
        ...warningHeaders(shownWarnings(compiled.warnings, run.isOfToken)),
      },
      ['x-row-count', 'x-statistics'],
    );
    if (format === 'csv') await sink.write(Buffer.from(csvHeader(names, guard !== undefined)));
    return await streamRows(bytes, form, (rows) => sink.write(guard?.push(rows) ?? rows));
  });
  const { row_count, statistics } = rowFacts(streamed.rows, streamed.read);
  if (guard !== undefined) await sink.write(guard.rest());
  sink.end({ 'x-row-count': String(row_count), 'x-statistics': JSON.stringify(statistics) });
  return streamed;
}

/** Headers of a stream that are known before the query runs. Pure. */
export function streamHeaders(
  format: StreamFormat,
  { name, endpoint_version }: Pick<RunFacts, 'name' | 'endpoint_version'>,
  ageSeconds = 0,
): Record<string, string> {
  return {
    'content-type': contentTypes[format],
    ...(format === 'csv' && { 'content-disposition': `attachment; filename="${name}.csv"` }),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-endpoint-version': String(endpoint_version),
    'x-is-cached': 'false',
    'x-age-seconds': String(ageSeconds),
  };
}
