import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { parseError } from '@clickhouse/client';
import type { ClickhouseOptions } from './client.ts';
import { formatParameter, type ParameterValue } from './format-parameter.ts';
import { gatherBytes } from './gather-bytes.ts';
import { AnswerTooLargeError, AnswerTooLateError, QuestionTooLargeError } from './question-errors.ts';
import { answerBytes, errorTextBytesMax, watched } from './stream-answer.ts';

/** A query whose answer is wanted as bytes. */
export interface Question {
  /** With its FORMAT. */
  sql: string;
  /** Bound to the query's `{name:Type}`. */
  params: Readonly<Record<string, ParameterValue>>;
  settings: Readonly<Record<string, string | number>>;
  /** Names the query in the server's logs. */
  queryId: string;
  /** Ends the request; with `cancel_http_readonly_queries_on_client_close` the query too. */
  signal: AbortSignal;
  /** Milliseconds without the whole answer after which the request ends. */
  deadlineMs: number;
  /** A longer answer is not read to its end. */
  answerBytesMax: number;
}

/** A query whose answer is read while it comes, as fast as its reader takes it. */
export interface StreamQuestion extends Question {
  /** Milliseconds of waiting for ClickHouse, its reader's own time not counted, after which the request ends. */
  waitMsMax: number;
}

export interface QueryConnection {
  /**
   * The whole answer. Ask with `wait_end_of_query`, or an error that comes late is in the bytes.
   * @throws {ClickHouseError} what ClickHouse refuses; {QuestionTooLargeError}; {AnswerTooLargeError}; {AnswerTooLateError}; the signal's AbortError;
   * errors of the system (`code` ECONNREFUSED and the like) when ClickHouse cannot be reached
   */
  ask(question: Question): Promise<Buffer>;
  /**
   * What `read` makes of the answer's bytes. While it does not take them, ClickHouse waits. When it ends early, or throws, the request ends.
   * @throws what `ask` throws, some of it from the bytes; what `read` throws
   */
  stream<Result>(question: StreamQuestion, read: (bytes: AsyncIterable<Buffer>) => Promise<Result>): Promise<Result>;
  close(): void;
}

/** ClickHouse refuses any parameter of 131,072 bytes as sent (`http_max_field_value_size`); ours share one such measure. */
const addressBytesMax = 131_000;

/**
 * Asks over kept-alive connections with nothing between. Why not the official client, which does everything else: it waits
 * for a timer of 1 ms before each request and sends and reads through stream pipelines, 2 ms and two thirds of the CPU of
 * a small query (PERFORMANCE.md).
 */
export function openQueryConnection({ url, user, password, applicationName = 'millrace', connectionsMax = 10 }: ClickhouseOptions): QueryConnection {
  const address = new URL(url);
  const isHttps = address.protocol === 'https:';
  const path = address.pathname.replace(/\/$/, '');
  // No more than it takes: they are copied for each request.
  const { protocol, hostname, port } = urlToHttpOptions(address);
  const target = { protocol, hostname, port, method: 'POST' };
  const request = isHttps ? httpsRequest : httpRequest;
  // The server says how long it keeps an idle connection, and the agent lets go of it a second before.
  const agent = new (isHttps ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: connectionsMax, scheduling: 'lifo' });
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  /** `firstMs`: milliseconds without the first byte of the answer after which the request ends. */
  function send<Result>(question: Question, read: (response: IncomingMessage, stop: (error: Error) => void, tookMs: number) => Promise<Result>, firstMs = question.deadlineMs): Promise<Result> {
    return new Promise((resolve, reject) => {
      const { sql, signal, deadlineMs } = question;
      const givenUp = (): Error => new DOMException('the request was given up', { name: 'AbortError', cause: signal.reason });
      if (signal.aborted) return reject(givenUp());
      const begun = performance.now();
      let deadline: NodeJS.Timeout | undefined;
      let isAnswered = false;
      let isOver = false;
      const stop = (error: Error): void => {
        reject(error);
        asked.destroy(error);
      };
      const giveUp = (): void => stop(givenUp());
      const endAfter = (ms: number, leftMs = ms): NodeJS.Timeout => setTimeout(() => stop(new AnswerTooLateError(`no answer within ${ms} ms`)), leftMs);
      const over = (): void => {
        isOver = true;
        clearTimeout(deadline);
        signal.removeEventListener('abort', giveUp);
      };
      // As they are sent, so that nothing is looked up or checked among them.
      const headers = ['host', address.host, 'authorization', authorization, 'user-agent', applicationName, 'content-length', String(Buffer.byteLength(sql))];
      const asked = request({ ...target, path: `${path}/?${searchOf(question)}`, agent, headers }, (response) => {
        const tookMs = performance.now() - begun;
        if (firstMs < deadlineMs) {
          clearTimeout(deadline);
          deadline = endAfter(deadlineMs, deadlineMs - tookMs);
        }
        isAnswered = true;
        // The clock runs until the reader is done, which may be long after ClickHouse is.
        read(response, stop, tookMs).finally(over).then(resolve, reject);
      });
      asked.on('error', (error) => {
        if (!isAnswered) over();
        reject(error);
      });
      // As a text it leaves with its head in one write.
      asked.end(sql);
      // It leaves in a tick that is before this one: what is only needed while it is under way does not hold it up.
      process.nextTick(() => {
        if (isOver) return;
        if (signal.aborted) return giveUp();
        deadline = endAfter(firstMs);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    });
  }

  return {
    ask: (question) => send(question, (response, stop) => collect(response, question.answerBytesMax, stop)),
    stream: (question, read) =>
      send(question, async (response, stop, tookMs) => {
        if (response.statusCode !== 200) throw parseError((await bytesOf(response, errorTextBytesMax, stop)).toString());
        return await read(watched(answerBytes(response), { ...question, waitMsMax: question.waitMsMax - tookMs }, stop));
      }, Math.min(question.waitMsMax, question.deadlineMs)),
    close: () => agent.destroy(),
  };
}

function searchOf({ params, settings, queryId }: Question): string {
  const own = new URLSearchParams({ query_id: queryId });
  for (const [name, value] of Object.entries(params)) own.set(`param_${name}`, formatParameter(value));
  const search = `${textOf(settings)}&${own.toString()}`;
  if (search.length > addressBytesMax) throw new QuestionTooLargeError(`the values of the query take ${search.length} bytes`);
  return search;
}

/** Settings as they stand in an address, by the object that holds them: who asks often gives the same one. */
const settingsTexts = new WeakMap<Question['settings'], string>();

function textOf(settings: Question['settings']): string {
  let text = settingsTexts.get(settings);
  if (text === undefined) {
    text = new URLSearchParams(Object.entries(settings).map(([name, value]): [string, string] => [name, String(value)])).toString();
    settingsTexts.set(settings, text);
  }
  return text;
}

async function collect(response: IncomingMessage, answerBytesMax: number, stop: (error: Error) => void): Promise<Buffer> {
  const isAnswer = response.statusCode === 200;
  const bytes = await bytesOf(response, isAnswer ? answerBytesMax : errorTextBytesMax, stop);
  if (!isAnswer) throw parseError(bytes.toString());
  return bytes;
}

function bytesOf(response: IncomingMessage, bytesMax: number, stop: (error: Error) => void): Promise<Buffer> {
  return gatherBytes(response, bytesMax, () => stop(new AnswerTooLargeError(bytesMax)));
}
