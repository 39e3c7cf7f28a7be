import type { BundleEntry } from '@millrace/contracts/event-bundle.ts';
import type { WarningType } from '@millrace/contracts/ingestion-warnings.ts';
import { acceptEvent, type EventWarning, type RequestFacts } from './accept-event.ts';
import type { ParsedBody } from './parse-body.ts';

/** What became of the events of a request. */
export interface AcceptedBatch {
  /** By partition, in the order of the body. */
  byPartition: ReadonlyMap<number, readonly BundleEntry[]>;
  accepted: number;
  /** The reason for each event that was dropped. */
  dropped: readonly WarningType[];
  warnings: readonly EventWarning[];
}

/** Decides about each event on its own: what is wrong with one never touches its neighbours (contract/capture 0.1). */
export function acceptBatch(body: ParsedBody, request: RequestFacts, partitionOf: (key: string) => number): AcceptedBatch {
  const byPartition = new Map<number, BundleEntry[]>();
  const dropped: WarningType[] = [];
  const warnings: EventWarning[] = [];
  const { events, spans, bytes } = body;
  for (let index = 0; index < events.length; index++) {
    const span = spans[index];
    if (span === undefined) throw new Error('an event without its place in the body');
    const outcome = acceptEvent({ value: events[index], bytes, span }, request);
    if (outcome.warnings.length > 0) warnings.push(...outcome.warnings);
    if (!outcome.accepted) {
      dropped.push(outcome.reason);
      continue;
    }
    const partition = partitionOf(`${request.token}:${outcome.distinctId}`);
    const entries = byPartition.get(partition);
    if (entries === undefined) byPartition.set(partition, [outcome.entry]);
    else entries.push(outcome.entry);
  }
  return { byPartition, accepted: events.length - dropped.length, dropped, warnings };
}
