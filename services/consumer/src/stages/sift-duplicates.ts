import { dropDuplicates } from '../duplicates/drop-duplicates.ts';
import type { EventBatch } from './event-batch.ts';
import type { EventDraft } from '../events/event-draft.ts';

/** The events that did not come before (`dropDuplicates`). */
export async function siftDuplicates(work: EventBatch): Promise<EventDraft[]> {
  const { batch, context, memory, alive } = work;
  const { stored, trust, retry } = context;
  const { kept, duplicates, lookedUp } = await dropDuplicates(alive, {
    memory,
    stored,
    again: batch.again,
    trust,
    retry,
    withoutSlot: batch.withoutSlot,
  });
  work.duplicates = duplicates;
  work.lookedUp = lookedUp;
  return kept;
}

/** Drops the duplicates among `met` before they are stored. */
export function leaveOut(work: EventBatch, met: readonly EventDraft[]): void {
  const ended = new Set(met);
  for (const draft of work.kept) ended.delete(draft);
  if (ended.size === 0) return;
  work.alive = work.alive.filter((draft) => !ended.has(draft));
  for (const draft of ended) markUnknown(work, draft);
}

/** A later event like this one is no duplicate of it: this batch does not store it after all. */
export function markUnknown({ memory }: EventBatch, { head, project }: EventDraft): void {
  memory.markUnknown(head, project.id);
}
