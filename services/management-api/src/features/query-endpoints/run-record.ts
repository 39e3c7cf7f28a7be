import type { LogEntryRow, QueryLogRow } from '@millrace/clickhouse/tables.ts';

/** What became of one run of an endpoint. It holds no value of a variable (contract/endpoints 7). */
export interface RunRecord {
  teamId: number;
  endpointId: string;
  name: string;
  /** Null: the request was refused before a version was found. */
  version: number | null;
  executionId: string;
  startedAtMs: number;
  keyId: string;
  clientQueryId: string | null;
  outcome: RunSuccess | RunFailure | RunRefusal;
}

interface RunSuccess {
  kind: 'succeeded';
  cache: 'hit' | 'miss';
  durationMs: number;
  rows: number;
  /** What ClickHouse read for it. */
  read: { rows: number; bytes: number };
}

/** The request was good. */
interface RunFailure {
  kind: 'failed';
  durationMs: number;
  error: string;
}

/** The request was not, for this reason; nothing was run. */
interface RunRefusal {
  kind: 'refused';
  error: string;
  reason: string;
}

/** What `log_entries` calls the logs of endpoints. */
export const logSource = 'endpoints';

/** For people. Pure. */
export function logEntryOf(record: RunRecord): LogEntryRow {
  return {
    team_id: record.teamId,
    log_source: logSource,
    log_source_id: record.endpointId,
    instance_id: record.executionId,
    timestamp: new Date(record.startedAtMs),
    level: record.outcome.kind === 'succeeded' ? 'INFO' : 'ERROR',
    message: messageOf(record),
  };
}

/** For queries. Pure. */
export function queryLogRowOf({ outcome, ...record }: RunRecord): QueryLogRow {
  const isSuccess = outcome.kind === 'succeeded';
  return {
    team_id: record.teamId,
    query_id: record.executionId,
    endpoint_id: record.endpointId,
    name: record.name,
    endpoint_version: record.version,
    query_start_time: new Date(record.startedAtMs),
    query_duration_ms: outcome.kind === 'refused' ? null : Math.round(outcome.durationMs),
    read_rows: isSuccess ? outcome.read.rows : null,
    read_bytes: isSuccess ? outcome.read.bytes : null,
    result_rows: isSuccess ? outcome.rows : null,
    error_code: isSuccess ? '' : outcome.error,
    path: outcome.kind === 'refused' ? '' : 'inline',
    cache: cacheOf(outcome),
    is_personal_api_key_request: true,
    api_key_id: record.keyId,
    client_query_id: record.clientQueryId ?? '',
  };
}

/** A failure is never kept: it was no hit. */
function cacheOf(outcome: RunRecord['outcome']): 'hit' | 'miss' | '' {
  if (outcome.kind === 'refused') return '';
  return outcome.kind === 'succeeded' ? outcome.cache : 'miss';
}

function messageOf({ version, outcome }: RunRecord): string {
  if (outcome.kind === 'refused') return `Endpoint run failed · invalid request · ${outcome.reason}`;
  const tokens = [
    'path=inline',
    `cache=${cacheOf(outcome)}`,
    `duration_ms=${Math.round(outcome.durationMs)}`,
    ...(outcome.kind === 'succeeded' ? [`rows=${outcome.rows}`] : []),
    ...(version === null ? [] : [`version=${version}`]),
    ...(outcome.kind === 'failed' ? [`error=${outcome.error}`] : []),
  ];
  return `Endpoint run ${outcome.kind} · ${tokens.join(' ')}`;
}
