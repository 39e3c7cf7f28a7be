import { endEvent, type EventBatch } from './event-batch.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { processDraft } from '../steps/process-event.ts';
import { loadProjects } from '../steps/load-projects.ts';

/** Runs the steps of each event (`steps/process-event.ts`). Returns the events that continue; the others are dropped, or are dead letters. */
export async function runSteps(work: EventBatch, drafts: readonly EventDraft[]): Promise<EventDraft[]> {
  const { retry, projects } = work.context;
  const known = await retry('postgres', () => loadProjects(drafts, projects));
  return drafts.filter((draft) => {
    const { outcome, step } = processDraft(draft, known);
    if (outcome.kind !== 'ok') endEvent(work, draft.position, { draft, outcome, step });
    return outcome.kind === 'ok';
  });
}
