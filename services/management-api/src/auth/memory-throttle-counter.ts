import { createLeastRecentlyUsed } from '../least-recently-used.ts';
import type { Rate, ThrottleCounter } from './throttles.ts';

interface Window {
  used: number;
  endsMs: number;
}

/** Names that are counted at a time; of those beyond, the longest unused start anew. */
const namesMax = 100_000;

/** Counts in this process alone. `nowMs`: any clock that never goes back. */
export function createMemoryThrottleCounter(nowMs: () => number = () => performance.now()): ThrottleCounter {
  const windows = createLeastRecentlyUsed<string, readonly Window[]>(namesMax);
  return {
    take(name, rates) {
      const now = nowMs();
      const known = windows.get(name);
      const current = rates.map(({ windowMs }, at) => openWindow(known?.[at], now, windowMs));
      const waits = current.map(({ used, endsMs }, at) => (used >= (rates[at] as Rate).limit ? endsMs - now : 0));
      const waitMs = Math.max(...waits);
      if (waitMs > 0) return waitMs;
      for (const window of current) window.used++;
      windows.set(name, current);
      return 0;
    },
  };
}

function openWindow(known: Window | undefined, now: number, windowMs: number): Window {
  return known !== undefined && now < known.endsMs ? known : { used: 0, endsMs: now + windowMs };
}
