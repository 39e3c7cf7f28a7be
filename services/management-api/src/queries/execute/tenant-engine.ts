import { setTimeout as wait } from 'node:timers/promises';
import type { QueryConnection } from '@millrace/clickhouse/query/query-connection.ts';
import {
  ResponsesTooLargeError,
  ResponseTooLargeError,
  ResponseTooLateError,
  QueryTooLargeError,
} from '@millrace/clickhouse/response-errors.ts';
import type { ParameterValue } from '@millrace/clickhouse/query/format-parameter.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { TenantSql } from '@millrace/query-language/tenant-sql.ts';
import { isErrorLike } from '@millrace/runtime/error-like.ts';
import { engineFailure } from './engine-errors.ts';
import { compactForm, settingsOfQueries, type EngineLimits, type StreamLimits } from './engine-settings.ts';
import { mayStillRun, wasGivenUp, type QueryEndings } from './query-endings.ts';
import { paced } from '../stream/reader-pace.ts';
import type { ConcurrencyLimiter, OwnWait, SlotWork } from '../limits/concurrency-limiter.ts';
import type { QueryOwner } from '../limits/shares.ts';
import { createShortQueries } from '../limits/short-queries.ts';
import type { EngineForm } from '../result/template-form.ts';

interface TenantQuery {
  sql: TenantSql;
  /** Values of the query's parameters. */
  params: Readonly<Record<string, ParameterValue>>;
  teamId: number;
  /** The organization of the team. */
  organizationId: string;
  /** The key, or the run token, of the caller; undefined: none. */
  keyId: string | undefined;
  queryId: string;
  signal: AbortSignal;
  /** Used while the query waits for a slot. */
  wait?: OwnWait | undefined;
  /** It reads a table of a materialized version alone, and takes a slot of those. */
  isOfTable?: boolean | undefined;
  /** Format of the response. Default: `JSONCompact`. */
  form?: EngineForm;
}

/** A query whose rows are read while they come. */
interface TenantStream extends TenantQuery {
  form: EngineForm;
  /** Maximum of rows; a query with more fails. */
  rowsMax: number;
  /** It takes a slot of queries, and errors speak of these: its reader is this process, and no client. Default: a slot of streams. */
  isOwnRead?: boolean;
}

/** Runs queries of users, each on its own project's rows only. */
export interface TenantEngine {
  /**
   * The whole response.
   * @throws {AppError} the error of the query or the engine (`engineFailure`); unavailable when the engine cannot be reached
   */
  run(query: TenantQuery): Promise<Buffer>;
  /**
   * Returns the result of `read` over the response's bytes, no faster than it takes them. An error may come when some
   * of them are read.
   * @throws {AppError} as `run` does; what `read` throws
   */
  stream<Result>(query: TenantStream, read: (bytes: AsyncIterable<Buffer>) => Promise<Result>): Promise<Result>;
}

/** Outcome and duration of a query. */
interface QueryEnd {
  kind: 'run' | 'stream';
  /** `aborted`: the caller did not wait any more. `unread`: its reader was too slow while another caller waited for a slot. */
  outcome: 'ok' | 'error' | 'aborted' | 'unread';
  seconds: number;
}

/** Options of an engine for users' queries. */
export interface TenantEngineOptions {
  /** The capability of a project, which the row policies require (`tenantHeaders`). */
  headersOf: (teamId: number) => Readonly<Record<string, string>>;
  limits: EngineLimits;
  limiter: ConcurrencyLimiter;
  /** For queries of tables; default: `limiter`. */
  tables?: ConcurrencyLimiter;
  streams: { limits: StreamLimits; limiter: ConcurrencyLimiter };
  /**
   * Called for each query, also one without a slot. The seconds include the wait for a slot and, for a stream, the time of
   * its reader.
   */
  onFinish: (end: QueryEnd) => void;
  /** Ends queries in ClickHouse that were given up. */
  endings: Pick<QueryEndings, 'end'>;
  /** Longest wait of a caller for the end of a query that was given up, in milliseconds. The slot is held until that end. */
  endingMsMax?: number;
}

/** Ends a stream of a slow reader whose slot another caller waits for. The reader has a part already, and sees a cut. */
class UnreadError extends AppError {}

const deadlineGraceMs = 5_000;
const endingMsUsual = 5_000;

/** Sends queries of users as the user `tenant`, with the token that opens only the rows of their own project. */
export function createTenantEngine(
  connection: Pick<QueryConnection, 'query' | 'stream'>,
  {
    headersOf,
    limits,
    limiter,
    tables = limiter,
    streams,
    endings,
    endingMsMax = endingMsUsual,
    onFinish,
  }: TenantEngineOptions,
): TenantEngine {
  const settings = settingsOfQueries(limits, streams.limits);
  const shortQueries = createShortQueries();
  const limiterOf = ({ isOwnRead }: TenantStream): ConcurrencyLimiter =>
    isOwnRead === true ? limiter : streams.limiter;

  /** Holds the slot until ClickHouse has ended the query, also when the connection is lost before. */
  async function settled<QueryResult>(
    response: Promise<QueryResult>,
    query: TenantQuery,
    hold: Hold,
  ): Promise<QueryResult> {
    try {
      return await response;
    } catch (error) {
      const isGivenUp = query.signal.aborted || wasGivenUp(error);
      if (isGivenUp || mayStillRun(error)) {
        const ended = endings.end(query);
        hold(ended);
        if (isGivenUp) await Promise.race([ended, wait(endingMsMax, undefined, { ref: false })]);
      }
      throw query.signal.aborted ? error : failureOf(error);
    }
  }

  async function send(query: TenantQuery, hold: Hold): Promise<Buffer> {
    const { sql, params, teamId, queryId, signal, form = compactForm } = query;
    const { isShort, ended, failed } = shortQueries.begin(teamId, sql);
    const begun = performance.now();
    const seconds = (): number => (performance.now() - begun) / 1000;
    const request = {
      sql: `${sql}\nFORMAT ${form.engineFormat}`,
      params,
      settings: settings.ofRun(isShort, form),
      headers: headersOf(teamId),
      queryId,
      signal,
      deadlineMs: limits.executionSecondsMax * 1000 + deadlineGraceMs,
      responseBytesMax: limits.resultBytesMax * 2,
    };
    try {
      const response = await settled(connection.query(request), query, hold);
      ended(seconds());
      return response;
    } catch (error) {
      failed(seconds());
      throw error;
    }
  }

  async function sendStream<Result>(
    query: TenantStream,
    read: (bytes: AsyncIterable<Buffer>) => Promise<Result>,
    hold: Hold,
  ): Promise<Result> {
    const { sql, params, teamId, queryId, form, rowsMax } = query;
    const unread = new AbortController();
    const signal = AbortSignal.any([query.signal, unread.signal]);
    const watched = {
      secondsMax: streams.limits.readerSecondsMax,
      isWanted: () => limiterOf(query).isWanted(ownerOf(query)),
      onUnread: () => unread.abort(new UnreadError('query_cancelled', { publicCode: 'stream_unread' })),
    };
    const request = {
      sql: `${sql}\nFORMAT ${form.engineFormat}`,
      params,
      settings: settings.ofStream(rowsMax, form),
      headers: headersOf(teamId),
      queryId,
      signal,
      waitMsMax: limits.executionSecondsMax * 1000, // the engine does not know which of its time is the reader's
      deadlineMs: streams.limits.secondsMax * 1000 + deadlineGraceMs,
      responseBytesMax: streams.limits.bytesMax,
    };
    try {
      return await settled(
        connection.stream(request, (bytes) => read(paced(bytes, watched))),
        { ...query, signal },
        hold,
      );
    } catch (error) {
      if (unread.signal.aborted && !query.signal.aborted) throw unread.signal.reason;
      throw isTooLarge(error) ? tooLargeStream(streams.limits, error) : error;
    }
  }

  async function timed<Result>(
    kind: QueryEnd['kind'],
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const begun = performance.now();
    const finish = (outcome: QueryEnd['outcome']): void =>
      onFinish({ kind, outcome, seconds: (performance.now() - begun) / 1000 });
    try {
      const result = await work();
      finish('ok');
      return result;
    } catch (error) {
      finish(error instanceof UnreadError ? 'unread' : signal.aborted ? 'aborted' : 'error');
      throw error;
    }
  }

  return {
    run: (query) =>
      timed('run', query.signal, () =>
        (query.isOfTable === true ? tables : limiter).run(ownerOf(query), (hold) => send(query, hold), query),
      ),
    stream: (query, read) =>
      timed('stream', query.signal, () =>
        limiterOf(query).run(ownerOf(query), (hold) => sendStream(query, read, hold), query),
      ),
  };
}

/** Holds the slot until the promise has settled. */
type Hold = Parameters<SlotWork<unknown>>[0];

const ownerOf = ({ teamId, organizationId, keyId }: TenantQuery): QueryOwner => ({
  projectId: teamId,
  organizationId,
  keyId,
});

const isTooLarge = (error: unknown): boolean => error instanceof AppError && error.code === 'query_result_too_large';

/** The error of a stream that is too large; it names the limits of streams. */
function tooLargeStream({ rowsMax, bytesMax }: StreamLimits, cause: unknown): AppError {
  const [rows, bytes] = [rowsMax, bytesMax].map((count) => count.toLocaleString('en-US'));
  return new AppError('query_result_too_large', {
    detail: `A stream (csv, ndjson) can have at most ${rows} rows and ${bytes} bytes. Ask for fewer rows or columns.`,
    cause,
  });
}

/** The error that a caller gets for one of `QueryConnection.query`. Pure. */
export function failureOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ResponseTooLateError) return new AppError('query_timeout', { cause: error });
  if (error instanceof QueryTooLargeError)
    return new AppError('query_too_large', {
      detail:
        'The query has too many values, or too long ones. Compare with a list (IN) instead of many comparisons, or split it into several queries.',
      cause: error,
    });
  if (error instanceof ResponsesTooLargeError) return new AppError('query_capacity', { retryAfterS: 2, cause: error });
  if (error instanceof ResponseTooLargeError) return new AppError('query_result_too_large', { cause: error });
  if (!isErrorLike(error)) return new AppError('error', { cause: error });
  const code = typeof error.code === 'string' || typeof error.code === 'number' ? String(error.code) : '';
  if (/^\d+$/.test(code)) {
    return engineFailure(
      { code: Number(code), name: typeof error.type === 'string' ? error.type : '', message: error.message },
      error,
    );
  }
  const unreachable =
    /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code) ||
    /socket hang up|timeout error|aborted|does not match the HTTP/i.test(error.message);
  return unreachable
    ? new AppError('unavailable', { retryAfterS: 2, cause: error })
    : new AppError('error', { cause: error });
}
