import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@millrace/http/errors.ts';
import type { Context } from '../context.ts';
import { computeResult, type Computation, type Computed } from '../../../queries/execute/compute-result.ts';
import { rowsBetween } from '../../../queries/result/result-bytes.ts';
import { cacheKey } from './cache-key.ts';
import type { StoredResult } from '../../../queries/cache/result-cache.ts';
import type { RunRequest } from './run-request.ts';
import type { RunnableVersion } from './runnable-endpoint.ts';

/** A run whose request is found good. */
export interface GoodRun extends Computation {
  version: RunnableVersion;
  request: Pick<RunRequest, 'limit' | 'offset' | 'refresh'>;
  /** With a run token: its pages are cut out of few results, so that its holder cannot make ClickHouse work for each. */
  isOfToken?: boolean;
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
 * A page of a run token is cut out of the first 100, 1,000, 10,000 or all rows, and these are kept.
 * @throws {AppError} as `PreparedEndpointQuery.compile` and `TenantEngine.run` do; 400 for a page of a run token behind all rows of one reply
 */
export async function obtainResult(parts: Parts, run: GoodRun): Promise<Obtained> {
  if (run.isOfToken === true && run.request.limit !== undefined) return await obtainPage(parts, run, run.request.limit);
  if (run.request.refresh === 'force') {
    // The engine is asked first.
    const [result, key] = await Promise.all([computeResult(parts, run), nextTurn().then(() => keyOf(run))]);
    return { key, isCached: false, result: keep(parts, run, key, result) };
  }
  const key = keyOf(run);
  const kept = await parts.results.get(key);
  if (kept !== undefined && parts.clock.nowMs() < kept.atMs + run.version.dataFreshnessSeconds * 1000) return { key, isCached: true, result: kept };
  const compute = async (signal: AbortSignal): Promise<Computed> => keep(parts, run, key, await computeResult(parts, { ...run, signal }));
  return { key, isCached: false, result: await parts.computations.run(key, run.signal, compute) };
}

/** So many first rows are computed for the pages of tokens that lie in them; of larger pages, all that a reply may have. */
const rowsForPages = [100, 1_000, 10_000];

async function obtainPage(parts: Parts, run: GoodRun, limit: number): Promise<Obtained> {
  const { offset = 0 } = run.request;
  const { resultRowsMax } = parts;
  if (offset >= resultRowsMax) throw new AppError('invalid_input', { attr: 'offset', detail: `With a token pages lie within the first ${resultRowsMax} rows.` });
  const end = Math.min(offset + limit, resultRowsMax);
  const rows = rowsForPages.find((rows) => end <= rows && rows < resultRowsMax);
  const obtained = await obtainResult(parts, { ...run, isOfToken: false, request: { ...run.request, limit: rows, offset: undefined } });
  const { result, hasMore } = obtained.result;
  const page = { ...obtained.result, result: rowsBetween(result, offset, end), hasMore: hasMore || result.rowCount > end };
  return { ...obtained, key: keyOf(run), result: page };
}

const keyOf = ({ version, values, request: { limit, offset }, surroundings }: GoodRun): string => cacheKey({ versionId: version.id, values, limit, offset, surroundings });

function keep({ results }: Pick<Parts, 'results'>, { version }: GoodRun, key: string, computed: Computed): Computed {
  const { result, hasMore, atMs } = computed;
  results.set(key, { result, hasMore, atMs }, version.dataFreshnessSeconds * 1000);
  return computed;
}
