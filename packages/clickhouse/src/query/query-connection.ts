import { parseError } from '@clickhouse/client';
import { type Dispatcher, Pool } from 'undici';
import type { QueryResponse, Reading } from './query-response.ts';
import type { ClickhouseOptions } from '../client.ts';
import { formatParameter, type ParameterValue } from './format-parameter.ts';
import { gatherBytes } from './gather-bytes.ts';
import { createGatherMemory, type GatherMemory } from './gather-memory.ts';
import { ResponseTooLateError, QueryTooLargeError } from '../response-errors.ts';
import { errorTextBytesMax, readResponse } from './stream-response.ts';

/** A query whose response is returned as bytes. */
export interface QueryRequest {
  /** With its FORMAT. */
  sql: string;
  /** Bound to the query's `{name:Type}`. */
  params: Readonly<Record<string, ParameterValue>>;
  settings: Readonly<Record<string, string | number>>;
  /** Sent beside those of the connection, such as `tenantHeaders`. */
  headers?: Readonly<Record<string, string>>;
  /** Names the query in the server's logs. */
  queryId: string;
  /** Ends the request; with `cancel_http_readonly_queries_on_client_close` the query too. */
  signal: AbortSignal;
  /** Milliseconds without the whole response after which the request ends. */
  deadlineMs: number;
  /** A longer response is not read to its end. */
  responseBytesMax: number;
  /** Gets what ClickHouse read, before the response does. With `wait_end_of_query` it is all of it. Not called where ClickHouse does not say. */
  onRead?: (read: ReadSummary) => void;
}

/** Rows that a query has read so far. */
export interface ReadSummary {
  rows: number;
}

/** A query whose response is read while it comes, as fast as its reader takes it. */
export interface StreamRequest extends QueryRequest {
  /** Milliseconds of waiting for ClickHouse, its reader's own time not counted, after which the request ends. */
  waitMsMax: number;
}

export interface QueryConnection {
  /**
   * The whole response. Query with `wait_end_of_query`, or an error that comes late is in the bytes.
   * @throws {ClickHouseError} what ClickHouse refuses; {QueryTooLargeError}; {ResponseTooLargeError}; {ResponsesTooLargeError}; {ResponseTooLateError}; the signal's AbortError;
   * errors of the system or the HTTP client (`code` ECONNREFUSED, UND_ERR_SOCKET and the like) when ClickHouse cannot be reached or breaks off
   */
  query(request: QueryRequest): Promise<Buffer>;
  /**
   * Runs the query and returns the result of `read` over the response's bytes. While `read` does not take them,
   * ClickHouse waits. When it ends early, or throws, the request ends.
   * @throws the errors of `query`, some of them while the bytes are read; those of `read`
   */
  stream<Result>(request: StreamRequest, read: (bytes: AsyncIterable<Buffer>) => Promise<Result>): Promise<Result>;
  /** Ends its connections, with what is under way. */
  close(): Promise<void>;
}

/** ClickHouse refuses any parameter of 131,072 bytes as sent (`http_max_field_value_size`); ours share one such measure. */
const addressBytesMax = 131_000;
/**
 * Settings and values of an address. A server with its default settings refuses more before it knows the user
 * (`http_max_fields`).
 */
const fieldsMax = 1_000;

/**
 * Queries over kept-alive connections with nothing between. Whole responses that are arriving have at most `gatheredBytesMax` bytes together. Why not the official client, which does everything else: it waits
 * for a timer of 1 ms before each request and sends and reads through stream pipelines, 2 ms and two thirds of the CPU of
 * a small query (docs/decisions/clickhouse-connection.md).
 */
export function openQueryConnection({
  url,
  user,
  password,
  applicationName = 'millrace',
  connectionsMax = 10,
  gatheredBytesMax = Infinity,
}: ClickhouseOptions & { gatheredBytesMax?: number }): QueryConnection {
  const memory = createGatherMemory(gatheredBytesMax);
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/$/, '');
  // Its only clock is that of connecting (10 s): each request brings its own. In HTTP/2 requests would share one connection.
  const pool = new Pool(origin, { connections: connectionsMax, headersTimeout: 0, bodyTimeout: 0, allowH2: false });
  const headers = [
    'authorization',
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    'user-agent',
    applicationName,
  ];

  /** `firstMs`: milliseconds without the first byte of the response after which the request ends. */
  function send<Result>(
    request: QueryRequest,
    read: (response: QueryResponse) => Reading<Result>,
    firstMs = request.deadlineMs,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const { sql, headers: own, signal, deadlineMs } = request;
      const givenUp = (): Error =>
        new DOMException('the request was given up', { name: 'AbortError', cause: signal.reason });
      if (signal.aborted) return reject(givenUp());
      const begun = performance.now();
      let dispatched: Dispatcher.DispatchController | undefined;
      let reading: Reading<Result> | undefined;
      let deadline: NodeJS.Timeout | undefined;
      let stopped: Error | undefined;
      let isOver = false;
      const stop = (error: Error): void => {
        stopped ??= error;
        reject(error);
        dispatched?.abort(error);
      };
      const giveUp = (): void => stop(givenUp());
      const endAfter = (ms: number, leftMs = ms): NodeJS.Timeout =>
        setTimeout(() => stop(new ResponseTooLateError(`no response within ${ms} ms`)), Math.max(leftMs, 0));
      const over = (): void => {
        isOver = true;
        clearTimeout(deadline);
        signal.removeEventListener('abort', giveUp);
      };
      pool.dispatch(
        {
          method: 'POST',
          path: `${path}/?${searchOf(request)}`,
          headers: own === undefined ? headers : [...headers, ...Object.entries(own).flat()],
          body: sql,
        },
        {
          onRequestStart(controller) {
            dispatched = controller;
            // The query was aborted while it waited for a connection.
            if (stopped !== undefined) controller.abort(stopped);
          },
          onResponseStart(controller, statusCode, headers) {
            const tookMs = performance.now() - begun;
            if (request.onRead !== undefined) tellRead(headers['x-clickhouse-summary'], request.onRead);
            if (firstMs < deadlineMs) {
              clearTimeout(deadline);
              deadline = endAfter(deadlineMs, deadlineMs - tookMs);
            }
            reading = read({
              statusCode,
              headers,
              flow: controller,
              stop,
              isStopped: () => stopped !== undefined,
              tookMs,
            });
            // The clock runs until the reader is done, which may be long after ClickHouse is.
            reading.result.finally(over).then(resolve, reject);
          },
          onResponseData: (_controller, bytes) => reading?.bytes.take(bytes),
          onResponseEnd: () => reading?.bytes.end(),
          onResponseError(_controller, error) {
            if (reading !== undefined) return reading.bytes.fail(error);
            over();
            reject(error);
          },
        },
      );
      // undici sends in an earlier tick: timer and abort listener can wait for this one.
      process.nextTick(() => {
        if (isOver) return;
        if (signal.aborted) return giveUp();
        deadline = endAfter(firstMs);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    });
  }

  return {
    query: (request) =>
      send(request, (response) =>
        response.statusCode === 200 ? gathered(response, request.responseBytesMax, memory) : refused(response, memory),
      ),
    stream: (request, read) =>
      send(
        request,
        (response) => (response.statusCode === 200 ? readResponse(response, request, read) : refused(response, memory)),
        Math.min(request.waitMsMax, request.deadlineMs),
      ),
    close: () => pool.destroy(),
  };
}

function tellRead(summary: string | string[] | undefined, onRead: (read: ReadSummary) => void): void {
  const rows = typeof summary === 'string' ? /"read_rows":"?(\d+)/.exec(summary)?.[1] : undefined;
  if (rows !== undefined) onRead({ rows: Number(rows) });
}

function searchOf({ params, settings, queryId }: QueryRequest): string {
  const own = new URLSearchParams({ query_id: queryId });
  const fields = 1 + Object.keys(settings).length + Object.keys(params).length;
  if (fields > fieldsMax) throw new QueryTooLargeError(`the query has ${fields} values and settings`);
  for (const [name, value] of Object.entries(params)) own.set(`param_${name}`, formatParameter(value));
  const search = `${textOf(settings)}&${own.toString()}`;
  if (search.length > addressBytesMax)
    throw new QueryTooLargeError(`the values of the query take ${search.length} bytes`);
  return search;
}

/** Settings as a query string, cached by the object that holds them: frequent callers pass the same one. */
const settingsTexts = new WeakMap<QueryRequest['settings'], string>();

function textOf(settings: QueryRequest['settings']): string {
  let text = settingsTexts.get(settings);
  if (text === undefined) {
    text = new URLSearchParams(
      Object.entries(settings).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    settingsTexts.set(settings, text);
  }
  return text;
}

function gathered({ flow, stop }: QueryResponse, bytesMax: number, memory: GatherMemory): Reading<Buffer> {
  return gatherBytes(flow, bytesMax, memory, stop);
}

function refused(response: QueryResponse, memory: GatherMemory): Reading<never> {
  const { bytes, result } = gathered(response, errorTextBytesMax, memory);
  return { bytes, result: result.then((text) => Promise.reject(parseError(text.toString()))) };
}
