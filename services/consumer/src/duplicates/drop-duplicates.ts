import type { EventDraft } from '../event-draft.ts';
import { samenessOf, type RecentEvents } from './recent-events.ts';
import type { StoredEvents } from './stored-events.ts';

export interface Sifted {
  kept: EventDraft[];
  /** How many were dropped. */
  duplicates: number;
}

/**
 * Drops events that came before (contract/decisions 35): earlier in the same batch, in the batches that this process
 * remembers, or, when `stored` is given, in ClickHouse. Asking ClickHouse is right for a batch that is done again too:
 *
 * A batch's rows are inserted in one block a month, all or nothing, under a token made of the batch's range. What is
 * asked for and not found is exactly what is missing: a month that got in has no rows left, one that did not has all.
 * Should the first try still be under way inside ClickHouse while we ask, whichever of the two comes first holds all of
 * that month's missing rows, and the token turns the other away. So a token never stands for less than its range.
 */
export async function dropDuplicates(
  drafts: readonly EventDraft[],
  recent: RecentEvents,
  stored: StoredEvents | null,
): Promise<Sifted> {
  const fresh = firstOfEach(drafts).filter((draft) => !recent.has(draft));
  const there = stored === null ? null : await stored.find(fresh);
  const kept = there === null ? fresh : fresh.filter((draft) => !there.has(draft));
  return { kept, duplicates: drafts.length - kept.length };
}

function firstOfEach(drafts: readonly EventDraft[]): EventDraft[] {
  const seen = new Map<string, number>();
  return drafts.filter(({ head, project }) => {
    const sameness = samenessOf(project.id, head.event, head.distinctId);
    if (seen.get(head.uuid) === sameness) return false;
    seen.set(head.uuid, sameness);
    return true;
  });
}
