import { periodOf, type QuotaPeriod } from '@millrace/contracts/project-limits.ts';

/** What a project uses of one quota, in the present period. Counts of the past are dropped when a period begins. */
export interface QuotaCounter {
  readonly period: QuotaPeriod;
  /** First day of the period, `YYYY-MM-DD`. */
  periodStart: string;
  periodEndMs: number;
  /** As all processes have told the database, ours among them. */
  used: number;
  /** What the database does not know yet. */
  untold: number;
}

/** A counter of the period of `nowMs`, of which nothing is used yet as far as this process knows. */
export function createQuotaCounter(period: QuotaPeriod, nowMs: number): QuotaCounter {
  return { period, ...periodOf(period, nowMs), used: 0, untold: 0 };
}

/** Moves the counter on to the period of `nowMs`, if its own is over. */
export function turnCounter(counter: QuotaCounter, nowMs: number): void {
  if (nowMs < counter.periodEndMs) return;
  Object.assign(counter, periodOf(counter.period, nowMs), { used: 0, untold: 0 });
}

/** Whether the quota has room for one more event. */
export function hasRoom(counter: QuotaCounter, limit: number): boolean {
  return counter.used + counter.untold < limit;
}
