import type { Static } from 'typebox';
import { AppError } from '@millrace/http/errors.ts';
import type { BytesReply } from '@millrace/http/reply.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import type { ProjectAccess } from '../../auth/access.ts';
import type { Context } from '../../context.ts';
import type { PreparedEndpointQuery } from './compile-query.ts';
import { findVersion } from './find-endpoint.ts';
import { splitResult, withoutLastRow, type EngineResult } from './result-bytes.ts';
import type { RunnableEndpoint, RunnableVersion } from './runnable-endpoint.ts';
import { renderRun, type RunFacts } from './run-result.ts';
import { readRunRequest, type RunBody, type RunQuery, type RunRequest } from './run-request.ts';
import { bindVariables, valueOfText } from './variables.ts';

interface RunInput {
  found: RunnableEndpoint;
  auth: ProjectAccess;
  context: Context;
  query: Static<typeof RunQuery>;
  rawQuery: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** Runs one version of an endpoint, in the order of checks of contract/endpoints 4.2. @throws {AppError} as in 4.6 */
export async function run(input: RunInput, body: Static<typeof RunBody> | undefined): Promise<BytesReply> {
  const { found, auth, context, signal } = input;
  const request = readRunRequest(body, input.query, input.rawQuery);
  const version = await findVersion(context, found, request.version);
  if (!version.isActive) throw new AppError('invalid_input', { detail: `Version ${version.version} of this endpoint is inactive.` });
  refuseOptions(request);
  const prepared = context.preparedQueries.of(version);
  const values = bindVariables(prepared.variables, givenVariables(request, prepared));
  const executionId = uuidV7(context.clock.nowMs());
  const begun = performance.now();
  const compiled = prepared.compile(values, { limit: request.limit, offset: request.offset, rowsMax: context.resultRowsMax });
  const compiledAt = performance.now();
  const answer = splitResult(await context.tenantEngine.run({ sql: compiled.sql, params: compiled.params, teamId: auth.project.id, queryId: executionId, signal }));
  const seconds = { compile: compiledAt - begun, engine: performance.now() - compiledAt };
  context.executionTimes.record(found.endpoint.id, version.id, context.clock.nowMs());
  const hasMore = compiled.extraRowMeansMore && answer.rowCount > compiled.rowLimit;
  const facts = { ...factsOf(found, version, request, auth), execution_id: executionId, hasMore, ...lastRefresh(context) };
  return renderRun(hasMore ? cut(answer, compiled.rowLimit) : answer, { ...facts, ...debugFacts(request, compiled.sql, seconds) });
}

function refuseOptions({ hasFiltersOverride, refresh }: RunRequest): void {
  if (hasFiltersOverride) throw new AppError('invalid_input', { attr: 'filters_override', detail: 'SQL endpoints take variables, not filters_override.' });
  if (refresh === 'direct') throw new AppError('invalid_input', { attr: 'refresh', detail: 'refresh "direct" is only for materialized endpoints.' });
}

function givenVariables(request: RunRequest, { variables }: PreparedEndpointQuery): Record<string, unknown> {
  const given: Record<string, unknown> = { ...request.variables };
  for (const [name, text] of Object.entries(request.textVariables)) {
    given[name] = valueOfText(variables.find((variable) => variable.name === name)?.type ?? 'String', text);
  }
  return given;
}

function cut(answer: EngineResult, rowLimit: number): EngineResult {
  if (answer.rowCount !== rowLimit + 1) throw new Error('the engine sent more than one row too many');
  return withoutLastRow(answer);
}

function factsOf(found: RunnableEndpoint, version: RunnableVersion, request: RunRequest, { project }: ProjectAccess) {
  return {
    name: found.endpoint.name,
    endpoint_version: version.version,
    endpoint_version_created_at: version.createdAt.toISOString(),
    ...(request.limit === undefined ? {} : { limit: request.limit, offset: request.offset ?? 0 }),
    ...(request.clientQueryId === null ? {} : { client_query_id: request.clientQueryId }),
    query: (version.query as { query: string }).query,
    timezone: project.timezone,
  };
}

function lastRefresh(context: Context) {
  return {
    is_cached: false,
    last_refresh: new Date(context.clock.nowMs()).toISOString(),
    cache_target_age: null,
    next_allowed_client_refresh: null,
    query_status: null,
    query_metadata: null,
    error: null,
  };
}

function debugFacts({ debug }: RunRequest, sql: string, milliseconds: { compile: number; engine: number }): Partial<RunFacts> {
  if (!debug) return {};
  return { clickhouse: sql, timings: Object.entries(milliseconds).map(([k, ms]) => ({ k, t: (ms / 1000).toFixed(6) })) };
}

