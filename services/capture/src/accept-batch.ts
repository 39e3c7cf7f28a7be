import type { BundleEntry } from '@millrace/contracts/event-bundle.ts';
import { acceptEvent, type DropReason, type EventWarning, type RequestFacts } from './accept-event.ts';
import type { ParsedBody } from './parse-body.ts';

/** An event of a request that is not stored: its place in the body, and why. */
export interface DroppedEvent {
  index: number;
  reason: DropReason;
}

/** A warning about the event at `index` of the body. */
export interface IndexedWarning extends EventWarning {
  index: number;
}

/** What became of the events of a request. */
export interface AcceptedBatch {
  /** By partition, in the order of the body. */
  byPartition: ReadonlyMap<number, readonly BundleEntry[]>;
  accepted: number;
  dropped: readonly DroppedEvent[];
  warnings: readonly IndexedWarning[];
}

/**
 * Decides about each event on its own: what is wrong with one never touches its neighbours (contract/capture 0.1).
 * `accept` is the rule for one event: that of the protocol that the request speaks.
 */
export function acceptBatch(body: ParsedBody, request: RequestFacts, partitionOf: (key: string) => number, accept = acceptEvent): AcceptedBatch {
  const byPartition = new Map<number, BundleEntry[]>();
  const dropped: DroppedEvent[] = [];
  const warnings: IndexedWarning[] = [];
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
    const partition = partitionOf(`${request.token}:${outcome.distinctId}`);
    const entries = byPartition.get(partition);
    if (entries === undefined) byPartition.set(partition, [outcome.entry]);
    else entries.push(outcome.entry);
  }
  return { byPartition, accepted: events.length - dropped.length, dropped, warnings };
}
