import { dropDuplicates } from '../duplicates/drop-duplicates.ts';
import type { EventBatch } from './event-batch.ts';
import type { EventDraft } from '../events/event-draft.ts';

/** The events that did not come before (`dropDuplicates`). */
export async function siftDuplicates(work: EventBatch): Promise<EventDraft[]> {
  const { batch, context, memory, alive } = work;
  const { stored, trust, retry } = context;
  const { kept, duplicates, asked } = await dropDuplicates(alive, { memory, stored, again: batch.again, trust, retry });
  work.duplicates = duplicates;
  work.asked = asked;
  return kept;
}

/** A later event like this one is no duplicate of it: this batch does not store it after all. */
export function doubt({ memory }: EventBatch, { head, project }: EventDraft): void {
  memory.doubt(head, project.id);
}
