import type { EntryDraft } from '@millrace/contracts/event-bundle.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';
import { acceptEvent, type DropReason, type EventWarning, type RequestFacts } from './accept-event.ts';
import type { AppendGroup } from './append-all.ts';
import { redirectedEntry, withoutPersons } from './control/control-entry.ts';
import type { DecideEvent } from './control/event-control.ts';
import type { Placement } from './control/place-event.ts';
import type { ParsedBody } from './parse-body.ts';

/** An event of a request that is not stored: its place in the body, and why. */
interface DroppedEvent {
  index: number;
  reason: DropReason;
}

/** A warning about the event at `index` of the body. */
interface IndexedWarning extends EventWarning {
  index: number;
}

/** What became of the events of a request. */
export interface AcceptedBatch {
  /** What goes where; within a group in the order of the body. */
  groups: AppendGroup[];
  accepted: number;
  dropped: readonly DroppedEvent[];
  warnings: readonly IndexedWarning[];
  /** Places of stored events whose persons an operator, a limit or the event's own id has switched off. */
  personless: readonly number[];
}

/**
 * Decides about each event on its own: what is wrong with one never touches its neighbours (contract/capture 0.1).
 * `accept` is the rule for one event: that of the protocol that the request speaks; `decide` then says whether operators
 * and limits let it in, and where it goes.
 */
export function acceptBatch(body: ParsedBody, request: RequestFacts, partitionOf: (key: string) => number, decide: DecideEvent, accept = acceptEvent): AcceptedBatch {
  const groups: AppendGroup[] = [];
  const dropped: DroppedEvent[] = [];
  const warnings: IndexedWarning[] = [];
  const personless: number[] = [];
  const { events, spans, bytes } = body;
  for (let index = 0; index < events.length; index++) {
    const span = spans[index];
    if (span === undefined) throw new Error('an event without its place in the body');
    const outcome = accept({ value: events[index], bytes, span }, request);
    for (const { type, details } of outcome.warnings) warnings.push({ type, details, index });
    if (!outcome.accepted) {
      dropped.push({ index, reason: outcome.reason });
      continue;
    }
    const key = `${request.token}:${outcome.distinctId}`;
    const decision = decide(outcome, key);
    if (decision.warning !== null) warnings.push({ ...decision.warning, index });
    if (decision.dropped !== null) {
      dropped.push({ index, reason: decision.dropped });
      continue;
    }
    const { placement } = decision;
    const isPersonless = placement.personless || outcome.personless === true;
    if (isPersonless) personless.push(index);
    const partition = partitionOf(placement.keyed ? key : outcome.uuid);
    addTo(groups, placement.lane, partition, entryFor(placement, isPersonless ? withoutPersons(outcome.entry) : outcome.entry, outcome.uuid, partition, request.receivedAtMs));
  }
  return { groups, accepted: events.length - dropped.length, dropped, warnings, personless };
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
