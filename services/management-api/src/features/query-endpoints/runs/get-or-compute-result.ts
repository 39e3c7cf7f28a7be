import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { Context } from '../context.ts';
import { executeQuery, type ExecutableQuery, type ExecutedQuery } from '../../../queries/execute/execute-query.ts';
import { rowsBetween } from '../../../queries/result/result-bytes.ts';
import { cacheKey } from './cache-key.ts';
import type { ReadTable } from './choose-table.ts';
import { fallBack, tableQueryId } from './fall-back.ts';
import type { RunPath } from '../../../queries/log/run-record.ts';
import type { OwnWait } from '../../../queries/limits/concurrency-limiter.ts';
import type { StoredResult } from '../../../queries/cache/result-cache.ts';
import type { RunRequest } from './run-request.ts';
import type { RunnableVersion } from '../store/runnable-endpoint.ts';

/** A run whose request passed all checks. */
export interface GoodRun extends ExecutableQuery {
  version: RunnableVersion;
  request: ExecutableQuery['request'] & Pick<RunRequest, 'refresh'>;
  /** The caller has a run token. Its pages are cut out of a few results, so that a page in a browser cannot cause a query for each. */
  isOfToken?: boolean;
  /** The table that answers it; undefined: its query does. */
  readTable: ReadTable | undefined;
  /** Called before each attempt to get the rows, with its path. */
  onPath: (path: RunPath) => void;
}

/** A result, and whether it is from the cache. */
export interface ServedResult {
  result: StoredResult | ExecutedQuery;
  isCached: boolean;
  /** Names the result in caches. */
  key: string;
  path: RunPath;
}

type Parts = Pick<
  Context,
  'results' | 'computations' | 'tenantEngine' | 'projectNames' | 'resultRowsMax' | 'clock' | 'brokenTables'
>;

/**
 * The rows of a run: from the cache while they are younger than the version's freshness, else computed now. Concurrent runs
 * of the same query are computed once; a `force` run is always computed alone (contract/endpoints 4.7).
 * A page of a run token is cut out of the first 100, 1,000, 10,000 or all rows, and these rows are cached.
 * A table that cannot be read is no failure: the query runs.
 * @throws {AppError} as `PreparedEndpointQuery.compile` and `TenantEngine.run` do
 * @throws {AppError} 400 when a page of a run token begins after the last row that a reply may have
 */
export async function getOrComputeResult(parts: Parts, run: GoodRun): Promise<ServedResult> {
  if (run.isOfToken === true && run.request.limit !== undefined)
    return await getOrComputePage(parts, run, run.request.limit);
  const { readTable, version, signal } = run;
  if (readTable === undefined) return await ofQuery(parts, run, 'inline');
  let empty: Omit<ServedResult, 'path'>;
  try {
    run.onPath('materialized');
    const served = await getOrCompute(parts, run);
    if (served.result.result.rowCount > 0 || !readTable.prepared.emptyMeansInline)
      return { ...served, path: 'materialized' };
    empty = served;
  } catch (error) {
    fallBack(error, { readTable, version, signal }, parts.brokenTables);
    return await ofQuery(parts, run, 'materialized_fallback');
  }
  return afterEmpty(empty, await ofQuery(parts, run, 'inline'));
}

async function ofQuery(parts: Parts, run: GoodRun, path: RunPath): Promise<ServedResult> {
  run.onPath(path);
  return { ...(await getOrCompute(parts, { ...run, readTable: undefined })), path };
}

/** A run that asked the table first has read its rows too. */
function afterEmpty({ result: first, isCached }: Omit<ServedResult, 'path'>, served: ServedResult): ServedResult {
  const { result } = served;
  if (isCached || !('read' in first) || !('read' in result)) return served;
  const read = {
    seconds: first.read.seconds + result.read.seconds,
    rows: first.read.rows + result.read.rows,
    bytes: first.read.bytes + result.read.bytes,
  };
  return { ...served, result: { ...result, read } };
}

async function getOrCompute(parts: Parts, run: GoodRun): Promise<Omit<ServedResult, 'path'>> {
  if (run.request.refresh !== 'cache') {
    // The query is sent before the key is computed.
    const [result, key] = await Promise.all([
      execute(parts, run),
      nextTurn().then(() => keyOf(run, parts.clock.nowMs())),
    ]);
    return { key, isCached: false, result: store(parts, run, key, result) };
  }
  const key = keyOf(run, parts.clock.nowMs());
  const cached = await parts.results.get(key);
  if (cached !== undefined && isUsable(cached, run.version, parts.clock.nowMs()))
    return { key, isCached: true, result: cached };
  const compute = async (signal: AbortSignal, wait: OwnWait): Promise<ExecutedQuery> =>
    store(parts, run, key, await execute(parts, { ...run, signal, wait }));
  const caller = { name: run.keyId, signal: run.signal };
  return { key, isCached: false, result: await parts.computations.run(key, caller, compute) };
}

/** A result of before the present table would show older rows than the runs beside it, which read the table (contract/endpoints 4.7). */
function isUsable(
  { atMs }: StoredResult,
  { dataFreshnessSeconds, materialization }: RunnableVersion,
  nowMs: number,
): boolean {
  return nowMs < atMs + dataFreshnessSeconds * 1000 && atMs >= (materialization?.table?.builtAtMs ?? 0);
}

/** Rows of a table are as old as the table. */
async function execute(parts: Parts, run: GoodRun): Promise<ExecutedQuery> {
  const { readTable } = run;
  if (readTable === undefined) return await executeQuery(parts, run);
  const executed = await executeQuery(parts, {
    ...run,
    prepared: readTable.prepared,
    queryId: tableQueryId(run.executionId),
    isOfTable: true,
  });
  return { ...executed, atMs: readTable.table.builtAtMs };
}

/** Row counts of the results that pages of run tokens are cut from. A page beyond the last is cut from all rows of a reply. */
const rowsForPages = [100, 1_000, 10_000];

async function getOrComputePage(parts: Parts, run: GoodRun, limit: number): Promise<ServedResult> {
  const { offset = 0 } = run.request;
  const { resultRowsMax } = parts;
  if (offset >= resultRowsMax)
    throw new AppError('invalid_input', {
      attr: 'offset',
      detail: `With a run token offset must be less than ${resultRowsMax}.`,
    });
  const end = Math.min(offset + limit, resultRowsMax);
  const rows = rowsForPages.find((rows) => end <= rows && rows < resultRowsMax);
  const served = await getOrComputeResult(parts, {
    ...run,
    isOfToken: false,
    request: { ...run.request, limit: rows, offset: undefined },
  });
  const { result, hasMore } = served.result;
  const page = {
    ...served.result,
    result: rowsBetween(result, offset, end),
    hasMore: hasMore || result.rowCount > end,
  };
  return { ...served, key: keyOf(run, parts.clock.nowMs()), result: page };
}

const keyOf = ({ version, values, request, queryContext, readTable, prepared }: GoodRun, nowMs: number): string => {
  const { limit, offset, asObjects = false } = request;
  return cacheKey({
    versionId: version.id,
    values,
    limit,
    offset,
    asObjects,
    queryContext,
    table: readTable?.table.name,
    // The range of a table is its own.
    insight: readTable === undefined ? prepared.insight?.keyOf(values, { ...queryContext, nowMs }) : undefined,
  });
};

function store(
  { results, clock }: Pick<Parts, 'results' | 'clock'>,
  { version, organizationId }: GoodRun,
  key: string,
  executed: ExecutedQuery,
): ExecutedQuery {
  const { result, hasMore, warnings, atMs, range, page } = executed;
  const ttlMs = atMs + version.dataFreshnessSeconds * 1000 - clock.nowMs();
  if (ttlMs > 0)
    results.set(
      key,
      { result, hasMore, warnings, atMs, ...(range && { range }), ...(page && { page }) },
      { ttlMs, organizationId },
    );
  return executed;
}
