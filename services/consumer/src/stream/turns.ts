import type { Lane } from '@millrace/contracts/lanes.ts';
import type { Clock } from '@millrace/runtime/clock.ts';

/** How urgent a lane is: `main` first, then what is small and soon, then what may wait. */
type Urgency = 'main' | 'soon' | 'later';

const urgencies: Partial<Record<Lane, Urgency>> = { main: 'main', exceptions: 'soon', warnings: 'soon' };
const inOrder = ['main', 'soon', 'later'] as const;

/** Waits for something while others have the turn, and for another turn after; for none when it fails. */
export type OutsideTurn = <T>(wait: () => Promise<T>) => Promise<T>;

/** Lets a few of many streams work at a time. */
export interface Turns {
  run<T>(lane: Lane, work: (outsideTurn: OutsideTurn) => Promise<T>): Promise<T>;
}

interface Waiting {
  sinceMs: number;
  begin: () => void;
}

/** For so long after main had a turn, the others have only one at a time. */
const quietMs = 2_000;
/** Who has waited so long goes first, so that a main lane that is never idle does not stop the others for ever. */
const patienceMs = 5_000;

/**
 * Bounds memory, but for batches that wait outside of their turn, and lets the batches of those who wait grow meanwhile. Main goes first, then exceptions and warnings, then
 * overflow and historical. While main is in use, the others have one turn at a time; otherwise all but one (when there are
 * several), so that main waits for a turn only behind itself. Lanes of the same urgency come in the order in which they asked.
 */
export function createTurns(atOnce: number, clock: Clock): Turns {
  const waiting: Record<Urgency, Waiting[]> = { main: [], soon: [], later: [] };
  const othersMax = Math.max(1, atOnce - 1);
  let mainAtMs = -Infinity;
  let running = 0;
  let others = 0;

  function next(): { urgency: Urgency; turn: Waiting } | null {
    if (running === atOnce) return null;
    const mayOthers = others < (clock.nowMs() - mainAtMs > quietMs ? othersMax : 1);
    const able = inOrder.filter((urgency) => waiting[urgency].length > 0 && (urgency === 'main' || mayOthers));
    const starving = able.find(
      (urgency) => urgency !== 'main' && clock.nowMs() - (waiting[urgency][0]?.sinceMs ?? 0) > patienceMs,
    );
    const urgency = starving ?? able[0];
    const turn = urgency === undefined ? undefined : waiting[urgency].shift();
    return urgency === undefined || turn === undefined ? null : { urgency, turn };
  }

  function give(): void {
    for (let given = next(); given !== null; given = next()) {
      running++;
      if (given.urgency === 'main') mainAtMs = clock.nowMs();
      else others++;
      given.turn.begin();
    }
  }

  return {
    async run(lane, work) {
      const urgency = urgencies[lane] ?? 'later';
      const begin = (): Promise<void> =>
        new Promise((resolve) => {
          waiting[urgency].push({ sinceMs: clock.nowMs(), begin: resolve });
          give();
        });
      const end = (): void => {
        running--;
        if (urgency !== 'main') others--;
        give();
      };
      await begin();
      let hasTurn = true;
      try {
        return await work(async (wait) => {
          end();
          hasTurn = false;
          const waited = await wait();
          await begin();
          hasTurn = true;
          return waited;
        });
      } finally {
        if (hasTurn) end();
      }
    },
  };
}
