import type { Clock } from '@millrace/runtime/clock.ts';
import { LRUCache } from 'lru-cache';

/** How many new rows a project may still bring: anyone with the public token can make them up. */
export interface Allowances {
  /** Whole rows that are left; 0: none. */
  leftOf(projectId: number): number;
  take(projectId: number, rows: number): void;
}

interface Allowance {
  left: number;
  atMs: number;
}

/** Allowances of all projects: so many rows at once, and so many more each second. */
export function createAllowances(clock: Clock, limits: { atOnce: number; perSecond: number }): Allowances {
  const { atOnce, perSecond } = limits;
  const allowances = new LRUCache<number, Allowance>({ max: 10_000 });

  function leftOf(projectId: number): number {
    const { left, atMs } = allowances.get(projectId) ?? { left: atOnce, atMs: clock.nowMs() };
    return Math.min(atOnce, left + ((clock.nowMs() - atMs) / 1000) * perSecond);
  }

  return {
    leftOf: (projectId) => Math.max(0, Math.floor(leftOf(projectId))),
    take(projectId, rows) {
      allowances.set(projectId, { left: leftOf(projectId) - rows, atMs: clock.nowMs() });
    },
  };
}
