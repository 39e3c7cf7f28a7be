import type { Context } from '../../context.ts';
import { computeResult, type Computation, type Computed } from '../../querying/compute-result.ts';
import { cacheKey } from './cache-key.ts';
import type { StoredResult } from './result-cache.ts';
import type { RunRequest } from './run-request.ts';
import type { RunnableVersion } from './runnable-endpoint.ts';

/** A run whose request is found good. */
export interface GoodRun extends Computation {
  version: RunnableVersion;
  request: Pick<RunRequest, 'limit' | 'offset' | 'refresh'>;
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
  const key = cacheKey({ versionId: run.version.id, values: run.values, limit: run.request.limit, offset: run.request.offset, surroundings: run.surroundings });
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
