import { Readable } from 'node:stream';
import { parseError } from '@clickhouse/client';
import type { QueryResponse, Reading } from './query-response.ts';
import { MarkFinder } from './mark-finder.ts';
import { ResponseTooLargeError, ResponseTooLateError } from '../response-errors.ts';

/** More of what ClickHouse says about an error is not read. */
export const errorTextBytesMax = 100_000;

interface StreamLimits {
  /** Milliseconds of waiting for ClickHouse, those before the response began included. */
  waitMsMax: number;
  responseBytesMax: number;
}

/**
 * Returns the result of `read` over the bytes of a response that begins before its query has ended. While `read` takes
 * none, ClickHouse waits; when it ends early, the response does.
 */
export function readResponse<Result>(
  { headers, flow, stop, isStopped, tookMs }: QueryResponse,
  limits: StreamLimits,
  read: (bytes: AsyncIterable<Buffer>) => Promise<Result>,
): Reading<Result> {
  const readable = new Readable({ read: () => flow.resume() });
  // The reader gets the error; one that comes before there is a reader is no crash.
  readable.on('error', () => undefined);
  let broken: Error | undefined;
  const fail = (error: Error): void => {
    if (isStopped()) return void readable.destroy(error);
    // The bytes before it are read first: they may hold the reason.
    broken = error;
    readable.push(null);
  };
  const bytes = responseBytes(readable, headers['x-clickhouse-exception-tag'], () => broken);
  return {
    bytes: { take: (chunk) => void (readable.push(chunk) || flow.pause()), end: () => void readable.push(null), fail },
    result: read(watched(bytes, limits, stop, tookMs)).finally(() => flow.abort(new Error('its reader has left'))),
  };
}

/**
 * A late error is at the end of the bytes, between marks with a tag that the header names: no data can have it. The
 * marks and the error are cut off.
 * @throws {ClickHouseError} that error; errors of the connection when the response breaks off
 */
async function* responseBytes(
  response: Readable,
  tag: string | string[] | undefined,
  broken: () => Error | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  if (typeof tag !== 'string')
    throw new Error('this ClickHouse does not mark errors in its responses: streams need version 25.11 or later');
  const finder = new MarkFinder(`\r\n__exception__\r\n${tag}\r\n`);
  try {
    for await (const chunk of response) {
      const bytes = finder.push(chunk as Buffer);
      if (bytes.length > 0) yield bytes;
    }
    const error = broken();
    if (error !== undefined) throw error;
  } catch (error) {
    // Behind an exception the connection is cut.
    if (finder.behind === undefined) throw error;
  }
  const { behind } = finder;
  if (behind !== undefined) throw parseError(behind.toString('utf8', 0, errorTextBytesMax));
  if (finder.rest().length > 0) yield finder.rest();
}

/** Passes the bytes on, and throws when there are too many or the waits for them take too long. */
async function* watched(
  bytes: AsyncIterable<Buffer>,
  { waitMsMax, responseBytesMax }: StreamLimits,
  stop: QueryResponse['stop'],
  waitedMs: number,
): AsyncGenerator<Buffer, void, undefined> {
  let [leftMs, leftBytes] = [waitMsMax - waitedMs, responseBytesMax];
  const coming = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      const begun = performance.now();
      const timer = setTimeout(
        () => stop(new ResponseTooLateError(`waited more than ${waitMsMax} ms for the response`)),
        Math.max(leftMs, 0),
      );
      const next = await coming.next().finally(() => clearTimeout(timer));
      if (next.done) return;
      leftMs -= performance.now() - begun;
      leftBytes -= next.value.length;
      if (leftBytes < 0) throw new ResponseTooLargeError(responseBytesMax);
      yield next.value;
    }
  } finally {
    await coming.return?.();
  }
}
