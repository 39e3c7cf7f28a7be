import { isoMoment } from '../../../queries/insights/dates/interval-texts.ts';
import type { InsightRange } from '../../../queries/insights/insight-kind.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { RunnableEndpoint, RunnableVersion } from '../store/runnable-endpoint.ts';
import type { CheckedRun } from './check-run.ts';
import type { ReadTable } from './choose-table.ts';
import type { ServedResult } from './get-or-compute-result.ts';
import { rowFacts, type RunAge, type RunFacts } from './run-result.ts';
import type { RunRequest } from './run-request.ts';

/** Members of the reply that are known before the rows: the version, and what was requested (contract/endpoints 4.4). Pure. */
export function requestFacts(
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

/** The SQL of a version; null of an insight. */
function sqlOf({ query }: RunnableVersion): string | null {
  return (query as { query?: string }).query ?? null;
}

/** A reply always holds the rows, so its fields about a running query are null. */
const nothingPending = { query_status: null, query_metadata: null, error: null };

/** Age of the rows. Rows that a query computed for this run have age 0, however long it took; those of a table are as old as the table. Pure. */
export function ageOf({ isCached, path, result: { atMs } }: ServedResult, nowMs: number): RunAge {
  const isOlder = isCached || path === 'materialized';
  return { is_cached: isCached, age_seconds: isOlder ? Math.max(0, Math.floor((nowMs - atMs) / 1000)) : 0 };
}

/** When the rows were read, and until when they are fresh. Pure. */
export function freshnessFacts({ result: { atMs } }: ServedResult, { dataFreshnessSeconds }: RunnableVersion) {
  const at = new Date(atMs).toISOString();
  return {
    last_refresh: at,
    cache_target_age: new Date(atMs + dataFreshnessSeconds * 1000).toISOString(),
    next_allowed_client_refresh: at,
    ...nothingPending,
  };
}

/** Members about the rows: their number, and what ClickHouse read for them, which is nothing when they are cached. Pure. */
export function servedRowFacts({ isCached, result }: ServedResult): ReturnType<typeof rowFacts> {
  return rowFacts(result.result.rowCount, !isCached && 'read' in result ? result.read : undefined);
}

/** Members that say which table the rows are of; none for rows of the query. Pure. */
export function tableFacts({ path }: ServedResult, readTable: ReadTable | undefined): Partial<RunFacts> {
  if (path !== 'materialized' || readTable === undefined) return {};
  const { builtAtMs, plan } = readTable.table;
  const buckets = plan.ranges.flatMap(({ column, bucket_fn }) => (bucket_fn === null ? [] : [[column, bucket_fn]]));
  return {
    endpoint_materialized: true,
    endpoint_materialized_at: new Date(builtAtMs).toISOString(),
    ...(buckets.length > 0 && { endpoint_buckets: Object.fromEntries(buckets) as Record<string, string> }),
  };
}

/** The range of an insight, in the project's zone (contract/insights 1.3). */
function rangeFacts({ range }: ServedResult['result'], timeZone: string): Partial<RunFacts> {
  if (range === undefined) return {};
  const dates = ({ from, to }: InsightRange['current']) => ({
    date_from: isoMoment(from, timeZone),
    date_to: isoMoment(to, timeZone),
  });
  return {
    resolved_date_range: dates(range.current),
    ...(range.previous && { resolved_compare_date_range: dates(range.previous) }),
  };
}

/** Rows that an insight which is a table asks for itself. Pure. */
export const pageFacts = ({ result: { page } }: ServedResult): Partial<RunFacts> => page ?? {};

/** Members that a run with `debug` has beside the others. Pure. */
export function debugFacts(
  { request: { debug }, version, readTable, queryContext }: CheckedRun,
  { result, key, path }: ServedResult,
): Partial<RunFacts> {
  if (!debug) return {};
  const hogql = path === 'materialized' && readTable !== undefined ? readTable.table.plan.read : sqlOf(version);
  const facts = {
    cache_key: key,
    path,
    ...(hogql !== null && { hogql }),
    ...rangeFacts(result, queryContext.timeZone),
  };
  if (!('sql' in result)) return facts;
  const timings = Object.entries(result.took).map(([k, ms]) => ({ k, t: (ms / 1000).toFixed(6) }));
  return { ...facts, clickhouse: result.sql, timings };
}
