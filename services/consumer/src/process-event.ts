import type { EventDraft } from './event-draft.ts';
import type { PlacedEntry } from './open-records.ts';
import { ok, unexpectedFault, type Outcome } from './outcome.ts';
import type { ProjectLookup } from './projects/project-cache.ts';
import { adjustAiEvent } from './steps/adjust-ai-event.ts';
import { checkSurvey } from './steps/check-survey.ts';
import { checkUpdates } from './steps/check-updates.ts';
import { cutEventName } from './steps/cut-event-name.ts';
import { decideProfile } from './steps/decide-profile.ts';
import { divertSideChannels } from './steps/divert-side-channels.ts';
import { joinUpdates } from './steps/join-updates.ts';
import { liftElements } from './steps/lift-elements.ts';
import { readEvent } from './steps/read-event.ts';
import { readGroups } from './steps/read-groups.ts';
import { readMerge } from './steps/read-merge.ts';
import { resolveProject } from './steps/resolve-project.ts';
import { setClientAddress } from './steps/set-client-address.ts';
import { setSendingTime } from './steps/set-sending-time.ts';
import { stripServerProperties } from './steps/strip-server-properties.ts';

type Step = (draft: EventDraft, projects: ProjectLookup) => Outcome;

/**
 * What happens to one event, in order. Every step is pure: it sees the draft and the projects of the batch, nothing else.
 *
 * What needs the whole batch at once follows in `process-batch.ts`: duplicates are dropped, group types get their indexes
 * (`groups/attach-groups.ts`), persons and groups are brought up to date (`identity/apply-identity.ts`). The row is written in two
 * steps: its own columns as soon as the event is processed (`own-columns.ts`), those of its person last (`event-of-person.ts`).
 *
 * Places of what is not there yet: operator restrictions and too-old events after `resolve-project`; resolving the stacks
 * of `$exception` events at the end of this list.
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
export function readEntry(placed: PlacedEntry): ProcessedEvent {
  const step = 'read-event';
  try {
    const read = readEvent(placed);
    return 'kind' in read ? { draft: null, outcome: read, step } : { draft: read, outcome: ok, step: '' };
  } catch (error) {
    return { draft: null, outcome: unexpectedFault(error), step };
  }
}

/** Runs the steps on an event that `readEntry` could read, up to the first that does not say `ok`. */
export function processEvent(read: ProcessedEvent, projects: ProjectLookup): ProcessedEvent {
  const { draft } = read;
  if (draft === null || read.outcome.kind !== 'ok') return read;
  let step = '';
  try {
    for (const [name, run] of steps) {
      step = name;
      const told = draft.warnings.length;
      const outcome = run(draft, projects);
      if (draft.warnings.length > told) nameStep(draft, told, name);
      if (outcome.kind !== 'ok') return { draft, outcome, step };
    }
    return read;
  } catch (error) {
    return { draft, outcome: unexpectedFault(error), step };
  }
}

/** Warnings say which step left them (contract/capture 4.7). */
function nameStep({ warnings }: EventDraft, from: number, pipelineStep: string): void {
  for (const { details } of warnings.slice(from)) details['pipelineStep'] = pipelineStep;
}
