import type { Context } from '../../context.ts';
import { cacheKey } from './cache-key.ts';
import type { PreparedEndpointQuery } from './compile-query.ts';
import { splitResult, withoutLastRow } from './result-bytes.ts';
import type { StoredResult } from './result-cache.ts';
import type { RunRequest } from './run-request.ts';
import type { RunnableVersion } from './runnable-endpoint.ts';
import type { VariableValue } from './variables.ts';

/** A run whose request is found good. */
export interface GoodRun {
  teamId: number;
  version: RunnableVersion;
  prepared: PreparedEndpointQuery;
  values: Readonly<Record<string, VariableValue>>;
  request: Pick<RunRequest, 'limit' | 'offset' | 'refresh'>;
  executionId: string;
  signal: AbortSignal;
}

/** What the engine was asked, and what that took. */
export interface Computed extends StoredResult {
  sql: string;
  /** Most rows that it may have. */
  rowLimit: number;
  /** Milliseconds. */
  took: { compile: number; engine: number };
}

export interface Obtained {
  result: StoredResult | Computed;
  isCached: boolean;
  /** Names the result in caches. */
  key: string;
}

type Parts = Pick<Context, 'results' | 'computations' | 'tenantEngine' | 'resultRowsMax' | 'clock'>;

/**
 * The rows of a run: those that are kept while they are younger than the version's freshness, else those of now. Runs that
 * ask the same at a time are computed once; `force` is always computed for itself (contract/endpoints 4.7).
 * @throws {AppError} as `PreparedEndpointQuery.compile` and `TenantEngine.run` do
 */
export async function obtainResult(parts: Parts, run: GoodRun): Promise<Obtained> {
  const key = cacheKey({ versionId: run.version.id, values: run.values, limit: run.request.limit, offset: run.request.offset });
  if (run.request.refresh === 'force') return { key, isCached: false, result: await compute(parts, run, key, run.signal) };
  const kept = await parts.results.get(key);
  if (kept !== undefined && parts.clock.nowMs() < kept.atMs + run.version.dataFreshnessSeconds * 1000) return { key, isCached: true, result: kept };
  return { key, isCached: false, result: await parts.computations.join(key, run.signal, (signal) => compute(parts, run, key, signal)) };
}

async function compute(parts: Parts, run: GoodRun, key: string, signal: AbortSignal): Promise<Computed> {
  const computed = await computeResult(parts, { ...run, signal });
  const { result, hasMore, atMs } = computed;
  parts.results.set(key, { result, hasMore, atMs }, run.version.dataFreshnessSeconds * 1000);
  return computed;
}

/** The rows of now. @throws {AppError} as `PreparedEndpointQuery.compile` and `TenantEngine.run` do */
export async function computeResult(
  { tenantEngine, resultRowsMax, clock }: Pick<Parts, 'tenantEngine' | 'resultRowsMax' | 'clock'>,
  { prepared, values, request: { limit, offset }, teamId, executionId, signal }: Omit<GoodRun, 'version' | 'request'> & { request: Pick<RunRequest, 'limit' | 'offset'> },
): Promise<Computed> {
  const begun = performance.now();
  const compiled = prepared.compile(values, { limit, offset, rowsMax: resultRowsMax });
  const compiledAt = performance.now();
  const atMs = clock.nowMs();
  const answer = splitResult(await tenantEngine.run({ sql: compiled.sql, params: compiled.params, teamId, queryId: executionId, signal }));
  const hasMore = compiled.extraRowMeansMore && answer.rowCount > compiled.rowLimit;
  if (hasMore && answer.rowCount !== compiled.rowLimit + 1) throw new Error('the engine sent more than one row too many');
  const took = { compile: compiledAt - begun, engine: performance.now() - compiledAt };
  return { result: hasMore ? withoutLastRow(answer) : answer, hasMore, atMs, sql: compiled.sql, rowLimit: compiled.rowLimit, took };
}
