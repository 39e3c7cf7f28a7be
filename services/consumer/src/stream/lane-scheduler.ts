import type { Lane } from '@millrace/contracts/lanes.ts';
import type { Clock } from '@millrace/runtime/clock.ts';

/** Urgency of a lane: `main` first, then `soon` (small lanes), then `later`. */
type Urgency = 'main' | 'soon' | 'later';

const urgencies: Partial<Record<Lane, Urgency>> = { main: 'main', exceptions: 'soon', warnings: 'soon' };
const inOrder = ['main', 'soon', 'later'] as const;

/** Waits for something without a slot, and for another slot after; for none when the wait fails. */
export type WithoutSlot = <T>(wait: () => Promise<T>) => Promise<T>;

/** Lets a few of many streams work at a time: each batch needs a slot. */
export interface LaneScheduler {
  run<T>(lane: Lane, work: (withoutSlot: WithoutSlot) => Promise<T>): Promise<T>;
}

interface Waiting {
  sinceMs: number;
  begin: () => void;
}

/** Milliseconds after the start of a batch of main in which the other lanes have only one slot. */
const mainQuietMs = 2_000;
/** Wait after which a batch goes first, so that a main lane that is never idle does not starve the others. */
const starvedMs = 5_000;

/**
 * Bounds memory, but for batches that wait without a slot; the batches of waiting streams grow meanwhile. Main goes first, then
 * exceptions and warnings, then overflow and historical. While main is in use, the others have one slot; otherwise all but one
 * (when there are several), so main waits only for its own batches. Lanes of the same urgency take turns in order of arrival.
 */
export function createLaneScheduler(atOnce: number, clock: Clock): LaneScheduler {
  const waiting: Record<Urgency, Waiting[]> = { main: [], soon: [], later: [] };
  const othersMax = Math.max(1, atOnce - 1);
  let mainAtMs = -Infinity;
  let running = 0;
  let others = 0;

  function next(): { urgency: Urgency; batch: Waiting } | null {
    if (running === atOnce) return null;
    const mayOthers = others < (clock.nowMs() - mainAtMs > mainQuietMs ? othersMax : 1);
    const able = inOrder.filter((urgency) => waiting[urgency].length > 0 && (urgency === 'main' || mayOthers));
    const starving = able.find(
      (urgency) => urgency !== 'main' && clock.nowMs() - (waiting[urgency][0]?.sinceMs ?? 0) > starvedMs,
    );
    const urgency = starving ?? able[0];
    const batch = urgency === undefined ? undefined : waiting[urgency].shift();
    return urgency === undefined || batch === undefined ? null : { urgency, batch };
  }

  function startNext(): void {
    for (let found = next(); found !== null; found = next()) {
      running++;
      if (found.urgency === 'main') mainAtMs = clock.nowMs();
      else others++;
      found.batch.begin();
    }
  }

  return {
    async run(lane, work) {
      const urgency = urgencies[lane] ?? 'later';
      const begin = (): Promise<void> =>
        new Promise((resolve) => {
          waiting[urgency].push({ sinceMs: clock.nowMs(), begin: resolve });
          startNext();
        });
      const end = (): void => {
        running--;
        if (urgency !== 'main') others--;
        startNext();
      };
      await begin();
      let hasSlot = true;
      try {
        return await work(async (wait) => {
          end();
          hasSlot = false;
          const waited = await wait();
          await begin();
          hasSlot = true;
          return waited;
        });
      } finally {
        if (hasSlot) end();
      }
    },
  };
}
