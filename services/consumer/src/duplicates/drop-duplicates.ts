import type { EventDraft } from '../events/event-draft.ts';
import type { Retry } from '../stream/retry.ts';
import type { WithoutSlot } from '../stream/lane-scheduler.ts';
import type { BatchMemory } from './recent-events.ts';
import type { StoredEvents } from './stored-events.ts';

export interface Sifted {
  kept: EventDraft[];
  /** Number of dropped events. */
  duplicates: number;
  /** Number of events that were looked up in ClickHouse. */
  lookedUp: number;
}

/** Whether the committed offset was checked against the events that ClickHouse holds. */
export interface CommitTrust {
  isProven: boolean;
}

export interface Sifting {
  memory: BatchMemory;
  stored: StoredEvents;
  /** The batch may have had effects before: every event that memory does not know is looked up in ClickHouse. */
  again: boolean;
  trust: CommitTrust;
  retry: Retry;
  withoutSlot: WithoutSlot;
}

/** Events at the beginning of a stream that show whether it was read further before. */
const probeSize = 500;

/**
 * Drops events that came before (contract/decisions 35): earlier in the same batch, in the batches of the duplicate
 * memory, or in ClickHouse, which is queried for those that memory does not know. It is queried for the first events of
 * a stream as well: if it has any, the stream's commit was set back, and it is queried on until it has none.
 *
 * Querying ClickHouse is right for a batch that is done again, because a batch's rows are inserted in one block a
 * month, all or nothing, under a token made of the batch's range. Events that are not found are exactly those that are
 * missing: a month that got in has no rows left, one that did not has all. Should the first try still be under way
 * inside ClickHouse during the query, whichever of the two comes first holds all of that month's missing rows, and the
 * token refuses the other. So a token always covers its whole range.
 */
export async function dropDuplicates(drafts: readonly EventDraft[], sifting: Sifting): Promise<Sifted> {
  const { fresh, unknown, unseen } = recall(drafts, sifting);
  const { memory, again, trust, withoutSlot } = sifting;
  const probe = trust.isProven || again ? [] : unseen.slice(0, probeSize);
  if (unknown.length > 0) await memory.othersEnded(withoutSlot);
  const lookedUp = [...unknown, ...probe];
  const there = new Set(await find(lookedUp, sifting));
  if (probe.some((draft) => there.has(draft))) {
    const rest = unseen.slice(probeSize);
    for (const draft of await find(rest, sifting)) there.add(draft);
    lookedUp.push(...rest);
  } else if (probe.length > 0) {
    trust.isProven = true;
  }
  const kept = there.size === 0 ? fresh : fresh.filter((draft) => !there.has(draft));
  return { kept, duplicates: drafts.length - kept.length, lookedUp: lookedUp.length };
}

interface RecalledBatch {
  /** Not known duplicates: the two lists below together. */
  fresh: EventDraft[];
  /** Possibly stored: ClickHouse is queried. */
  unknown: EventDraft[];
  /** Never seen. */
  unseen: EventDraft[];
}

/** At once, so that of two batches under way at the same time one sees what the other is about to store. */
function recall(drafts: readonly EventDraft[], { memory, again }: Sifting): RecalledBatch {
  const batch: RecalledBatch = { fresh: [], unknown: [], unseen: [] };
  for (const draft of drafts) {
    const recalled = memory.meet(draft.head, draft.project.id);
    if (recalled === 'twice' || recalled === 'stored') continue;
    batch.fresh.push(draft);
    if (recalled === 'unknown' || again) batch.unknown.push(draft);
    else batch.unseen.push(draft);
  }
  return batch;
}

async function find(drafts: readonly EventDraft[], { stored, retry }: Sifting): Promise<ReadonlySet<EventDraft>> {
  return drafts.length === 0 ? new Set() : retry('clickhouse', (_, alive) => stored.find(drafts, alive));
}
