import type { Question, QueryConnection } from '@millrace/clickhouse/query-connection.ts';
import { AnswerTooLargeError, AnswerTooLateError, QuestionTooLargeError } from '@millrace/clickhouse/question-errors.ts';
import type { ParameterValue } from '@millrace/clickhouse/format-parameter.ts';
import { AppError } from '@millrace/http/errors.ts';
import { isErrorLike } from '../error-like.ts';
import { createLeastRecentlyUsed } from '../least-recently-used.ts';
import { engineFailure } from './engine-errors.ts';
import type { Asker, RunSlots } from './run-slots.ts';
import { createShortQueries } from './short-queries.ts';
import type { StreamForm } from './stream-format.ts';

/** What one query of a user may use up (contract/endpoints 4.6). */
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
  params: Readonly<Record<string, ParameterValue>>;
  teamId: number;
  /** The key, or the run token, that asks; undefined: nobody's. */
  keyId: string | undefined;
  queryId: string;
  signal: AbortSignal;
}

/** A query whose rows are read while they come. */
interface TenantStream extends TenantQuery {
  form: Pick<StreamForm, 'engineFormat' | 'settings'>;
  /** With more the query fails. */
  rowsMax: number;
}

/** What one stream may use up, where that is not what any query may. */
interface StreamLimits {
  /** As sent. */
  bytesMax: number;
  /** From its beginning to its end, slow readers included; the engine's own part is bounded like any query's. */
  secondsMax: number;
}

/** Runs queries of users, each on its own project's rows only. */
export interface TenantEngine {
  /**
   * The answer as `JSONCompact`, whole: either every byte of it or an error.
   * @throws {AppError} what the query or the engine did wrong (`engineFailure`); unavailable when it cannot be reached
   */
  run(query: TenantQuery): Promise<Buffer>;
  /**
   * What `read` makes of the answer's bytes, no faster than it takes them. An error may come when some of them are read.
   * @throws {AppError} as `run` does; what `read` throws
   */
  stream<Result>(query: TenantStream, read: (bytes: AsyncIterable<Buffer>) => Promise<Result>): Promise<Result>;
}

/** How a query ended, and what it took from its beginning. */
interface QueryEnd {
  kind: 'run' | 'stream';
  /** `aborted`: nobody waited for it any more. */
  outcome: 'ok' | 'error' | 'aborted';
  seconds: number;
}

/** What an engine for users' queries is made with. */
export interface TenantEngineOptions {
  /** The capability token of a project, which its row policies ask for. */
  tokenOf: (teamId: number) => string;
  limits: EngineLimits;
  slots: RunSlots;
  streams: { limits: StreamLimits; slots: RunSlots };
  /** Told of each query, those that found no slot too. The seconds of a stream are its reader's as well. */
  onFinish: (end: QueryEnd) => void;
  /** A query that nobody waits for any more could not be ended: it runs to its limits. */
  onLeftRunning: (error: unknown) => void;
}

const deadlineGraceMs = 5_000;
const teamsMax = 10_000;
const endingMsMax = 10_000;
/** So much of an answer waits in the engine's memory for its end; without it every answer, however small, goes through a file. */
const answerBufferBytes = 1_048_576;
/**
 * The nice value of the threads of all queries but short ones: beside those, and beside everything else on the machine, they get a
 * tenth of a core's time, and all of it when nobody else asks. ClickHouse needs CAP_SYS_NICE for it, and else does as if it were 0.
 */
const niceOfLong = 10;

/** Queries of users, sent as the `tenant` user with the token that opens the rows of their own project only. */
export function createTenantEngine(connection: Pick<QueryConnection, 'ask' | 'stream'>, { tokenOf, limits, slots, streams, onFinish, onLeftRunning }: TenantEngineOptions): TenantEngine {
  const settings = settingsOf(limits);
  const byTeam = createLeastRecentlyUsed<number, Record<'short' | 'long', Question['settings']>>(teamsMax);
  const shortQueries = createShortQueries();

  /** The same objects each time: their text in the address is made once (`openQueryConnection`). */
  function settingsFor(teamId: number): Record<'short' | 'long', Question['settings']> {
    const known = byTeam.get(teamId);
    if (known !== undefined) return known;
    const short = { ...settings, log_comment: tokenOf(teamId) };
    const own = { short, long: { ...short, os_threads_nice_value_query: niceOfLong } };
    byTeam.set(teamId, own);
    return own;
  }

  /**
   * Ends what ClickHouse may still be doing for a request that we gave up. It looks for the end of the connection only between blocks
   * that it reads, which can be minutes apart; a query of the same name in the place of the first ends that at once.
   */
  async function end(error: unknown, { teamId, queryId, signal }: Pick<TenantQuery, 'teamId' | 'queryId' | 'signal'>): Promise<void> {
    if (!signal.aborted && !(error instanceof AnswerTooLateError) && !(error instanceof AnswerTooLargeError)) return;
    const settings = { replace_running_query: 1, log_comment: tokenOf(teamId) };
    const given = { sql: 'SELECT 1 FORMAT Null', params: {}, settings, queryId, signal: AbortSignal.timeout(endingMsMax), deadlineMs: endingMsMax, answerBytesMax: 1_000 };
    await connection.ask(given).catch(onLeftRunning);
  }

  /** Its slot is free when ClickHouse is: an error comes after what we gave up has ended there. */
  async function settled<Answer>(answer: Promise<Answer>, query: TenantQuery): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      await end(error, query);
      throw query.signal.aborted ? error : failureOf(error);
    }
  }

  async function send(query: TenantQuery): Promise<Buffer> {
    const { sql, params, teamId, queryId, signal } = query;
    const { isShort, ended, failed } = shortQueries.begin(teamId, sql);
    const begun = performance.now();
    const seconds = (): number => (performance.now() - begun) / 1000;
    const question = {
      sql: `${sql}\nFORMAT JSONCompact`,
      params,
      settings: settingsFor(teamId)[isShort ? 'short' : 'long'],
      queryId,
      signal,
      deadlineMs: limits.executionSecondsMax * 1000 + deadlineGraceMs,
      answerBytesMax: limits.resultBytesMax * 2,
    };
    try {
      const answer = await settled(connection.ask(question), query);
      ended(seconds());
      return answer;
    } catch (error) {
      failed(seconds());
      throw error;
    }
  }

  function sendStream<Result>(query: TenantStream, read: (bytes: AsyncIterable<Buffer>) => Promise<Result>): Promise<Result> {
    const { sql, params, teamId, queryId, signal, form, rowsMax } = query;
    const question = {
      sql: `${sql}\nFORMAT ${form.engineFormat}`,
      params,
      settings: { ...settings, ...streamSettingsOf(streams.limits), max_result_rows: String(rowsMax), ...form.settings, os_threads_nice_value_query: niceOfLong, log_comment: tokenOf(teamId) },
      queryId,
      signal,
      waitMsMax: limits.executionSecondsMax * 1000, // the engine does not know which of its time is the reader's
      deadlineMs: streams.limits.secondsMax * 1000 + deadlineGraceMs,
      answerBytesMax: streams.limits.bytesMax,
    };
    return settled(connection.stream(question, read), query);
  }

  async function timed<Result>(kind: QueryEnd['kind'], signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    const finish = (outcome: QueryEnd['outcome']): void => onFinish({ kind, outcome, seconds: (performance.now() - begun) / 1000 });
    try {
      const result = await work();
      finish('ok');
      return result;
    } catch (error) {
      finish(signal.aborted ? 'aborted' : 'error');
      throw error;
    }
  }

  return {
    run: (query) => timed('run', query.signal, () => slots.within(askerOf(query), () => send(query))),
    stream: (query, read) => timed('stream', query.signal, () => streams.slots.within(askerOf(query), () => sendStream(query, read))),
  };
}

const askerOf = ({ teamId, keyId }: TenantQuery): Asker => ({ projectId: teamId, keyId });

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
    buffer_size: answerBufferBytes,
    date_time_output_format: 'iso',
    output_format_json_quote_64bit_integers: 0,
    output_format_json_quote_denormals: 0,
    cancel_http_readonly_queries_on_client_close: 1,
  };
}

/** For streams in place of the others. */
function streamSettingsOf({ bytesMax, secondsMax }: StreamLimits): Record<string, string | number> {
  return {
    max_execution_time: secondsMax, // waiting for its reader is time to the engine
    max_result_bytes: String(bytesMax),
    wait_end_of_query: 0, // what fails before `buffer_size` bytes still has its status
  };
}

function failureOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof AnswerTooLateError) return new AppError('query_timeout', { cause: error });
  if (error instanceof QuestionTooLargeError) return new AppError('query_too_large', { detail: 'The values of this run are too long.', cause: error });
  if (error instanceof AnswerTooLargeError) return new AppError('query_result_too_large', { cause: error });
  if (!isErrorLike(error)) return new AppError('error', { cause: error });
  const code = typeof error.code === 'string' || typeof error.code === 'number' ? String(error.code) : '';
  if (/^\d+$/.test(code)) {
    return engineFailure({ code: Number(code), name: typeof error.type === 'string' ? error.type : '', message: error.message }, error);
  }
  const unreachable = /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code) || /socket hang up|timeout error|aborted|does not match the HTTP/i.test(error.message);
  return unreachable ? new AppError('unavailable', { retryAfterS: 2, cause: error }) : new AppError('error', { cause: error });
}
