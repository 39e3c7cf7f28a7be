import { endEvent, type EventBatch } from './event-batch.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { attachGroups, typesOf } from '../groups/attach-groups.ts';
import { unexpectedError } from '../events/outcome.ts';

/**
 * Writes the own columns of each event as bytes, with the indexes of its groups; its properties are forgotten then. Those whose
 * columns are written; the others are dead letters.
 */
export async function encodeRows(work: EventBatch, drafts: readonly EventDraft[]): Promise<EventDraft[]> {
  const { retry, groupTypes } = work.context;
  const indexes = await retry('postgres', () => groupTypes.load(typesOf(drafts)));
  for (const [type, index] of indexes) work.groupIndexes.set(type, index);
  return drafts.filter((draft) => {
    try {
      attachGroups(draft, indexes);
      work.rows.write(draft);
      return true;
    } catch (error) {
      endEvent(work, draft.position, { draft, outcome: unexpectedError(error), step: 'encode-rows' });
      return false;
    }
  });
}
