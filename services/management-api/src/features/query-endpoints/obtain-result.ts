import { setImmediate as nextTurn } from 'node:timers/promises';
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
  if (run.request.refresh === 'force') {
    // The engine is asked first.
    const [result, key] = await Promise.all([computeResult(parts, run), nextTurn().then(() => keyOf(run))]);
    return { key, isCached: false, result: keep(parts, run, key, result) };
  }
  const key = keyOf(run);
  const kept = await parts.results.get(key);
  if (kept !== undefined && parts.clock.nowMs() < kept.atMs + run.version.dataFreshnessSeconds * 1000) return { key, isCached: true, result: kept };
  const compute = async (signal: AbortSignal): Promise<Computed> => keep(parts, run, key, await computeResult(parts, { ...run, signal }));
  return { key, isCached: false, result: await parts.computations.join(key, run.signal, compute) };
}

const keyOf = ({ version, values, request: { limit, offset }, surroundings }: GoodRun): string => cacheKey({ versionId: version.id, values, limit, offset, surroundings });

function keep({ results }: Pick<Parts, 'results'>, { version }: GoodRun, key: string, computed: Computed): Computed {
  const { result, hasMore, atMs } = computed;
  results.set(key, { result, hasMore, atMs }, version.dataFreshnessSeconds * 1000);
  return computed;
}
