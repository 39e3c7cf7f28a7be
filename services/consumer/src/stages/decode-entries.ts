import { endEvent, type EventBatch } from './event-batch.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { readEntry } from '../steps/process-event.ts';
import type { EntryRange } from '../events/entry-range.ts';

/** The drafts of these entries. An entry that is no event is a dead letter. */
export function decodeEntries(work: EventBatch, entries: readonly EntryRange[]): EventDraft[] {
  const drafts: EventDraft[] = [];
  for (const range of entries) {
    const { draft, outcome, step } = readEntry(range);
    if (outcome.kind !== 'ok') endEvent(work, range, { draft, outcome, step });
    else if (draft !== null) drafts.push(draft);
  }
  return drafts;
}
