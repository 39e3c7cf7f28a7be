import type { EventDraft } from '../events/event-draft.ts';
import type { Retry } from '../stream/retry.ts';
import type { WithoutSlot } from '../stream/lane-scheduler.ts';
import type { BatchMemory } from './recent-events.ts';
import type { StoredEvents } from './stored-events.ts';

export interface Sifted {
  kept: EventDraft[];
  /** How many were dropped. */
  duplicates: number;
  /** How many ClickHouse was asked for. */
  asked: number;
}

/** Whether the commit from which a stream was begun has been seen to lie where storing had ended. */
export interface CommitTrust {
  isProven: boolean;
}

export interface Sifting {
  memory: BatchMemory;
  stored: StoredEvents;
  /** The batch may have had effects before: ClickHouse is asked for all that memory does not have. */
  again: boolean;
  trust: CommitTrust;
  retry: Retry;
  withoutSlot: WithoutSlot;
}

/** So many events at the beginning of a stream say whether it was read further before. */
const probeSize = 500;

/**
 * Drops events that came before (contract/decisions 35): earlier in the same batch, in the batches that this process
 * remembers, or in ClickHouse, which is asked for those that memory cannot tell. It is asked for the first events of a
 * stream as well: if it has any, the stream's commit was set back, and it is asked on until it has none.
 *
 * Asking ClickHouse is right for a batch that is done again, because a batch's rows are inserted in one block a month, all
 * or nothing, under a token made of the batch's range. What is asked for and not found is exactly what is missing: a month
 * that got in has no rows left, one that did not has all. Should the first try still be under way inside ClickHouse while we
 * ask, whichever of the two comes first holds all of that month's missing rows, and the token turns the other away. So a
 * token never stands for less than its range.
 */
export async function dropDuplicates(drafts: readonly EventDraft[], sifting: Sifting): Promise<Sifted> {
  const { fresh, doubtful, unheard } = recall(drafts, sifting);
  const { memory, again, trust, withoutSlot } = sifting;
  const probe = trust.isProven || again ? [] : unheard.slice(0, probeSize);
  if (doubtful.length > 0) await memory.othersEnded(withoutSlot);
  const asked = [...doubtful, ...probe];
  const there = new Set(await find(asked, sifting));
  if (probe.some((draft) => there.has(draft))) {
    const rest = unheard.slice(probeSize);
    for (const draft of await find(rest, sifting)) there.add(draft);
    asked.push(...rest);
  } else if (probe.length > 0) {
    trust.isProven = true;
  }
  const kept = there.size === 0 ? fresh : fresh.filter((draft) => !there.has(draft));
  return { kept, duplicates: drafts.length - kept.length, asked: asked.length };
}

interface RecalledBatch {
  /** Those that memory does not know to be stored: */
  fresh: EventDraft[];
  /** maybe they are, */
  doubtful: EventDraft[];
  /** or it has nothing like them. */
  unheard: EventDraft[];
}

/** At once, so that of two batches under way at the same time one sees what the other is about to store. */
function recall(drafts: readonly EventDraft[], { memory, again }: Sifting): RecalledBatch {
  const batch: RecalledBatch = { fresh: [], doubtful: [], unheard: [] };
  for (const draft of drafts) {
    const recalled = memory.meet(draft.head, draft.project.id);
    if (recalled === 'twice' || recalled === 'stored') continue;
    batch.fresh.push(draft);
    if (recalled === 'doubtful' || again) batch.doubtful.push(draft);
    else batch.unheard.push(draft);
  }
  return batch;
}

async function find(drafts: readonly EventDraft[], { stored, retry }: Sifting): Promise<ReadonlySet<EventDraft>> {
  return drafts.length === 0 ? new Set() : retry('clickhouse', (_, alive) => stored.find(drafts, alive));
}
