import type { EntryDraft } from '@millrace/captured-event/event-bundle.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';
import type { ParsedBody } from '../http/parse-body.ts';
import { withoutPersons } from '@millrace/captured-event/encode-head.ts';
import { redirectedEntry } from './control-entry.ts';
import type { DecideEvent } from '../limits/event-control.ts';
import type { Placement } from '../limits/place-event.ts';
import { partBytes } from '../body/in-turns.ts';
import type { EventSpan } from '../body/body-scan.ts';
import type { AppendGroup } from './append-all.ts';
import type { acceptEvent } from '../events/accept-event.ts';
import type { DropReason, EventWarning, Outcome, RequestFacts } from '../events/event.ts';

/** An event of a request that is not stored: its place in the body, and why. */
interface DroppedEvent {
  index: number;
  reason: DropReason;
  /** The field that its sender took for the missing one, if any. */
  written?: unknown;
}

/** A warning about the event at `index` of the body. */
interface IndexedWarning extends EventWarning {
  index: number;
}

/** Outcome of the events of a request. */
export interface AcceptedBatch {
  /** Entries to append, by lane and partition; within a group in the order of the body. */
  groups: AppendGroup[];
  accepted: number;
  dropped: DroppedEvent[];
  warnings: IndexedWarning[];
  /** Places of stored events whose persons an operator, a limit or the event's own id has switched off. */
  personless: number[];
}

/** Functions that decide about the events of a request. */
interface Deciders {
  partitionOf: (key: string) => number;
  /** Says whether operators and limits let an event in, and where it goes. */
  decide: DecideEvent;
  /** The rule for one event: that of the protocol that the request speaks. */
  accept: typeof acceptEvent;
}

/** A part has at most this many events, however small they are. */
const partEventsMax = 250;

/** Decides about each event on its own: what is wrong with one never touches its neighbours (contract/capture 0.1). */
export function acceptBatch(body: ParsedBody, request: RequestFacts, deciders: Deciders): AcceptedBatch {
  const batch = emptyBatch();
  for (let index = 0; index < body.events.length; index++) acceptAt(batch, index, body, request, deciders);
  return batch;
}

/** As `acceptBatch`, for a large body: yields between parts, so that other requests are served in between. */
export function* acceptBatchInParts(
  body: ParsedBody,
  request: RequestFacts,
  deciders: Deciders,
): Generator<void, AcceptedBatch> {
  const batch = emptyBatch();
  const { events, spans } = body;
  let from = 0;
  for (let index = 0; index < events.length; index++) {
    acceptAt(batch, index, body, request, deciders);
    if (index - from < partEventsMax && spanAt(spans, index).end - spanAt(spans, from).start < partBytes) continue;
    from = index + 1;
    if (from < events.length) yield;
  }
  return batch;
}

function emptyBatch(): AcceptedBatch {
  return { groups: [], accepted: 0, dropped: [], warnings: [], personless: [] };
}

function spanAt(spans: ParsedBody['spans'], index: number): EventSpan {
  const span = spans[index];
  if (span === undefined) throw new Error('an event without its place in the body');
  return span;
}

function acceptAt(
  batch: AcceptedBatch,
  index: number,
  { events, spans, bytes }: ParsedBody,
  request: RequestFacts,
  { partitionOf, decide, accept }: Deciders,
): void {
  const outcome = accept({ value: events[index], bytes, span: spanAt(spans, index) }, request);
  for (const { type, details } of outcome.warnings) batch.warnings.push({ type, details, index });
  if (!outcome.accepted) return void batch.dropped.push(droppedEvent(index, outcome));
  const key = `${request.token}:${outcome.distinctId}`;
  const decision = decide(outcome, key);
  if (decision.warning !== null) batch.warnings.push({ ...decision.warning, index });
  if (decision.dropped !== null) return void batch.dropped.push({ index, reason: decision.dropped });
  const { placement } = decision;
  const isPersonless = placement.personless || outcome.personless === true;
  if (isPersonless) batch.personless.push(index);
  const partition = partitionOf(placement.keyed ? key : outcome.uuid);
  const entry = isPersonless ? { ...outcome.entry, head: withoutPersons(outcome.entry.head) } : outcome.entry;
  addTo(
    batch.groups,
    placement.lane,
    partition,
    entryFor(placement, entry, outcome.uuid, partition, request.receivedAtMs),
  );
  batch.accepted++;
}

// Its own warnings are few. Those of the batch may be thousands, and looking for one among them for each event stalls the process.
function droppedEvent(index: number, { reason, warnings }: Outcome & { accepted: false }): DroppedEvent {
  const warning = warnings.find(({ type }) => type === reason);
  return { index, reason, written: warning?.details['written'] };
}

function entryFor(placement: Placement, entry: EntryDraft, uuid: string, partition: number, nowMs: number): EntryDraft {
  return placement.lane === 'dead-letter' ? redirectedEntry(entry, uuid, placement, partition, nowMs) : entry;
}

/** There are few groups, mostly one: looking through them costs less than a map. */
function addTo(groups: AppendGroup[], lane: Lane, partition: number, entry: EntryDraft): void {
  for (const group of groups) {
    if (group.partition === partition && group.lane === lane) return void group.entries.push(entry);
  }
  groups.push({ lane, partition, entries: [entry] });
}
