import type { IncomingMessage } from 'node:http';
import { parseError } from '@clickhouse/client';
import { MarkFinder } from './mark-finder.ts';
import { AnswerTooLargeError, AnswerTooLateError } from './question-errors.ts';

/** More of what ClickHouse says about an error is not read. */
export const errorTextBytesMax = 100_000;

/**
 * The bytes of an answer that begins before its query has ended. What goes wrong then stands behind the bytes, between marks
 * with a tag that the header names: no data can have it. None of that is let through.
 * @throws {ClickHouseError} what went wrong; errors of the connection when the answer breaks off
 */
export async function* answerBytes(response: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
  const tag = response.headers['x-clickhouse-exception-tag'];
  if (typeof tag !== 'string') throw new Error('this ClickHouse does not mark errors in its answers: streams need version 25.11 or later');
  const finder = new MarkFinder(`\r\n__exception__\r\n${tag}\r\n`);
  try {
    for await (const chunk of response) {
      const bytes = finder.push(chunk as Buffer);
      if (bytes.length > 0) yield bytes;
    }
  } catch (error) {
    // Behind an exception the connection is cut.
    if (finder.behind === undefined) throw error;
  }
  const { behind } = finder;
  if (behind !== undefined) throw parseError(behind.toString('utf8', 0, errorTextBytesMax));
  if (finder.rest().length > 0) yield finder.rest();
}

/** The same bytes, while there are not too many of them and they do not take too long: a clock runs while they are waited for. */
export async function* watched(
  bytes: AsyncIterable<Buffer>,
  { waitMsMax, answerBytesMax }: { waitMsMax: number; answerBytesMax: number },
  stop: (error: Error) => void,
): AsyncGenerator<Buffer, void, undefined> {
  let [leftMs, leftBytes] = [waitMsMax, answerBytesMax];
  const coming = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      const begun = performance.now();
      const timer = setTimeout(() => stop(new AnswerTooLateError(`waited more than ${waitMsMax} ms for the answer`)), leftMs);
      const next = await coming.next().finally(() => clearTimeout(timer));
      if (next.done) return;
      leftMs -= performance.now() - begun;
      leftBytes -= next.value.length;
      if (leftBytes < 0) throw new AnswerTooLargeError(answerBytesMax);
      yield next.value;
    }
  } finally {
    await coming.return?.();
  }
}
