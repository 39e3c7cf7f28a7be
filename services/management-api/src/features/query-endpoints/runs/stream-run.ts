import type { ReplySink } from '@millrace/http/replies/reply.ts';
import type { Context } from '../context.ts';
import type { ExecutableQuery } from '../../../queries/execute/execute-query.ts';
import { createFormulaGuard } from '../../../queries/stream/formula-guard.ts';
import { csvHeader, streamForm, type StreamFormat } from '../../../queries/stream/stream-format.ts';
import { streamRows, type StreamedRows } from '../../../queries/stream/stream-rows.ts';
import { shownWarnings, warningHeaders } from '../../../queries/result/run-warnings.ts';
import { rowFacts, type RunFacts } from './run-result.ts';

/** A run whose rows go out while they are read. */
interface StreamedRun extends ExecutableQuery {
  format: StreamFormat;
  request: ExecutableQuery['request'] & { isRawCsv: boolean };
  isOfToken: boolean;
  facts: Omit<RunFacts, 'hasMore' | 'warnings' | 'row_count' | 'statistics'>;
}

type Parts = Pick<Context, 'tenantEngine' | 'streamRowsMax' | 'clock'>;

const contentTypes: Readonly<Record<StreamFormat, string>> = {
  json: 'application/json',
  objects: 'application/json',
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
};

/**
 * Sends the rows of now to the sink, as bytes, no faster than it takes them: nothing of them is kept. A row more than the most that
 * a stream may have, and whatever else goes wrong when some have left, makes it throw with the reply open (docs/endpoints.md).
 * @throws {AppError} as `PreparedEndpointQuery.compile` and `TenantEngine.stream` do
 */
export async function streamRun(
  { tenantEngine, streamRowsMax, clock }: Parts,
  run: StreamedRun,
  sink: ReplySink,
): Promise<StreamedRows> {
  const { format, prepared, values, queryContext, request, teamId, organizationId, keyId, executionId, signal, facts } =
    run;
  const isEnvelope = format === 'json' || format === 'objects';
  const rows = rowsOf(request.limit, isEnvelope, streamRowsMax);
  // The compiler adds one row to the most: here that is counted already.
  const compiled = await prepared.compile(
    values,
    { limit: undefined, offset: request.offset, rowsMax: rows.fetched - 1 },
    { ...queryContext, nowMs: clock.nowMs() },
  );
  const warnings = shownWarnings(compiled.warnings, run.isOfToken);
  const names = compiled.columns.map(({ name }) => name);
  const form = streamForm(format, names);
  const guard = format === 'csv' && !request.isRawCsv ? createFormulaGuard() : undefined;
  let types: string[] | undefined;
  const query = {
    sql: compiled.sql,
    params: compiled.params,
    teamId,
    organizationId,
    keyId,
    queryId: executionId,
    signal,
    form,
    rowsMax: rows.resultMax,
  };
  const streamed = await tenantEngine.stream(query, (bytes) =>
    streamRows(bytes, form, isEnvelope ? request.limit : undefined, {
      async begin(told) {
        types = told?.map(({ type }) => type);
        sink.begin(
          { ...streamHeaders(format, facts), 'x-execution-id': facts.execution_id, ...warningHeaders(warnings) },
          isEnvelope ? [] : ['x-row-count', 'x-statistics'],
        );
        if (isEnvelope) await sink.write(Buffer.from('{"results":['));
        if (format === 'csv') await sink.write(Buffer.from(csvHeader(names, guard !== undefined)));
      },
      write: (bytes) => sink.write(guard?.push(bytes) ?? bytes),
    }),
  );
  const { row_count, statistics } = rowFacts(streamed.rows, streamed.read);
  if (guard !== undefined) await sink.write(guard.rest());
  if (!isEnvelope) sink.end({ 'x-row-count': String(row_count), 'x-statistics': JSON.stringify(statistics) });
  else {
    const rest = {
      columns: names,
      ...(types && { types: types.map((type, index) => [names[index], type]) }),
      ...facts,
      hasMore: streamed.hasMore,
      warnings,
      row_count,
      statistics,
    };
    await sink.write(Buffer.from(`],${JSON.stringify(rest).slice(1)}`));
    sink.end();
  }
  return streamed;
}

/**
 * LIMIT, and the row count at which ClickHouse must fail. One extra row shows that the result is larger than the cap, or that
 * there is another page; it is taken off where that is possible.
 */
function rowsOf(
  limit: number | undefined,
  canTakeOff: boolean,
  streamRowsMax: number,
): { fetched: number; resultMax: number } {
  if (limit === undefined || limit > streamRowsMax) return { fetched: streamRowsMax + 1, resultMax: streamRowsMax };
  const fetched = canTakeOff ? limit + 1 : limit;
  return { fetched, resultMax: fetched };
}

/** The headers of a stream that are known before it runs. Pure. */
export function streamHeaders(
  format: StreamFormat,
  { name, endpoint_version }: Pick<RunFacts, 'name' | 'endpoint_version'>,
): Record<string, string> {
  return {
    'content-type': contentTypes[format],
    ...(format === 'csv' && { 'content-disposition': `attachment; filename="${name}.csv"` }),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-endpoint-version': String(endpoint_version),
  };
}
