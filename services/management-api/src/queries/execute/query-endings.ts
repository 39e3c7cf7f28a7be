import { setTimeout as wait } from 'node:timers/promises';
import {
  ResponsesTooLargeError,
  ResponseTooLargeError,
  ResponseTooLateError,
  QueryTooLargeError,
} from '@millrace/clickhouse/response-errors.ts';
import type { QueryConnection } from '@millrace/clickhouse/query/query-connection.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { isErrorLike } from '@millrace/runtime/error-like.ts';

/** A query whose caller does not wait any more. */
interface LeftQuery {
  queryId: string;
  teamId: number;
}

/** Ends queries that were given up and that ClickHouse may still run: inside a function call it checks neither time nor connection. */
export interface QueryEndings {
  /** Ends the query. Resolves when ClickHouse does not run it any more, however long that takes, or when this process stops. */
  end(query: LeftQuery): Promise<void>;
  /** Number of such queries, and seconds since the oldest was given up. */
  overdue(): { count: number; oldestSeconds: number };
  /** Stops waiting for all of them. */
  close(): void;
}

/** ClickHouse itself waits 5 s for the end of what is to be replaced (`replace_running_query_max_wait_ms`). */
const requestMsMax = 20_000;
const againMs = 500;

/**
 * Ends a query by sending a replacement with the same id. ClickHouse replies when the first query is gone; until
 * then, and while ClickHouse is away, this retries. It needs only the user's own rights. A query that still runs after
 * the first attempt is logged.
 */
export function createQueryEndings(
  connection: Pick<QueryConnection, 'query'>,
  logger: Pick<Logger, 'warn'>,
  retryMs = againMs,
): QueryEndings {
  const stopping = new AbortController();
  /** Queries that are being ended, with the time since when. */
  const open = new Map<string, number>();

  async function replaced(queryId: string): Promise<unknown> {
    const given = {
      sql: 'SELECT 1 FORMAT Null',
      params: {},
      settings: { replace_running_query: 1 },
      queryId,
      signal: stopping.signal,
      deadlineMs: requestMsMax,
      responseBytesMax: 1_000,
    };
    return await connection.query(given).then(
      () => undefined,
      (error: unknown) => error ?? new Error('no reason'),
    );
  }

  return {
    async end({ queryId, teamId }) {
      const begun = performance.now();
      const reported = { queryId, projectId: teamId };
      open.set(queryId, begun);
      let attempts = 0;
      for (;;) {
        const err = await replaced(queryId);
        if (err === undefined || stopping.signal.aborted) break;
        if (attempts++ === 0)
          logger.warn(
            { ...reported, err },
            'a query that nobody waits for is not known to have ended in ClickHouse: it keeps its slot',
          );
        await wait(retryMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      }
      open.delete(queryId);
      if (attempts > 0)
        logger.warn(
          { ...reported, seconds: Math.round((performance.now() - begun) / 1000) },
          'a query that nobody waited for has ended in ClickHouse',
        );
    },
    overdue() {
      const [oldest] = open.values();
      return { count: open.size, oldestSeconds: oldest === undefined ? 0 : (performance.now() - oldest) / 1000 };
    },
    close: () => stopping.abort(),
  };
}

/** Did we end the request? Pure. */
export const wasGivenUp = (error: unknown): boolean =>
  error instanceof ResponseTooLateError ||
  error instanceof ResponseTooLargeError ||
  error instanceof ResponsesTooLargeError;

/** Errors before a connection was made: the query was not sent. */
const unsentCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** True when ClickHouse may still run a query that failed with this error. An error from ClickHouse itself means that the query has ended. Pure. */
export function mayStillRun(error: unknown): boolean {
  if (error instanceof QueryTooLargeError) return false;
  // Numbers are codes of DOMException.
  if (!isErrorLike(error) || typeof error.code !== 'string') return true;
  return !/^\d+$/.test(error.code) && !unsentCodes.has(error.code);
}
