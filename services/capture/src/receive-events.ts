import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import type { BundleEntry } from '@millrace/contracts/event-bundle.ts';
import type { CapturedWarning } from '@millrace/contracts/ingestion-warnings.ts';
import { LogUnavailableError, OutcomeUnknownError } from '@millrace/event-log/event-log.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logger.ts';
import { acceptBatch, type AcceptedBatch } from './accept-batch.ts';
import { requestHead, type RequestFacts } from './accept-event.ts';
import { appendAll, type EventSink } from './append-all.ts';
import type { CaptureFigures } from './capture-figures.ts';
import { clientAddress } from './client-address.ts';
import { decodeBody } from './decode-body.ts';
import { formatInstant, parseInstant, type Instant } from './event-time.ts';
import { parseBody, type ParsedBody } from './parse-body.ts';
import type { ProjectTokens, TokenAnswer } from './project-tokens.ts';
import { ClientGone, type BodyReader } from './read-body.ts';
import { RequestRefused, sendOk, sendRefusal, type RefusalName } from './replies.ts';
import { requestToken } from './request-token.ts';
import { aggregateWarnings } from './request-warnings.ts';

export interface ReceiveEventsDeps {
  clock: Clock;
  logger: Logger;
  reader: BodyReader;
  tokens: ProjectTokens;
  sink: EventSink;
  partitionOf: (key: string) => number;
  figures: CaptureFigures;
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
    await store(deps, parseBody(json), { path, query, receivedAtMs, ip: clientAddress(request, deps.trustedProxies) });
    return query?.get('beacon') === '1';
  } finally {
    figures.bytesInFlight -= held;
  }
}

interface Arrival {
  path: string;
  query: URLSearchParams | null;
  receivedAtMs: number;
  ip: string | undefined;
}

async function store(deps: ReceiveEventsDeps, body: ParsedBody, arrival: Arrival): Promise<void> {
  const { figures, tokens } = deps;
  const token = requestToken(body.envelope, body.events);
  const projectId = projectOf(tokens.known(token) ?? (await tokens.resolve(token)));
  if (projectId === null) figures.unverifiedRequests++;

  const { receivedAtMs, ip } = arrival;
  const receivedAt = formatInstant({ ms: receivedAtMs, us: 0 });
  const head = requestHead({ token, projectId, receivedAt, ip, historical: body.historical });
  const facts: RequestFacts = { token, receivedAtMs, sentAt: sentAt(body, arrival.query), head };
  const batch = acceptBatch(body, facts, deps.partitionOf);
  for (const reason of batch.dropped) figures.eventsDropped[reason]++;

  const appended = appendAll(deps.sink, body.historical ? 'historical' : 'main', batch.byPartition);
  if (batch.warnings.length === 0) await appended;
  else {
    const warnings = aggregateWarnings(batch.warnings, body.events, { token, projectId, receivedAt, path: arrival.path });
    await Promise.all([appended, storeWarnings(deps, token, warnings)]);
  }
  figures.eventsAccepted += batch.accepted;
  if (isOneTooLargeEvent(body, batch)) throw new RequestRefused('eventTooLarge');
}

/**
 * Warnings are awaited, so that after the reply they are as durable as the events; but whether that worked never decides
 * about the request: its events are stored, and sending them again for the sake of a warning would be worse.
 */
async function storeWarnings(deps: ReceiveEventsDeps, token: string, warnings: readonly CapturedWarning[]): Promise<void> {
  const entries = warnings.map((warning): BundleEntry => ({ head: Buffer.from(JSON.stringify(warning)), body: nothing }));
  try {
    await deps.sink.append('warnings', deps.partitionOf(token), entries);
  } catch (error) {
    deps.figures.warningsLost++;
    deps.logger.debug({ err: error }, 'ingestion warnings were not stored');
  }
}

const nothing = Buffer.alloc(0);

/** @throws {RequestRefused} when it is known that no project has the token. */
function projectOf(answer: TokenAnswer): number | null {
  if (answer === 'unknown') throw new RequestRefused('unknownToken');
  return answer === 'unverified' ? null : answer;
}

/** A batch with one bad event is not refused for it; a request that is nothing but one too large event is (2.8). */
function isOneTooLargeEvent(body: ParsedBody, { dropped }: AcceptedBatch): boolean {
  return body.events.length === 1 && dropped[0] === 'message_size_too_large';
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
