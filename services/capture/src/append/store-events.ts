import type { EntryDraft } from '@millrace/captured-event/event-bundle.ts';
import type { CaptureWarningType } from '@millrace/contracts/capture-reasons.ts';
import type { CapturedWarning } from '@millrace/contracts/ingestion-warnings.ts';
import { acceptBatch, acceptBatchInParts, type AcceptedBatch } from './accept-batch.ts';
import { acceptEvent, requestHead } from '../events/accept-event.ts';
import { formatInstant, type Instant } from '../events/instant.ts';
import type { ParsedBody } from '../http/parse-body.ts';
import type { EventControl } from '../limits/event-control.ts';
import { atOnceBytesMax, inTurns } from '../body/in-turns.ts';
import type { ProjectTokens, TokenResult } from '../projects/project-tokens.ts';
import type { FailureDeps } from '../http/failure-reply.ts';
import { RequestError } from '../http/request-error.ts';
import { aggregateWarnings, batchErrorWarning, type Sdk, type WarningFacts } from './request-warnings.ts';
import type { DropLog } from './drop-log.ts';
import type { WarningGate } from './warning-gate.ts';
import { appendAll, type EventSink } from './append-all.ts';
import type { CaptureCounters } from '../counters.ts';
import type { RequestFacts } from '../events/event.ts';

export interface StoreEventsDeps extends FailureDeps {
  tokens: ProjectTokens;
  control: EventControl;
  warningGate: WarningGate;
  dropLog: DropLog;
  sink: EventSink;
  partitionOf: (key: string) => number;
  counters: CaptureCounters;
}

/** The members of a request beside its events. */
export interface Arrival {
  path: string;
  token: string;
  receivedAtMs: number;
  /** Time of sending by the client's clock; null when the client did not send it. */
  sentAt: Instant | null;
  ip: string | undefined;
  /** The library that the headers name, for warnings. */
  sdk?: Sdk | null | undefined;
  /** Name of events that have none: `$identify` on `/engage` alone (contract/capture 1.5). */
  nameIfMissing?: string | undefined;
  /** The sender wants to know all errors of the events (contract/capture 2.8). */
  strict?: boolean;
}

/** The decisions about the events of a request; nothing is stored yet. */
export interface PreparedEvents {
  /** Null when no event has a warning, except in strict mode: then the body need not stay in memory while the log writes. */
  body: ParsedBody | null;
  batch: AcceptedBatch;
  token: string;
  projectId: number | null;
  receivedAt: string;
  receivedAtMs: number;
  path: string;
  sdk: Sdk | null | undefined;
}

/**
 * Finds the project of a request and decides about each of its events; at once when the token is known, as it nearly
 * always is: every promise and every async function in between costs a kilobyte while the request is in flight.
 * @throws {RequestError} 401 when it is known that no project has the token; 429 when it has sent too much.
 */
export function prepareEvents(
  deps: StoreEventsDeps,
  body: ParsedBody,
  arrival: Arrival,
  accept = acceptEvent,
): PreparedEvents | Promise<PreparedEvents> {
  const known = deps.tokens.known(arrival.token);
  if (known === undefined)
    return deps.tokens.resolve(arrival.token).then((result) => prepareFor(deps, result, body, arrival, accept));
  return prepareFor(deps, known, body, arrival, accept);
}

function prepareFor(
  deps: StoreEventsDeps,
  result: TokenResult,
  body: ParsedBody,
  arrival: Arrival,
  accept: typeof acceptEvent,
): PreparedEvents | Promise<PreparedEvents> {
  const { counters, partitionOf } = deps;
  const { token, receivedAtMs, ip, path, sdk, strict } = arrival;
  const projectId = projectOf(result);
  if (projectId === null) counters.unverifiedRequests++;
  const receivedAt = formatInstant({ ms: receivedAtMs, us: 0 });
  if (!deps.control.admits(token, body.events.length, body.historical, receivedAtMs)) {
    return rejectOverRate(deps, body, { token, projectId, receivedAt, path, sdk }, receivedAtMs);
  }
  const head = requestHead({ token, projectId, receivedAt, sentAt: arrival.sentAt, ip, historical: body.historical });
  const facts: RequestFacts = {
    token,
    receivedAtMs,
    sentAt: arrival.sentAt,
    historical: body.historical,
    head,
    nameIfMissing: arrival.nameIfMissing,
  };
  const decide = deps.control.forRequest(token, body.historical, receivedAtMs);
  const deciders = { partitionOf, decide, accept };
  const prepared = (batch: AcceptedBatch): PreparedEvents => {
    for (const { reason, written } of batch.dropped) {
      counters.eventsDropped[reason]++;
      deps.dropLog.record(reason, { projectId, written });
    }
    const hasReports = strict === true || batch.dropped.length > 0 || batch.warnings.length > 0;
    return { body: hasReports ? body : null, batch, token, projectId, receivedAt, receivedAtMs, path, sdk };
  };
  if (body.bytes.length > atOnceBytesMax) return inTurns(acceptBatchInParts(body, facts, deciders)).then(prepared);
  return prepared(acceptBatch(body, facts, deciders));
}

/** Stores a warning for the project, then throws. */
async function rejectOverRate(
  deps: StoreEventsDeps,
  body: ParsedBody,
  facts: WarningFacts,
  nowMs: number,
): Promise<never> {
  const [warning] = aggregateWarnings([{ type: 'rate_limited', details: {} }], body, facts);
  if (warning !== undefined) await storeWarnings(deps, [{ ...warning, count: body.events.length }], nowMs);
  throw new RequestError('rateLimited');
}

/** A request that is refused because of its batch. */
interface BatchError extends Pick<Arrival, 'path' | 'token' | 'receivedAtMs' | 'sdk'> {
  type: CaptureWarningType;
  /** Number of its events, when it is known. */
  events: number;
}

/** Stores a warning that a request was refused, and counts the dropped events. Tokens without a project get none. */
export async function reportBatchError(
  deps: StoreEventsDeps,
  { type, events, path, token, receivedAtMs, sdk }: BatchError,
): Promise<void> {
  const result = await deps.tokens.resolve(token);
  if (result === 'unknown') return;
  deps.counters.eventsDropped[type] += events;
  const projectId = result === 'unverified' ? null : result;
  const receivedAt = formatInstant({ ms: receivedAtMs, us: 0 });
  await storeWarnings(
    deps,
    [batchErrorWarning(type, events, { token, projectId, receivedAt, path, sdk })],
    receivedAtMs,
  );
}

/**
 * Resolves when the events are on disk; rejects as `EventLog.append` does. Their warnings are stored along with them.
 * Takes the groups out of the batch, so that they need not stay in memory either.
 */
export function appendEvents(deps: StoreEventsDeps, prepared: PreparedEvents): Promise<unknown> {
  const { counters } = deps;
  const { groups, accepted } = prepared.batch;
  let overflow = 0;
  let deadLetters = 0;
  for (const { lane, entries } of groups) {
    if (lane === 'overflow') overflow += entries.length;
    else if (lane === 'dead-letter') deadLetters += entries.length;
  }
  const appended = appendAll(deps.sink, groups.splice(0), () => {
    counters.eventsAccepted += accepted;
    counters.eventsMoved.overflow += overflow;
    counters.eventsMoved['dead-letter'] += deadLetters;
  });
  return prepared.body === null ? appended : Promise.all([appended, appendWarnings(deps, prepared, prepared.body)]);
}

/** Stores the warnings about the events of a request; see `storeWarnings`. */
async function appendWarnings(deps: StoreEventsDeps, prepared: PreparedEvents, body: ParsedBody): Promise<void> {
  const { batch, token, projectId, receivedAt, receivedAtMs, path, sdk } = prepared;
  await storeWarnings(
    deps,
    aggregateWarnings(batch.warnings, body, { token, projectId, receivedAt, path, sdk }),
    receivedAtMs,
  );
}

/**
 * Warnings are awaited, so that after the reply they are as durable as the events; but whether that worked never decides
 * about the request: its events are stored, and sending them again for the sake of a warning would be worse.
 */
async function storeWarnings(deps: StoreEventsDeps, all: readonly CapturedWarning[], nowMs: number): Promise<void> {
  const warnings = all.flatMap((warning) => deps.warningGate.admit(warning, nowMs) ?? []);
  try {
    await appendToLane(deps, warnings);
  } catch (error) {
    for (const warning of warnings) deps.warningGate.retract(warning);
    deps.counters.warningsLost++;
    deps.logger.debug({ err: error }, 'ingestion warnings were not stored');
  }
}

/** Stores the warnings that the gate held back. When the log refuses them, the gate holds them back again. Never rejects. */
export async function storeKeptBackWarnings(
  deps: Pick<StoreEventsDeps, 'warningGate' | 'sink' | 'partitionOf' | 'logger'>,
): Promise<void> {
  for (const warnings of Map.groupBy(deps.warningGate.collect(), ({ token }) => token).values()) {
    try {
      await appendToLane(deps, warnings);
    } catch (error) {
      for (const warning of warnings) deps.warningGate.giveBack(warning);
      deps.logger.debug({ err: error }, 'counts of repeated ingestion warnings were not stored');
    }
  }
}

/** Appends warnings of one token. */
async function appendToLane(
  { sink, partitionOf }: Pick<StoreEventsDeps, 'sink' | 'partitionOf'>,
  warnings: readonly CapturedWarning[],
): Promise<void> {
  const [first] = warnings;
  if (first === undefined) return;
  const entries = warnings.map((warning): EntryDraft => ({
    head: JSON.stringify(warning),
    bytes: nothing,
    start: 0,
    end: 0,
  }));
  await appendAll(sink, [{ lane: 'warnings', partition: partitionOf(first.token), entries }]);
}

const nothing = Buffer.alloc(0);

/** @throws {RequestError} when it is known that no project has the token. */
function projectOf(result: TokenResult): number | null {
  if (result === 'unknown') throw new RequestError('unknownToken');
  return result === 'unverified' ? null : result;
}
