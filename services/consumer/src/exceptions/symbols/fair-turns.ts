import { FairQueue } from '@millrace/runtime/threads/fair-queue.ts';

/** Runs so many pieces of work at a time. Those of different owners take turns. */
export interface FairTurns {
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

export function createFairTurns(atOnce: number): FairTurns {
  const waiting = new FairQueue<() => void>();
  let running = 0;
  return {
    async run(owner, work) {
      if (running < atOnce) running++;
      else await new Promise<void>((resolve) => waiting.add(owner, resolve));
      try {
        return await work();
      } finally {
        // The next one has the place at once: nobody comes between.
        const next = waiting.take();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}
