import type { BundleEntry } from '@millrace/captured-event/event-bundle.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';
import { excerpt, warn, type EventDraft } from '../events/event-draft.ts';
import { createLeaving, nobodyLeaves, type Leaving } from './leaving-events.ts';
import type { ProjectShares } from './project-shares.ts';
import type { Batch, Failpoint } from '../stream/batch.ts';
import type { Retry } from '../stream/retry.ts';
import type { EventParts } from './event-parts.ts';

/** Lanes whose events flow over. Lanes of past events wait anyway, and events in `overflow` stay there. */
const flowOver: ReadonlySet<Lane> = new Set<Lane>(['main', 'exceptions']);

/** Events that had left a batch stay moved, also when shares are switched off meanwhile. */
const unlimited: ProjectShares = { isUsedUp: () => false, charge: () => undefined };

interface LeavingParts {
  shares: ProjectShares | null;
  parts: Pick<EventParts, 'areMany'>;
  retry: Retry;
  outputs: { moveToOverflow(partition: number, entries: readonly BundleEntry[]): Promise<boolean> };
  failpoint: (point: Failpoint) => void;
}

/**
 * Decides which events of this batch go to `overflow`. `markUnknown` is called with each of them: this batch does not
 * store it after all.
 */
export function leavingOf(
  { stream: { lane, partition }, moves, recordMoves }: Pick<Batch, 'stream' | 'moves' | 'recordMoves'>,
  { shares, parts, retry, outputs, failpoint }: LeavingParts,
  markUnknown: (draft: EventDraft) => void,
): Leaving {
  if (!flowOver.has(lane) || (shares === null && moves === null)) return nobodyLeaves;
  const leaving = createLeaving({
    shares: shares ?? unlimited,
    arePartsMany: parts.areMany(),
    known: moves,
    record: recordMoves,
    async append(left, onTry) {
      const entries = left.map(({ position }) => position.entry);
      const isAppended = await retry('event-log', () => (onTry(), outputs.moveToOverflow(partition, entries)));
      failpoint('events-moved');
      return isAppended;
    },
  });
  return {
    ...leaving,
    async settle(left, isApplied, onTry) {
      const areGone = await leaving.settle(left, isApplied, onTry);
      // Also when an earlier attempt at the batch appended them.
      if (areGone) left.forEach(markUnknown);
      return areGone;
    },
  };
}

/** The first event of each project that left, with the warning that events left. Their other warnings are given where they are stored. */
export function firstsOf(left: readonly EventDraft[]): EventDraft[] {
  const firsts = [...Map.groupBy(left, ({ project }) => project.id).values()].flatMap(([first]) => first ?? []);
  return firsts.map((first) => {
    const reported: EventDraft = { ...first, warnings: [] };
    const details = {
      overflowDistinctId: excerpt(first.head.distinctId),
      reason: 'bytes written',
      pipelineStep: 'apply-identity',
    };
    warn(reported, 'ingestion_capacity_overflow', details);
    return reported;
  });
}
