import type { PlacedEntry } from '../open-records.ts';
import type { DropReason } from '../outcome.ts';
import { processEvent, readEntry } from '../process-event.ts';
import { noProject, type ProjectLookup } from '../projects/project-cache.ts';

const anyProject: ProjectLookup = { byId: () => noProject, byToken: () => noProject };

/**
 * Why the steps of the consumer drop an event, whatever its project; null: they do not. So it is known of events without a
 * warning as well: side channels have none, and of each type a person has one an hour. Pure.
 */
export function dropReasonOf(placed: PlacedEntry): DropReason | null {
  const { outcome } = processEvent(readEntry(placed), anyProject);
  return outcome.kind === 'drop' ? outcome.reason : null;
}
