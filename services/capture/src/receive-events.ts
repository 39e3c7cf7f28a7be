import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import { LogUnavailableError, OutcomeUnknownError } from '@millrace/event-log/event-log.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { clientAddress } from './client-address.ts';
import { decodeBody } from './decode-body.ts';
import { parseInstant, type Instant } from './event-time.ts';
import { parseBody, type ParsedBody } from './parse-body.ts';
import { ClientGone, type BodyReader } from './read-body.ts';
import { RequestRefused, sendOk, sendRefusal, type RefusalName } from './replies.ts';
import { requestToken } from './request-token.ts';
import { appendEvents, prepareEvents, type PreparedEvents, type StoreEventsDeps } from './store-events.ts';

export interface ReceiveEventsDeps extends StoreEventsDeps {
  clock: Clock;
  reader: BodyReader;
  trustedProxies: BlockList | null;
  inflatedBytesMax: number;
  /** True while the service stops: connections are closed behind their reply. */
  isDraining: () => boolean;
}

/** Year after 2020: `_` may also hold epoch seconds, which are meaningless here (contract/capture 1.4). */
const underscoreFromMs = Date.UTC(2021, 0, 1);

/**
 * The one handler of every event route: reads, decodes, checks, appends, and answers 200 only after the log has the
 * events on disk. Handles its own failures; the returned promise never rejects.
 */
export function createReceiveEvents(deps: ReceiveEventsDeps) {
  const { figures } = deps;

  return async function receiveEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let status: number;
    try {
      const withoutBody = await receive(deps, request);
      if (deps.isDraining()) response.shouldKeepAlive = false;
      status = sendOk(response, withoutBody);
    } catch (error) {
      status = refuse(deps, response, error);
    }
    figures.replies[status] = (figures.replies[status] ?? 0) + 1;
  };
}

/** Answers whether the reply shall be without a body. */
async function receive(deps: ReceiveEventsDeps, request: IncomingMessage): Promise<boolean> {
  const { figures } = deps;
  const receivedAtMs = deps.clock.nowMs();
  const wire = await deps.reader.read(request);
  figures.bodyBytes += wire.length;
  let held = wire.length;
  figures.bytesInFlight += held;
  try {
    const decoded = decodeBody(wire, deps.inflatedBytesMax);
    const json = decoded instanceof Promise ? await decoded : decoded;
    figures.bytesInFlight += json.length;
    held += json.length;
    const { path, query } = splitUrl(request.url ?? '');
    const body = parseBody(json);
    const token = requestToken(body.envelope, body.events);
    const ip = clientAddress(request, deps.trustedProxies);
    const prepared = await prepareEvents(deps, body, { path, token, receivedAtMs, sentAt: sentAt(body, query), ip });
    await appendEvents(deps, prepared);
    if (isOneTooLargeEvent(prepared)) throw new RequestRefused('eventTooLarge');
    return query?.get('beacon') === '1';
  } finally {
    figures.bytesInFlight -= held;
  }
}

/** A batch with one bad event is not refused for it; a request that is nothing but one too large event is (2.8). */
function isOneTooLargeEvent({ body, batch }: PreparedEvents): boolean {
  return body.events.length === 1 && batch.dropped[0]?.reason === 'message_size_too_large';
}

/** When the client sent the request: a batch says it in the body, one event rather in the query (contract/capture 1.5). */
function sentAt(body: ParsedBody, query: URLSearchParams | null): Instant | null {
  const inBody = parseInstant(body.sentAt);
  const inQuery = query === null ? null : sentAtOf(query);
  return body.envelope === null ? (inQuery ?? inBody) : (inBody ?? inQuery);
}

function sentAtOf(query: URLSearchParams): Instant | null {
  const sent = parseInstant(query.get('sent_at'));
  if (sent !== null) return sent;
  const underscore = Number(query.get('_'));
  return underscore >= underscoreFromMs ? parseInstant(underscore) : null;
}

function splitUrl(url: string): { path: string; query: URLSearchParams | null } {
  const at = url.indexOf('?');
  return at < 0 ? { path: url, query: null } : { path: url.slice(0, at), query: new URLSearchParams(url.slice(at + 1)) };
}

/** The one edge where a failure becomes a reply. Answers with its status, 0 when nobody is left to answer. */
function refuse(deps: ReceiveEventsDeps, response: ServerResponse, error: unknown): number {
  if (error instanceof ClientGone || response.destroyed) return 0;
  return sendRefusal(response, refusalOf(deps, error));
}

function refusalOf(deps: ReceiveEventsDeps, error: unknown): RefusalName {
  if (error instanceof RequestRefused) return error.refusal;
  if (error instanceof LogUnavailableError) return 'logUnavailable';
  if (error instanceof OutcomeUnknownError) return 'outcomeUnknown';
  deps.logger.error({ err: error }, 'a request failed');
  return 'fault';
}
