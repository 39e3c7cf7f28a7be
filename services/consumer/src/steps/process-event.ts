import type { EventDraft } from '../events/event-draft.ts';
import { ok, unexpectedError, type Outcome } from '../events/outcome.ts';
import type { ProjectLookup } from '../projects/project-cache.ts';
import { adjustAiEvent } from './adjust-ai-event.ts';
import { checkSurvey } from './check-survey.ts';
import { checkUpdates } from './persons/check-updates.ts';
import { cutEventName } from './cut-event-name.ts';
import { decideProfile } from './persons/decide-profile.ts';
import { divertSideChannels } from './divert-side-channels.ts';
import { joinUpdates } from './persons/join-updates.ts';
import { liftElements } from './lift-elements.ts';
import { readEvent } from './read-event.ts';
import { readGroups } from './read-groups.ts';
import { readMerge } from './persons/read-merge.ts';
import { resolveProject } from './resolve-project.ts';
import { setClientAddress } from './set-client-address.ts';
import { setSendingTime } from './set-sending-time.ts';
import { stripServerProperties } from './strip-server-properties.ts';
import type { EntryRange } from '../events/entry-range.ts';

type Step = (draft: EventDraft, projects: ProjectLookup) => Outcome;

/**
 * The steps of one event, in order. A step sees the draft and the projects of the batch, nothing else; it changes the draft, nothing else.
 *
 * Work that needs more than one event, or waits for something, is a stage of the batch (`pipeline.ts`). The row is written in two
 * parts: its own columns as soon as the event is processed (`events/own-columns.ts`), those of its person last (`rows/event-of-person.ts`).
 */
const steps: readonly (readonly [name: string, step: Step])[] = [
  ['resolve-project', resolveProject],
  ['divert-side-channels', divertSideChannels],
  ['decide-profile', decideProfile],
  ['cut-event-name', cutEventName],
  ['strip-server-properties', stripServerProperties],
  ['set-client-address', setClientAddress],
  ['set-sending-time', setSendingTime],
  ['lift-elements', liftElements],
  ['check-updates', checkUpdates],
  ['join-updates', joinUpdates],
  ['read-merge', readMerge],
  ['read-groups', readGroups],
  ['check-survey', checkSurvey],
  ['adjust-ai-event', adjustAiEvent],
];

/** An event after its own steps: `outcome` is `ok`, or says why it ends here and in which step. `draft` is null when it was unreadable. */
export interface ProcessedEvent {
  draft: EventDraft | null;
  outcome: Outcome;
  step: string;
}

/** Reads one entry: its draft, or why there is none. The batch loads the projects of all drafts before their steps run. */
export function readEntry(entry: EntryRange): ProcessedEvent {
  const step = 'read-event';
  try {
    const read = readEvent(entry);
    return 'kind' in read ? { draft: null, outcome: read, step } : { draft: read, outcome: ok, step: '' };
  } catch (error) {
    return { draft: null, outcome: unexpectedError(error), step };
  }
}

/** Runs the steps on an event that `readEntry` has read; what it could not read stays as it is. */
export function processEvent(read: ProcessedEvent, projects: ProjectLookup): ProcessedEvent {
  return read.draft === null ? read : processDraft(read.draft, projects);
}

/** Runs the steps on an event, up to the first that does not say `ok`. */
export function processDraft(draft: EventDraft, projects: ProjectLookup): ProcessedEvent {
  let step = '';
  try {
    for (const [name, run] of steps) {
      step = name;
      const reported = draft.warnings.length;
      const outcome = run(draft, projects);
      if (draft.warnings.length > reported) nameStep(draft, reported, name);
      if (outcome.kind !== 'ok') return { draft, outcome, step };
    }
    return { draft, outcome: ok, step: '' };
  } catch (error) {
    return { draft, outcome: unexpectedError(error), step };
  }
}

/** Warnings say which step left them (contract/capture 4.7). */
function nameStep({ warnings }: EventDraft, from: number, pipelineStep: string): void {
  for (const { details } of warnings.slice(from)) details['pipelineStep'] = pipelineStep;
}
