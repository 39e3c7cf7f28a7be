import type { Clock } from '@millrace/runtime/clock.ts';
import { LRUCache } from 'lru-cache';

/** Runs so many pieces of work at a time. Owners who wait get the same time each, however much work each has and however long it takes. */
export interface FairTurns {
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

/** Owners whose time is known. */
const ownersMax = 10_000;

interface Waiting {
  /** The owner has had at least as much as whoever had the last turn before it came: time in which it wanted nothing is not made up for. */
  sinceMs: number;
  begins: (() => void)[];
}

/** The next is whoever has had the least time (start-time fair queueing). Work that has begun is not interrupted. */
export function createFairTurns(atOnce: number, clock: Clock): FairTurns {
  const waiting = new Map<string, Waiting>();
  /** Milliseconds that an owner has had. */
  const had = new LRUCache<string, number>({ max: ownersMax });
  let running = 0;
  /** Milliseconds that the owner of the last turn had had before it. */
  let reachedMs = 0;
  let mostMs = 0;

  const hadBy = (owner: string, sinceMs: number): number => Math.max(had.get(owner) ?? 0, sinceMs);

  function next(): (() => void) | undefined {
    const owners = [...waiting].map(([owner, { sinceMs }]) => ({ owner, ms: hadBy(owner, sinceMs) }));
    const least = owners.reduce<(typeof owners)[number] | undefined>(
      (best, one) => (best === undefined || one.ms < best.ms ? one : best),
      undefined,
    );
    if (least === undefined) return undefined;
    const { owner, ms } = least;
    const queue = waiting.get(owner);
    const begin = queue?.begins.shift();
    // Among those who have had the same, the owner's next turn comes last.
    waiting.delete(owner);
    if (queue !== undefined && queue.begins.length > 0) waiting.set(owner, queue);
    reachedMs = ms;
    return begin;
  }

  function end(owner: string, ms: number): void {
    const sum = hadBy(owner, reachedMs) + Math.max(0, ms);
    had.set(owner, sum);
    mostMs = Math.max(mostMs, sum);
    // The next one has the place at once: nobody comes between.
    const begin = next();
    if (begin !== undefined) return begin();
    running--;
    // Nobody waits: whoever had more took it from nobody.
    if (running === 0) reachedMs = mostMs;
  }

  return {
    async run(owner, work) {
      if (running < atOnce) {
        running++;
        reachedMs = hadBy(owner, reachedMs);
      } else {
        await new Promise<void>((resolve) => {
          const queue = waiting.get(owner) ?? { sinceMs: reachedMs, begins: [] };
          queue.begins.push(resolve);
          waiting.set(owner, queue);
        });
      }
      const begunMs = clock.nowMs();
      try {
        return await work();
      } finally {
        end(owner, clock.nowMs() - begunMs);
      }
    },
  };
}
