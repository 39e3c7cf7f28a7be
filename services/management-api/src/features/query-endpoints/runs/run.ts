import type { Request } from 'express';
import type { Static } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { preferredType } from '@millrace/http/requests/preferred-type.ts';
import { reply, stream, type BytesReply, type Reply, type StreamReply } from '@millrace/http/replies/reply.ts';
import type { Context } from '../context.ts';
import type { PreparedEndpointQuery } from '../../../queries/compile/compile-query.ts';
import { rowsReply } from '../../../queries/result/rows-reply.ts';
import { shownWarnings } from '../../../queries/result/run-warnings.ts';
import { queryNameOf } from '../../../queries/execute/running-queries.ts';
import type { StreamFormat } from '../../../queries/stream/stream-format.ts';
import { loadQueryContext, type QueryContext } from '../../../queries/compile/query-context.ts';
import { bindVariables, valueOfText, type VariableValue } from '../../../queries/definition/variables.ts';
import { boundByToken } from './bound-by-token.ts';
import { findRunnableVersion } from '../store/find-endpoint.ts';
import { namesTag } from '@millrace/runtime/http/names-tag.ts';
import { cacheHeaders } from './http-cache.ts';
import { recordRun } from './record-run.ts';
import { getOrComputeResult, type ServedResult } from './get-or-compute-result.ts';
import {
  readRunRequest,
  refuseUnknownParameters,
  type RunBody,
  type RunFormat,
  type RunQuery,
  type RunRequest,
} from './run-request.ts';
import { rowFacts, type RunAge, type RunFacts } from './run-result.ts';
import type { RunnableEndpoint, RunnableVersion } from '../store/runnable-endpoint.ts';
import { streamHeaders, streamRun } from './stream-run.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';

interface RunInput {
  request: Pick<Request, 'headers' | 'method'>;
  found: RunnableEndpoint;
  auth: ProjectAccess;
  context: Context;
  query: Static<typeof RunQuery>;
  rawQuery: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** A run whose rows are ready to send. */
interface FinishedRun {
  request: RunRequest;
  version: RunnableVersion;
  served: ServedResult;
  render: (headers: Readonly<Record<string, string>>) => BytesReply;
}

/** Runs one version of an endpoint. @throws {AppError} as in contract/endpoints 4.6 */
export async function run(input: RunInput, body: Static<typeof RunBody>): Promise<BytesReply | StreamReply> {
  const format = formatOf(input);
  if (isStreamed(format)) return await streamed(input, body, format);
  const finished = await finish(input, body, format);
  return finished.render({});
}

/** Runs one version with all parameters in the URL. Replies 304 when `If-None-Match` names the result. @throws {AppError} as `run` does */
export async function runByGet(input: RunInput): Promise<BytesReply | StreamReply | Reply<304, undefined>> {
  const format = formatOf(input);
  if (isStreamed(format))
    return await (input.request.method === 'HEAD' ? headOf(input, format) : streamed(input, undefined, format));
  const { served, render, ...finished } = await finish(input, undefined, format);
  const headers = cacheHeaders(served, finished, input.context.clock.nowMs());
  return namesTag(input.request.headers['if-none-match'], headers['etag'])
    ? reply(304, undefined, headers)
    : render(headers);
}

/** A run whose request passed all checks. */
interface CheckedRun {
  request: RunRequest & { asObjects: boolean };
  version: RunnableVersion;
  prepared: PreparedEndpointQuery;
  values: Record<string, VariableValue>;
  queryContext: QueryContext;
}

/** Checks and executes a run, and records its outcome, also a failure (contract/endpoints 7). */
async function finish(
  input: RunInput,
  body: Static<typeof RunBody> | undefined,
  format: 'json' | 'objects',
): Promise<FinishedRun> {
  const { found, auth, context, signal } = input;
  const recorder = recordRun(input);
  const good = await noted(check(input, body, format), (error) => recorder.refused(error));
  const { executionId } = recorder;
  const serving = context.runningQueries.run(queryNameOf(auth, good.request.clientQueryId), signal, (either) =>
    getOrComputeResult(context, {
      teamId: auth.project.id,
      organizationId: auth.project.organizationId,
      keyId: auth.caller.keyId,
      ...good,
      executionId,
      isOfToken: auth.runToken !== undefined,
      signal: either,
    }),
  );
  const served = await noted(serving, (error) => recorder.failed(good, error));
  recorder.succeeded(good, served);
  const { version, request } = good;
  context.executionTimes.record(found.endpoint.id, version.id, context.clock.nowMs());
  const facts = {
    ...factsOf(found, version, request, auth),
    execution_id: executionId,
    hasMore: served.result.hasMore,
    warnings: shownWarnings(served.result.warnings, auth.runToken !== undefined),
    ...freshnessFacts(served, version),
    ...rowFactsOf(served),
  };
  return {
    request,
    version,
    served,
    render: (headers) =>
      rowsReply(served.result.result, { ...facts, ...debugFacts(request, version, served) } satisfies RunFacts, {
        first: ageOf(served, context.clock.nowMs()),
        headers,
      }),
  };
}

/** The headers of a stream, for HEAD. The query does not run, so no run is recorded. */
async function headOf(input: RunInput, format: StreamFormat): Promise<StreamReply> {
  const { version } = await noted(check(input, undefined, format), (error) => recordRun(input).refused(error));
  const headers = streamHeaders(format, { name: input.found.endpoint.name, endpoint_version: version.version });
  return stream((sink) => {
    sink.begin(headers);
    sink.end();
    return Promise.resolve();
  });
}

/** A stream: rows are computed now and sent while they are read. The result cache is neither read nor written. */
async function streamed(
  input: RunInput,
  body: Static<typeof RunBody> | undefined,
  format: StreamFormat,
): Promise<StreamReply> {
  const { found, auth, context, signal } = input;
  const recorder = recordRun(input);
  const good = await noted(check(input, body, format), (error) => recorder.refused(error));
  const { executionId } = recorder;
  const { version, request } = good;
  const facts = { name: found.endpoint.name, endpoint_version: version.version };
  return stream(async (sink) => {
    const sent = context.runningQueries.run(queryNameOf(auth, request.clientQueryId), signal, (either) =>
      streamRun(
        context,
        {
          teamId: auth.project.id,
          organizationId: auth.project.organizationId,
          keyId: auth.caller.keyId,
          ...good,
          executionId,
          signal: either,
          format,
          isOfToken: auth.runToken !== undefined,
          facts,
        },
        sink,
      ),
    );
    recorder.streamed(good, await noted(sent, (error) => recorder.failed(good, error)));
    context.executionTimes.record(found.endpoint.id, version.id, context.clock.nowMs());
  });
}

/** The format of the parameter `format`; without it, the format that `Accept` prefers. */
function formatOf({ query: { format }, request }: RunInput): RunFormat {
  if (format !== undefined) return format as RunFormat;
  const type = preferredType(request.headers.accept, ['application/json', 'text/csv', 'application/x-ndjson']);
  if (type === 'text/csv') return 'csv';
  return type === 'application/x-ndjson' ? 'ndjson' : 'json';
}

const isStreamed = (format: RunFormat): format is StreamFormat => format === 'csv' || format === 'ndjson';

async function noted<Result>(work: Promise<Result>, onError: (error: unknown) => void): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    onError(error);
    throw error;
  }
}

/** Checks a request, in the order of contract/endpoints 4.2. */
async function check(
  { found, auth, context, query, rawQuery }: RunInput,
  body: Static<typeof RunBody> | undefined,
  format: RunFormat,
): Promise<CheckedRun> {
  const request = boundByToken(readRunRequest(body, query, rawQuery), auth.runToken, format);
  const version = await findRunnableVersion(context, found, request.version);
  if (!version.isActive)
    throw new AppError('invalid_input', {
      detail: `Version ${version.version} of this endpoint is inactive.`,
      logged: 'This version of the endpoint is inactive.',
    });
  refuseOptions(request);
  const prepared = context.preparedQueries.of(version, auth.project.organizationId);
  const pinned = auth.runToken?.variables ?? {};
  const open = prepared.variables.map(({ name }) => name).filter((name) => !Object.hasOwn(pinned, name));
  refuseUnknownParameters(request, open);
  const values = bindVariables(prepared.variables, givenVariables(request, prepared));
  return {
    request: { ...request, asObjects: format === 'objects' },
    version,
    prepared,
    values,
    queryContext: await loadQueryContext(context.prisma, auth.project, prepared),
  };
}

function refuseOptions({ hasFiltersOverride, refresh }: RunRequest): void {
  if (hasFiltersOverride) throw notForSql('filters_override', 'SQL endpoints take variables, not filters_override.');
  if (refresh === 'direct') throw notForSql('refresh', 'refresh "direct" is only for materialized endpoints.');
}

const notForSql = (attr: string, detail: string): AppError =>
  new AppError('invalid_input', { attr, detail, logged: detail });

function givenVariables(request: RunRequest, { variables }: PreparedEndpointQuery): Record<string, unknown> {
  const given: Record<string, unknown> = { ...request.variables };
  const types = new Map(variables.map(({ name, type }) => [name, type]));
  for (const [name, text] of Object.entries(request.textVariables)) {
    given[name] = valueOfText(types.get(name) ?? 'String', text);
  }
  return given;
}

function factsOf(
  found: RunnableEndpoint,
  version: RunnableVersion,
  request: RunRequest,
  { project, runToken }: ProjectAccess,
) {
  return {
    name: found.endpoint.name,
    endpoint_version: version.version,
    endpoint_version_created_at: version.createdAt.toISOString(),
    ...(request.limit === undefined ? {} : { limit: request.limit, offset: request.offset ?? 0 }),
    ...(request.clientQueryId === null ? {} : { client_query_id: request.clientQueryId }),
    query: runToken === undefined ? sqlOf(version) : null,
    timezone: project.timezone,
  };
}

function sqlOf({ query }: RunnableVersion): string {
  return (query as { query: string }).query;
}

/** A reply always holds the rows, so its fields about a running query are null. */
const nothingPending = { query_status: null, query_metadata: null, error: null };

/** Age of the rows. Rows that were computed for this run have age 0, however long the query took. */
function ageOf({ isCached, result: { atMs } }: ServedResult, nowMs: number): RunAge {
  return { is_cached: isCached, age_seconds: isCached ? Math.max(0, Math.floor((nowMs - atMs) / 1000)) : 0 };
}

function freshnessFacts({ result: { atMs } }: ServedResult, { dataFreshnessSeconds }: RunnableVersion) {
  const at = new Date(atMs).toISOString();
  return {
    last_refresh: at,
    cache_target_age: new Date(atMs + dataFreshnessSeconds * 1000).toISOString(),
    next_allowed_client_refresh: at,
    ...nothingPending,
  };
}

function rowFactsOf({ isCached, result }: ServedResult): ReturnType<typeof rowFacts> {
  return rowFacts(result.result.rowCount, !isCached && 'read' in result ? result.read : undefined);
}

function debugFacts({ debug }: RunRequest, version: RunnableVersion, { result, key }: ServedResult): Partial<RunFacts> {
  if (!debug) return {};
  const facts = { cache_key: key, hogql: sqlOf(version) };
  if (!('sql' in result)) return facts;
  const timings = Object.entries(result.took).map(([k, ms]) => ({ k, t: (ms / 1000).toFixed(6) }));
  return { ...facts, clickhouse: result.sql, timings };
}
