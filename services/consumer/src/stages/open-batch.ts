import type { EventBatch } from './event-batch.ts';
import { openRecords } from '../events/open-records.ts';
import type { EntryRange } from '../events/entry-range.ts';

/** The entries of the batch's records, in order. A record that is no bundle is a dead letter as a whole. */
export function openBatch(work: EventBatch): EntryRange[] {
  const { entries, unreadable } = openRecords(work.batch.records, work.letterWriter);
  work.entries = entries.length;
  work.letters.push(...unreadable);
  return entries;
}
