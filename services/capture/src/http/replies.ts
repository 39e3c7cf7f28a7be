import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { QuotaResource } from '@millrace/contracts/project-limits.ts';

interface ErrorReply {
  status: number;
  type: string;
  code: string;
  detail: string;
  /** The field of the body that the error is about. */
  attr?: string;
}

/** Every answer of capture that is not a success (contract/capture 1.6, 1.7; body shape: contract/decisions 38). */
const errorReplies = {
  unreadableCompression: {
    status: 400,
    type: 'invalid_request',
    code: 'parse_error',
    detail: 'The body cannot be decompressed.',
  },
  unreadableLz: {
    status: 400,
    type: 'invalid_request',
    code: 'parse_error',
    detail: 'The body is not what lz-string writes.',
  },
  notUtf8: { status: 400, type: 'invalid_request', code: 'parse_error', detail: 'The body is not valid UTF-8.' },
  notJson: { status: 400, type: 'invalid_request', code: 'parse_error', detail: 'The body is not valid JSON.' },
  tooDeep: { status: 400, type: 'invalid_request', code: 'parse_error', detail: 'The body is nested too deeply.' },
  notAnEvent: {
    status: 400,
    type: 'validation_error',
    code: 'invalid_input',
    detail: 'The body must be an event, an array of events or an object with a batch of events.',
  },
  batchNotAnArray: {
    status: 400,
    type: 'validation_error',
    code: 'invalid_input',
    attr: 'batch',
    detail: 'The batch must be an array of events.',
  },
  emptyBatch: { status: 400, type: 'validation_error', code: 'empty_batch', detail: 'The request holds no events.' },
  noToken: {
    status: 401,
    type: 'authentication_error',
    code: 'not_authenticated',
    attr: 'api_key',
    detail: 'A project token is required, as api_key.',
  },
  noAuthorization: {
    status: 401,
    type: 'authentication_error',
    code: 'missing_authorization',
    detail: 'A project token is required, as Authorization: Bearer.',
  },
  mixedTokens: {
    status: 401,
    type: 'authentication_error',
    code: 'inconsistent',
    attr: 'api_key',
    detail: 'The events of one request must carry the same project token.',
  },
  emptyToken: {
    status: 401,
    type: 'authentication_error',
    code: 'empty',
    attr: 'api_key',
    detail: 'The project token is empty.',
  },
  longToken: {
    status: 401,
    type: 'authentication_error',
    code: 'too_long',
    attr: 'api_key',
    detail: 'The project token is too long.',
  },
  foreignToken: {
    status: 401,
    type: 'authentication_error',
    code: 'not_ascii',
    attr: 'api_key',
    detail: 'The project token may hold ASCII characters only.',
  },
  nullByteToken: {
    status: 401,
    type: 'authentication_error',
    code: 'null_byte',
    attr: 'api_key',
    detail: 'The project token holds a null byte.',
  },
  personalKey: {
    status: 401,
    type: 'authentication_error',
    code: 'personal_api_key',
    attr: 'api_key',
    detail: 'This is a personal API key. Events are sent with the project token.',
  },
  unknownToken: {
    status: 401,
    type: 'authentication_error',
    code: 'authentication_failed',
    attr: 'api_key',
    detail: 'No project has this token.',
  },
  notFound: { status: 404, type: 'invalid_request', code: 'not_found', detail: 'There is nothing at this address.' },
  wrongMethod: {
    status: 405,
    type: 'invalid_request',
    code: 'method_not_allowed',
    detail: 'This address does not take this method. Events are sent with POST, or with GET and data.',
  },
  stalled: {
    status: 408,
    type: 'invalid_request',
    code: 'body_read_timeout',
    detail: 'The body did not arrive in time.',
  },
  tooSlow: { status: 408, type: 'invalid_request', code: 'body_read_timeout', detail: 'The body arrived too slowly.' },
  bodyTooLarge: { status: 413, type: 'validation_error', code: 'payload_too_large', detail: 'The body is too large.' },
  inflatedTooLarge: {
    status: 413,
    type: 'validation_error',
    code: 'payload_too_large',
    detail: 'The decompressed body is too large.',
  },
  tooManyEvents: {
    status: 413,
    type: 'validation_error',
    code: 'too_many_events',
    attr: 'batch',
    detail: 'The request holds too many events.',
  },
  tooManyKeys: {
    status: 413,
    type: 'validation_error',
    code: 'too_many_keys',
    detail: 'The objects of the body have too many different keys.',
  },
  tooManyValues: {
    status: 413,
    type: 'validation_error',
    code: 'too_many_values',
    detail: 'The body has too many or too large objects where texts, numbers and groups are expected.',
  },
  eventTooLarge: { status: 413, type: 'validation_error', code: 'event_too_large', detail: 'The event is too large.' },
  headersTooLarge: {
    status: 431,
    type: 'invalid_request',
    code: 'headers_too_large',
    detail: 'The headers are too large.',
  },
  malformedRequest: {
    status: 400,
    type: 'invalid_request',
    code: 'malformed_request',
    detail: 'This is not a valid HTTP request.',
  },
  unsupportedType: {
    status: 415,
    type: 'invalid_request',
    code: 'unsupported_content_type',
    detail: 'The content type must be application/json.',
  },
  unsupportedEncoding: {
    status: 415,
    type: 'invalid_request',
    code: 'unsupported_encoding',
    detail: 'The content encoding must be gzip, deflate, br or zstd.',
  },
  missingUuid: {
    status: 400,
    type: 'validation_error',
    code: 'missing_event_uuid',
    attr: 'uuid',
    detail: 'Each event must have a uuid.',
  },
  invalidUuid: {
    status: 400,
    type: 'validation_error',
    code: 'invalid_event_uuid',
    attr: 'uuid',
    detail: 'The uuid of an event is not a UUID.',
  },
  duplicateUuid: {
    status: 400,
    type: 'validation_error',
    code: 'duplicate_event_uuid',
    attr: 'uuid',
    detail: 'Two events of the batch have the same uuid.',
  },
  rateLimited: {
    status: 429,
    type: 'throttled_error',
    code: 'rate_limited',
    detail: 'This project token sends more events than it may. Send the request again later.',
  },
  internalError: {
    status: 500,
    type: 'server_error',
    code: 'error',
    detail: 'Something went wrong here. The request may be sent again.',
  },
  overloaded: {
    status: 503,
    type: 'server_error',
    code: 'overloaded',
    detail: 'Too much is under way. Send the request again soon.',
  },
  slowestEnded: {
    status: 503,
    type: 'server_error',
    code: 'overloaded',
    detail: 'Too much is under way, and this body arrived slowest. Send the request again soon.',
  },
  logUnavailable: {
    status: 503,
    type: 'server_error',
    code: 'log_unavailable',
    detail: 'Events cannot be stored right now. Send the request again soon.',
  },
  outcomeUnknown: {
    status: 503,
    type: 'server_error',
    code: 'outcome_unknown',
    detail: 'It is unknown whether the events were stored. Send the same request again soon.',
  },
} as const satisfies Record<string, ErrorReply>;

export type ErrorReplyName = keyof typeof errorReplies;

/** Thrown when a request as a whole is refused; becomes its reply at one edge, `replyToFailure`. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly reply: ErrorReplyName;
  constructor(reply: ErrorReplyName, cause?: unknown) {
    super(errorReplies[reply].detail, cause === undefined ? undefined : { cause });
    this.reply = reply;
  }

  /** True when the body could not be decoded, or was no JSON. */
  isUnreadable(): boolean {
    return errorReplies[this.reply].code === 'parse_error';
  }
}

interface ReadyReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** ASCII. As text it leaves in one piece with the headers; a buffer would cost a second write. */
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
function errorBody(name: ErrorReplyName): Record<string, string | null> {
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

/** CORS headers (contract/capture 1.8) and the echo of `X-Request-Id`; null when the client asked for neither. */
function echoHeaders(asked: IncomingHttpHeaders): Record<string, string> | null {
  const { origin, 'x-request-id': requestId } = asked;
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

/** Answers that everything was taken: `{"status":"Ok"}`, or 204 without a body for old beacons (contract/capture 1.4). */
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

/** Answers with an error; 429 and 503 carry `Retry-After: 1`. `more` are headers of its own. */
export function sendError(
  response: ServerResponse,
  name: ErrorReplyName,
  more: Record<string, string> | null = null,
): number {
  return send(response, readyErrorReplies[name], more);
}

/** Answers with any JSON value, and CORS as everywhere. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  more: Record<string, string> = {},
): number {
  return sendJsonBytes(response, status, Buffer.from(JSON.stringify(value)), more);
}

/** As `sendJson`, with what is written already. */
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

/** Answers a CORS preflight (contract/capture 1.8). */
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
