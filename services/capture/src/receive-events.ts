import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import type { Clock } from '@millrace/runtime/clock.ts';
import { clientAddress } from './client-address.ts';
import { decodeBody } from './decode/decode-body.ts';
import { limitedResources } from './control/quota-resources.ts';
import { parseInstant, type Instant } from './event-time.ts';
import { replyToFailure } from './failure-reply.ts';
import { parseBody, type ParsedBody } from './parse-body.ts';
import { RequestRefused, sendOk, sendQuotaLimited } from './replies.ts';
import { requestToken } from './request-token.ts';
import { sendStrictFaults, strictFaults } from './strict-faults.ts';
import { appendEvents, prepareEvents, type PreparedEvents, type StoreEventsDeps } from './store-events.ts';
import { withBody, type BodyDeps } from './with-body.ts';

export interface ReceiveEventsDeps extends StoreEventsDeps, BodyDeps {
  clock: Clock;
  trustedProxies: BlockList | null;
  /** True while the service stops: connections are closed behind their reply. */
  isDraining: () => boolean;
}

/** Year after 2020: `_` may also hold epoch seconds, which are meaningless here (contract/capture 1.4). */
const underscoreFromMs = Date.UTC(2021, 0, 1);

/** Where the event routes differ. */
export interface EventRoute {
  /** Name of events that have none: `$identify` on `/engage` alone (contract/capture 1.5). */
  nameIfMissing?: string;
}

/**
 * The handler of an event route: reads, decodes, checks, appends, and answers 200 only after the log has the events on
 * disk. Handles its own failures; the returned promise never rejects.
 */
export function createReceiveEvents(deps: ReceiveEventsDeps, route: EventRoute = {}) {
  const { figures } = deps;

  return async function receiveEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let status: number;
    try {
      status = await receive(deps, route, request, response);
    } catch (error) {
      status = replyToFailure(deps.logger, response, error);
    }
    figures.replies[status] = (figures.replies[status] ?? 0) + 1;
  };
}

/** Answers with the status of the reply. */
function receive(deps: ReceiveEventsDeps, route: EventRoute, request: IncomingMessage, response: ServerResponse): Promise<number> {
  const receivedAtMs = deps.clock.nowMs();
  const { path, rawQuery } = splitUrl(request.url ?? '');
  const decode = (wire: Buffer): Buffer | Promise<Buffer> => {
    if (request.method === 'GET' && wire.length === 0 && rawQuery?.includes('data=') !== true) throw new RequestRefused('wrongMethod');
    return decodeBody(wire, request.headers, rawQuery, deps.inflatedBytesMax);
  };
  return withBody(deps, request, undefined, decode, async (json) => {
    const query = rawQuery === null ? null : new URLSearchParams(rawQuery);
    const body = parseBody(json);
    const token = requestToken(body.envelope, body.events);
    const ip = clientAddress(request, deps.trustedProxies);
    const arrival = { path, token, receivedAtMs, sentAt: sentAt(body, query), ip, nameIfMissing: route.nameIfMissing };
    const preparing = prepareEvents(deps, body, arrival);
    const prepared = preparing instanceof Promise ? await preparing : preparing;
    await appendEvents(deps, prepared);
    if (isOneTooLargeEvent(prepared)) throw new RequestRefused('eventTooLarge');
    if (deps.isDraining()) response.shouldKeepAlive = false;
    return answer(prepared, request, query, response);
  });
}

function answer(prepared: PreparedEvents, request: IncomingMessage, query: URLSearchParams | null, response: ServerResponse): number {
  const isStrict = request.headers['x-capture-strict'] === '1' || query?.get('strict') === '1';
  const faults = isStrict ? strictFaults(prepared) : null;
  if (faults !== null) return sendStrictFaults(response, faults, prepared.batch.accepted);
  const withoutBody = query?.get('beacon') === '1';
  const { dropped } = prepared.batch;
  const limited = dropped.length === 0 ? null : limitedResources(dropped.map(({ reason }) => reason));
  return limited === null ? sendOk(response, withoutBody) : sendQuotaLimited(response, limited, withoutBody);
}

/** A batch with one bad event is not refused for it; a request that is nothing but one too large event is (2.8). */
function isOneTooLargeEvent({ body, batch }: PreparedEvents): boolean {
  return body?.events.length === 1 && batch.dropped[0]?.reason === 'message_size_too_large';
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

function splitUrl(url: string): { path: string; rawQuery: string | null } {
  const at = url.indexOf('?');
  return at < 0 ? { path: url, rawQuery: null } : { path: url.slice(0, at), rawQuery: url.slice(at + 1) };
}
