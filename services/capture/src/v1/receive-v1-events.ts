import type { IncomingMessage, ServerResponse } from 'node:http';
import { v1BodyBytesMax } from '../http/body-limits.ts';
import { inflate, inflateOrPlain, isGzip, type Allowance } from '../http/inflate/inflate.ts';
import type { ParsedBody } from '../http/parse-body.ts';
import { HeldBytes, readDecoded } from '../http/read-decoded.ts';
import { clientAddress } from '../http/client-address.ts';
import type { ReceiveEventsDeps } from '../receive-events.ts';
import { isLogFailure, replyToFailure } from '../http/failure-reply.ts';
import type { ErrorReplyName } from '../http/error-replies.ts';
import { errorReply, sendJson } from '../http/replies.ts';
import { splitUrl } from '../http/split-url.ts';
import type { EventSink } from '../append/append-all.ts';
import { appendEvents, prepareEvents, reportBatchError, type PreparedEvents } from '../append/store-events.ts';
import { createAcceptV1Event } from './accept-v1-event.ts';
import { readBatch } from './read-batch.ts';
import { readV1Headers, type V1Request } from './v1-request.ts';
import { v1ErrorBody } from './v1-code.ts';
import { v1Results } from './v1-results.ts';

/**
 * The handler of the V1 protocol (contract/capture 1.10): a result for each event instead of silence about what was
 * dropped. Handles its own failures; the returned promise never rejects.
 */
export function createReceiveV1Events(deps: ReceiveEventsDeps) {
  const { counters } = deps;
  return async function receiveV1Events(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const held = new HeldBytes(counters);
    let status: number;
    try {
      status = await receive(deps, request, response, held);
    } catch (error) {
      status = replyToFailure(deps, response, error, sendV1Error);
    }
    held.release();
    counters.replies[status] = (counters.replies[status] ?? 0) + 1;
  };
}

async function receive(
  deps: ReceiveEventsDeps,
  request: IncomingMessage,
  response: ServerResponse,
  held: HeldBytes,
): Promise<number> {
  const receivedAtMs = deps.clock.nowMs();
  // The headers are checked after the body is read: an earlier error would break the connection.
  const json = await readDecoded(deps, request, held, v1BodyBytesMax, (wire, sender) =>
    decoded(wire, readV1Headers(request.headers), { inflatedBytesMax: deps.inflatedBytesMax, sender }),
  );
  const head = readV1Headers(request.headers);
  const { body, uuids } = await readBatch(json, (type, events) =>
    reportBatchError(deps, {
      type,
      events,
      path: splitUrl(request.url).path,
      token: head.token,
      receivedAtMs,
      sdk: head.sdk,
    }),
  );
  const prepared = await prepareEvents(
    deps,
    body,
    arrivalOf(request, head, receivedAtMs, body, deps),
    createAcceptV1Event(head.sdk),
  );
  const stored = await append(deps, prepared);
  const results = v1Results(uuids, prepared.batch, stored);
  return sendJson(response, 200, { results }, { ...requestIdOf(response), ...(!stored && { 'retry-after': '1' }) });
}

/** As in v0, what a proxy has inflated already is taken as it is. */
function decoded(wire: Buffer, { coding }: V1Request, allowance: Allowance): Buffer | Promise<Buffer> {
  if (isGzip(wire)) return inflate(wire, 'gzip', allowance);
  return coding === null || coding === 'gzip' ? wire : inflateOrPlain(wire, coding, allowance);
}

function arrivalOf(
  request: IncomingMessage,
  { token, sentAt, sdk }: V1Request,
  receivedAtMs: number,
  body: ParsedBody,
  deps: ReceiveEventsDeps,
) {
  const isInternal = body.envelope?.['capture_internal'] === true;
  return {
    path: splitUrl(request.url).path,
    token,
    receivedAtMs,
    sentAt,
    sdk,
    ip: isInternal ? '127.0.0.1' : clientAddress(request, deps.trustedProxies),
  };
}

/** False when some of the log was written and some was not. When none of it was written the whole request fails. */
async function append(deps: ReceiveEventsDeps, prepared: PreparedEvents): Promise<boolean> {
  const appends = prepared.batch.groups.length;
  let written = 0;
  const sink: EventSink = {
    append: (lane, partition, entries, settle) =>
      deps.sink.append(lane, partition, entries, (error) => {
        if (error === null && lane !== 'warnings') written++;
        settle(error);
      }),
  };
  try {
    await appendEvents({ ...deps, sink }, prepared);
    return true;
  } catch (error) {
    if (!(appends > 1 && written > 0 && isLogFailure(error))) throw error;
    deps.storeFailures.record(error);
    return false;
  }
}

/** Echoed, so that the client can match replies with its attempts. */
function requestIdOf(response: ServerResponse): Record<string, string> {
  const id = response.req.headers['posthog-request-id'];
  return typeof id === 'string' && id.length <= 200 ? { 'posthog-request-id': id } : {};
}

/** Replies with an error as `sendError` does: V1 has an error body of its own (contract/decisions 38). */
export function sendV1Error(
  response: ServerResponse,
  name: ErrorReplyName,
  headers: Record<string, string> = {},
): number {
  const { status, headers: usual } = errorReply(name);
  return sendJson(response, status, v1ErrorBody(name), { ...usual, ...headers, ...requestIdOf(response) });
}
