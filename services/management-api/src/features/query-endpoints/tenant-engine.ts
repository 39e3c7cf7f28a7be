import type { Readable } from 'node:stream';
import { AppError } from '@millrace/http/errors.ts';
import { isErrorLike } from '../../error-like.ts';
import { engineFailure } from './engine-errors.ts';
import type { RunSlots } from './run-slots.ts';

/** The part of ClickHouse's client that queries of users need. */
export interface EngineClient {
  exec(query: {
    query: string;
    query_params: Record<string, unknown>;
    clickhouse_settings: Record<string, string | number>;
    abort_signal: AbortSignal;
    query_id: string;
  }): Promise<{ stream: Readable }>;
}

/** What one query of a user may use up (design: the guard rails of contract/endpoints 4.6). */
interface EngineLimits {
  executionSecondsMax: number;
  memoryBytesMax: number;
  resultRowsMax: number;
  resultBytesMax: number;
  readRowsMax: number;
  readBytesMax: number;
  threadsMax: number;
}

interface TenantQuery {
  /** Printed by the compiler, never a user's text. */
  sql: string;
  /** Values of the query's parameters. */
  params: Record<string, unknown>;
  teamId: number;
  queryId: string;
  signal: AbortSignal;
}

export interface TenantEngine {
  /**
   * The answer as `JSONCompact`, whole: either every byte of it or an error.
   * @throws {AppError} what the query or the engine did wrong (`engineFailure`); unavailable when it cannot be reached
   */
  run(query: TenantQuery): Promise<Buffer>;
}

export interface TenantEngineOptions {
  /** The capability token of a project (design: row policies). */
  tokenOf: (teamId: number) => string;
  limits: EngineLimits;
  slots: RunSlots;
  onFinish: (outcome: 'ok' | 'error' | 'aborted', seconds: number) => void;
}

const deadlineGraceMs = 5_000;

/** Queries of users, sent as the `tenant` user with the token that opens the rows of their own project only. */
export function createTenantEngine(client: EngineClient, { tokenOf, limits, slots, onFinish }: TenantEngineOptions): TenantEngine {
  const settings = settingsOf(limits);

  async function send({ sql, params, teamId, queryId, signal }: TenantQuery): Promise<Buffer> {
    const deadline = AbortSignal.timeout(limits.executionSecondsMax * 1000 + deadlineGraceMs);
    try {
      const { stream } = await client.exec({
        query: `${sql}\nFORMAT JSONCompact`,
        query_params: params,
        clickhouse_settings: { ...settings, log_comment: tokenOf(teamId) },
        abort_signal: AbortSignal.any([signal, deadline]),
        query_id: queryId,
      });
      return await readAll(stream, limits.resultBytesMax * 2);
    } catch (error) {
      if (signal.aborted || error instanceof AppError) throw error;
      throw deadline.aborted ? new AppError('query_timeout', { cause: error }) : failureOf(error);
    }
  }

  return {
    async run(query) {
      const begun = performance.now();
      const finish = (outcome: 'ok' | 'error' | 'aborted'): void => onFinish(outcome, (performance.now() - begun) / 1000);
      try {
        const answer = await slots.within(query.teamId, () => send(query));
        finish('ok');
        return answer;
      } catch (error) {
        finish(query.signal.aborted ? 'aborted' : 'error');
        throw error;
      }
    },
  };
}

/** Closed list: each of these may be set by the `tenant` user, up to the maxima of its profile. */
function settingsOf(limits: EngineLimits): Record<string, string | number> {
  return {
    max_execution_time: limits.executionSecondsMax,
    max_memory_usage: String(limits.memoryBytesMax),
    max_result_rows: String(limits.resultRowsMax + 1), // one more tells whether there are more
    max_result_bytes: String(limits.resultBytesMax),
    max_rows_to_read: String(limits.readRowsMax),
    max_bytes_to_read: String(limits.readBytesMax),
    max_threads: limits.threadsMax,
    wait_end_of_query: 1, // an error that comes late still has its status, and no half result is sent
    date_time_output_format: 'iso',
    output_format_json_quote_64bit_integers: 0,
    output_format_json_quote_denormals: 0,
    cancel_http_readonly_queries_on_client_close: 1,
  };
}

async function readAll(stream: Readable, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > bytesMax) throw new AppError('query_result_too_large'); // leaving the loop destroys the stream
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, size);
}

function failureOf(error: unknown): AppError {
  if (!isErrorLike(error)) return new AppError('error', { cause: error });
  const code = typeof error.code === 'string' || typeof error.code === 'number' ? String(error.code) : '';
  if (/^\d+$/.test(code)) {
    return engineFailure({ code: Number(code), name: typeof error.type === 'string' ? error.type : '', message: error.message }, error);
  }
  const unreachable = /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code) || /socket hang up|timeout error|aborted/i.test(error.message);
  return unreachable ? new AppError('unavailable', { retryAfterS: 2, cause: error }) : new AppError('error', { cause: error });
}
