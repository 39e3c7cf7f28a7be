import type { DropReason } from '../events/outcome.ts';
import { processEvent, readEntry } from '../steps/process-event.ts';
import { loadProjects } from '../steps/load-projects.ts';
import type { ProjectCache } from '../projects/project-cache.ts';
import type { EntryRange } from '../events/entry-range.ts';

/**
 * Why the steps of the consumer drop an event, with its project as it is now; null: they do not. So it is known of events
 * without a warning as well: those of no project and side channels have none, and of each type a person has one an hour.
 * Throws what `pg` throws.
 */
export async function dropReasonOf(range: EntryRange, projects: ProjectCache): Promise<DropReason | null> {
  const read = readEntry(range);
  const { outcome } = processEvent(read, await loadProjects(read.draft === null ? [] : [read.draft], projects));
  return outcome.kind === 'drop' ? outcome.reason : null;
}
