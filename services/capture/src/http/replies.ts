import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { QuotaResource } from '@millrace/contracts/project-limits.ts';
import { errorReplies, type ErrorReply, type ErrorReplyName } from './error-replies.ts';

interface ReadyReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** ASCII. As text it is sent in one piece with the headers; a buffer would cost a second write. */
  body: string;
}

function ready(status: number, value: unknown, more: Record<string, string> = {}): ReadyReply {
  const body = value === undefined ? '' : JSON.stringify(value);
  const type: Record<string, string> = body.length > 0 ? { 'content-type': 'application/json' } : {};
  const length: Record<string, string> = status === 204 ? {} : { 'content-length': String(body.length) };
  return { status, headers: Object.freeze({ ...type, ...length, ...more }), body };
}

/** Status, code, sentence and headers of an error, for protocols with error bodies of their own. */
export function errorReply(name: ErrorReplyName): {
  status: number;
  code: string;
  detail: string;
  headers: Record<string, string>;
} {
  const { status, code, detail } = errorReplies[name];
  return { status, code, detail, headers: errorHeaders(name) };
}

/** The body of an error: the superset that every client finds its field in (contract/decisions 38). */
export function errorBody(name: ErrorReplyName): Record<string, string | null> {
  const facts: ErrorReply = errorReplies[name];
  return { type: facts.type, code: facts.code, detail: facts.detail, attr: facts.attr ?? null, error: facts.detail };
}

/** Errors of requests whose body may not have come to its end. */
const closing: ReadonlySet<ErrorReplyName> = new Set(['stalled', 'tooSlow', 'bodyTooLarge', 'slowestEnded']);

/** The headers of an error. A connection on which the rest of a body may still come cannot be used again. */
function errorHeaders(name: ErrorReplyName): Record<string, string> {
  const { status } = errorReplies[name];
  const headers: Record<string, string> = {};
  if (status === 503 || status === 429) headers['retry-after'] = '1';
  if (status === 405) headers['allow'] = 'GET, POST, OPTIONS';
  if (closing.has(name)) headers['connection'] = 'close';
  return headers;
}

function readyErrorReply(name: ErrorReplyName): ReadyReply {
  return ready(errorReplies[name].status, errorBody(name), errorHeaders(name));
}

const readyErrorReplies = Object.fromEntries(
  (Object.keys(errorReplies) as ErrorReplyName[]).map((name) => [name, readyErrorReply(name)]),
) as Record<ErrorReplyName, ReadyReply>;

const okReply = ready(200, { status: 'Ok' });
const okWithoutBody = ready(204, undefined);
const preflightReply = ready(200, undefined);

const requestIdLengthMax = 200;

/** CORS headers (contract/capture 1.8) and the echo of `X-Request-Id`; null when the client wants neither. */
function echoHeaders(requestHeaders: IncomingHttpHeaders): Record<string, string> | null {
  const { origin, 'x-request-id': requestId } = requestHeaders;
  if (origin === undefined && requestId === undefined) return null;
  const headers: Record<string, string> = {};
  if (typeof requestId === 'string' && requestId.length <= requestIdLengthMax) headers['x-request-id'] = requestId;
  if (origin !== undefined) {
    headers['access-control-allow-origin'] = origin;
    headers['access-control-allow-credentials'] = 'true';
    headers['access-control-expose-headers'] = 'Retry-After, X-Request-Id, PostHog-Request-Id';
    headers['vary'] = 'Origin';
  }
  return headers;
}

function send(response: ServerResponse, reply: ReadyReply, extra: Record<string, string> | null): number {
  const echo = echoHeaders(response.req.headers);
  const headers = echo === null && extra === null ? reply.headers : { ...reply.headers, ...echo, ...extra };
  response.writeHead(reply.status, headers);
  response.end(reply.body, 'latin1');
  return reply.status;
}

/**
 * Replies that everything was taken: `{"status":"Ok"}`, or 204 without a body for old beacons (contract/capture 1.4).
 */
export function sendOk(response: ServerResponse, withoutBody: boolean): number {
  return send(response, withoutBody ? okWithoutBody : okReply, null);
}

/** As `sendOk`; some events were dropped because a quota was used up, and SDKs may wait with more (contract/capture 1.7). */
export function sendQuotaLimited(
  response: ServerResponse,
  resources: readonly QuotaResource[],
  withoutBody: boolean,
): number {
  return send(response, withoutBody ? okWithoutBody : ready(200, { status: 'Ok', quota_limited: resources }), null);
}

/** Replies with an error; 429 and 503 carry `Retry-After: 1`. `more` are headers of its own. */
export function sendError(
  response: ServerResponse,
  name: ErrorReplyName,
  more: Record<string, string> | null = null,
): number {
  return send(response, readyErrorReplies[name], more);
}

/** As `sendError`, with a sentence about this request in place of the usual one. */
export function sendErrorWith(response: ServerResponse, name: ErrorReplyName, detail: string): number {
  return sendJson(
    response,
    errorReplies[name].status,
    { ...errorBody(name), detail, error: detail },
    errorHeaders(name),
  );
}

/** Replies with any JSON value, and CORS as everywhere. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  more: Record<string, string> = {},
): number {
  return sendJsonBytes(response, status, Buffer.from(JSON.stringify(value)), more);
}

/** As `sendJson`, for JSON that is printed already. */
export function sendJsonBytes(
  response: ServerResponse,
  status: number,
  body: Buffer,
  more: Record<string, string> = {},
): number {
  const headers = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...echoHeaders(response.req.headers),
    ...more,
  };
  response.writeHead(status, headers);
  response.end(body);
  return status;
}

/** Replies to a CORS preflight (contract/capture 1.8). */
export function sendPreflight(response: ServerResponse): number {
  const wanted = response.req.headers['access-control-request-headers'];
  return send(response, preflightReply, {
    'access-control-allow-methods': 'GET, POST, OPTIONS, HEAD',
    'access-control-max-age': '86400',
    ...(typeof wanted === 'string' && { 'access-control-allow-headers': wanted }),
  });
}

/** An error reply as bytes of HTTP, for requests that never became one (malformed or stalled headers). */
export function rawErrorReply(name: ErrorReplyName, reason: string): string {
  const { status, headers, body } = readyErrorReplies[name];
  const lines = Object.entries({ ...headers, 'access-control-allow-origin': '*', connection: 'close' });
  const head = [`HTTP/1.1 ${status} ${reason}`, ...lines.map(([key, value]) => `${key}: ${value}`)].join('\r\n');
  return `${head}\r\n\r\n${body}`;
}
