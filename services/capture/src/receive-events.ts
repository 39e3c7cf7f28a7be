import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Instant } from './events/instant.ts';
import { parseInstant } from './events/parse-instant.ts';
import { decodeBody } from './http/decode-body.ts';
import { parseBody, parseLargeBody, type ParsedBody } from './http/parse-body.ts';
import { HeldBytes, readDecoded, type BodyDeps } from './http/read-decoded.ts';
import { clientAddress } from './http/client-address.ts';
import { limitedResources } from './limits/quota-resources.ts';
import { atOnceBytesMax } from './body/in-turns.ts';
import { requestToken } from './http/request-token.ts';
import { replyToFailure } from './http/failure-reply.ts';
import { sendOk, sendQuotaLimited } from './http/replies.ts';
import { RequestError } from './http/request-error.ts';
import { sendStrictErrors, strictErrors } from './append/strict-errors.ts';
import { splitUrl } from './http/split-url.ts';
import { appendEvents, prepareEvents, type PreparedEvents, type StoreEventsDeps } from './append/store-events.ts';

export interface ReceiveEventsDeps extends StoreEventsDeps, BodyDeps {
  clock: Clock;
  trustedProxies: BlockList | null;
}

/** Year after 2020: `_` may also hold epoch seconds, which are meaningless here (contract/capture 1.4). */
const underscoreFromMs = Date.UTC(2021, 0, 1);

/** A field of the query that carries a body; `metadata=` is none. */
const dataField = /(?:^|&)data=/;

/** Differences between the event routes. */
export interface EventRoute {
  /** Name of events that have none: `$identify` on `/engage` alone (contract/capture 1.5). */
  nameIfMissing?: string;
}

/**
 * The handler of an event route: reads, decodes, checks, appends, and replies 200 only after the log has the events on
 * disk. Handles its own failures; the returned promise never rejects.
 */
export function createReceiveEvents(deps: ReceiveEventsDeps, route: EventRoute = {}) {
  const { counters } = deps;

  return async function receiveEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const held = new HeldBytes(counters);
    const receivedAtMs = deps.clock.nowMs();
    const { path, rawQuery } = splitUrl(request.url);
    const query = rawQuery === null ? null : new URLSearchParams(rawQuery);
    const strict = isStrict(request, query);
    let status: number;
    try {
      const json = await readJson(deps, request, held, rawQuery);
      const line = { path, query, receivedAtMs, nameIfMissing: route.nameIfMissing, strict };
      const preparing = prepare(deps, json, line, request);
      const prepared = preparing instanceof Promise ? await preparing : preparing;
      await appendEvents(deps, prepared);
      if (isOneTooLargeEvent(prepared)) throw new RequestError('eventTooLarge');
      status = reply(prepared, strict, query, response);
    } catch (error) {
      status = replyToFailure(deps, response, error);
    }
    held.release();
    counters.replies[status] = (counters.replies[status] ?? 0) + 1;
  };
}

function readJson(
  deps: ReceiveEventsDeps,
  request: IncomingMessage,
  held: HeldBytes,
  rawQuery: string | null,
): Promise<Buffer> {
  return readDecoded(deps, request, held, undefined, (wire, sender) => {
    if (request.method === 'GET' && wire.length === 0 && (rawQuery === null || !dataField.test(rawQuery)))
      throw new RequestError('methodNotAllowed');
    return decodeBody(wire, request.headers, rawQuery, { inflatedBytesMax: deps.inflatedBytesMax, sender });
  });
}

interface RequestLine {
  path: string;
  query: URLSearchParams | null;
  receivedAtMs: number;
  nameIfMissing: string | undefined;
  strict: boolean;
}

/** After this call nothing holds the body, so it need not stay in memory while the log writes. */
function prepare(deps: ReceiveEventsDeps, json: Buffer, line: RequestLine, request: IncomingMessage) {
  if (json.length > atOnceBytesMax) return parseLargeBody(json).then((body) => prepareBody(deps, body, line, request));
  return prepareBody(deps, parseBody(json), line, request);
}

function prepareBody(
  deps: ReceiveEventsDeps,
  body: ParsedBody,
  { path, query, receivedAtMs, nameIfMissing, strict }: RequestLine,
  request: IncomingMessage,
) {
  const token = requestToken(body.envelope, body.events);
  const ip = clientAddress(request, deps.trustedProxies);
  const sent = sentAt(body, query);
  return prepareEvents(deps, body, { path, token, receivedAtMs, sentAt: sent, ip, nameIfMissing, strict });
}

function reply(
  prepared: PreparedEvents,
  strict: boolean,
  query: URLSearchParams | null,
  response: ServerResponse,
): number {
  const errors = strict ? strictErrors(prepared) : null;
  if (errors !== null) return sendStrictErrors(response, errors, prepared.batch.accepted);
  const withoutBody = query?.get('beacon') === '1';
  const { dropped } = prepared.batch;
  const limited = dropped.length === 0 ? null : limitedResources(dropped.map(({ reason }) => reason));
  return limited === null ? sendOk(response, withoutBody) : sendQuotaLimited(response, limited, withoutBody);
}

/** By header or query, whatever the value, unless it says no. Whoever writes `true` wants to be told (contract/capture 2.8). */
function isStrict(request: IncomingMessage, query: URLSearchParams | null): boolean {
  return saysYes(request.headers['x-capture-strict']) || (query !== null && saysYes(query.get('strict')));
}

const saysYes = (value: string | string[] | null | undefined): boolean =>
  value !== undefined && value !== null && !saysNo.has(String(value).trim().toLowerCase());
const saysNo: ReadonlySet<string> = new Set(['0', 'false', 'no', 'off']);

/** A batch with one bad event is not refused for it; a request that is nothing but one too large event is (2.8). */
function isOneTooLargeEvent({ body, batch }: PreparedEvents): boolean {
  return body?.events.length === 1 && batch.dropped[0]?.reason === 'message_size_too_large';
}

/** Time at which the client sent the request: in the body of a batch, mostly in the query of one event (contract/capture 1.5). */
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
