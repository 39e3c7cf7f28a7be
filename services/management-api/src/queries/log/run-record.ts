import type { RowOf } from '@millrace/clickhouse/insert/table-columns.ts';
import type { logEntries } from '@millrace/contracts/tables/log-entries.ts';
import type { queryLog } from '@millrace/contracts/tables/query-log.ts';
import type { FailedRun, RejectedRun } from '../execute/run-outcome.ts';

/**
 * Outcome of one run of an endpoint, or of a query that is not saved. It holds no value of a variable
 * (contract/endpoints 7).
 */
export interface RunRecord {
  teamId: number;
  /** Null: the query is not saved, and has no name. */
  endpointId: string | null;
  name: string;
  /** Null: the request was refused before a version was found. */
  version: number | null;
  executionId: string;
  startedAtMs: number;
  keyId: string;
  /** The key is a run token, and no user's key. */
  isRunToken?: boolean;
  clientQueryId: string | null;
  outcome: RunSuccess | (FailedRun & { path?: RunPath }) | RejectedRun;
}

/**
 * Path by which a run got its rows, or failed to get them: `inline` by its query, `materialized` from the table of its version, `materialized_fallback` by its query
 * because the table could not be read.
 */
export type RunPath = 'inline' | 'materialized' | 'materialized_fallback';

interface RunSuccess {
  kind: 'succeeded';
  path: RunPath;
  cache: 'hit' | 'miss';
  durationMs: number;
  rows: number;
  /** Rows and bytes that ClickHouse read for it. */
  read: { rows: number; bytes: number };
}

/** Source of the logs of endpoints in `log_entries`. */
export const logSource = 'endpoints';
/** Source of the logs of queries that are not saved; they belong to the project. */
const queryLogSource = 'queries';
const noEndpoint = '00000000-0000-0000-0000-000000000000';

/** The run as a log entry, for people. Pure. */
export function logEntryOf(record: RunRecord): RowOf<typeof logEntries> {
  return {
    team_id: record.teamId,
    log_source: record.endpointId === null ? queryLogSource : logSource,
    log_source_id: record.endpointId ?? String(record.teamId),
    instance_id: record.executionId,
    timestamp: new Date(record.startedAtMs),
    level: record.outcome.kind === 'succeeded' ? 'INFO' : 'ERROR',
    message: messageOf(record),
  };
}

/** The run as a row of `query_log`, for queries. Pure. */
export function queryLogRowOf({ outcome, ...record }: RunRecord): RowOf<typeof queryLog> {
  const isSuccess = outcome.kind === 'succeeded';
  return {
    team_id: record.teamId,
    query_id: record.executionId,
    endpoint_id: record.endpointId ?? noEndpoint,
    name: record.name,
    endpoint_version: record.version,
    query_start_time: new Date(record.startedAtMs),
    query_duration_ms: outcome.kind === 'refused' ? null : Math.round(outcome.durationMs),
    read_rows: isSuccess ? outcome.read.rows : null,
    read_bytes: isSuccess ? outcome.read.bytes : null,
    result_rows: isSuccess ? outcome.rows : null,
    error_code: isSuccess ? '' : outcome.error,
    path: outcome.kind === 'refused' ? '' : pathOf(outcome),
    cache: cacheOf({ endpointId: record.endpointId, outcome }),
    is_personal_api_key_request: record.isRunToken !== true,
    api_key_id: record.keyId,
    client_query_id: record.clientQueryId ?? '',
  };
}

/** Queries that are not saved have no other path. */
const pathOf = ({ path }: { path?: RunPath }): RunPath => path ?? 'inline';

/** Empty for failures and for queries that are not saved: neither is cached. */
function cacheOf({ endpointId, outcome }: Pick<RunRecord, 'endpointId' | 'outcome'>): 'hit' | 'miss' | '' {
  if (outcome.kind === 'refused' || endpointId === null) return '';
  return outcome.kind === 'succeeded' ? outcome.cache : 'miss';
}

function messageOf(record: RunRecord): string {
  const { version, outcome, endpointId } = record;
  const what = endpointId === null ? 'Query' : 'Endpoint run';
  if (outcome.kind === 'refused') return `${what} failed · invalid request · ${outcome.reason}`;
  const cache = cacheOf(record);
  const tokens = [
    `path=${pathOf(outcome)}`,
    ...(cache === '' ? [] : [`cache=${cache}`]),
    `duration_ms=${Math.round(outcome.durationMs)}`,
    ...(outcome.kind === 'succeeded' ? [`rows=${outcome.rows}`] : []),
    ...(version === null ? [] : [`version=${version}`]),
    ...(outcome.kind === 'failed' ? [`error=${outcome.error}`] : []),
  ];
  return `${what} ${outcome.kind} · ${tokens.join(' ')}`;
}
