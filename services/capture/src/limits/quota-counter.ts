import { periodOf, type QuotaPeriod } from '@millrace/contracts/project-limits.ts';

/** Use of one quota by a project, in the present period. Counts of the past are dropped when a period begins. */
export interface QuotaCounter {
  readonly period: QuotaPeriod;
  /** First day of the period, `YYYY-MM-DD`. */
  periodStart: string;
  periodEndMs: number;
  /** Use that all processes have reported to the database, ours included. */
  used: number;
  /** Use by this process that is not in the database yet. */
  unreported: number;
}

/** A counter of the period of `nowMs`, at 0. */
export function createQuotaCounter(period: QuotaPeriod, nowMs: number): QuotaCounter {
  return { period, ...periodOf(period, nowMs), used: 0, unreported: 0 };
}

/** Moves the counter on to the period of `nowMs`, if its own is over. */
export function renewCounter(counter: QuotaCounter, nowMs: number): void {
  if (nowMs < counter.periodEndMs) return;
  Object.assign(counter, periodOf(counter.period, nowMs), { used: 0, unreported: 0 });
}

/** True when one more event is within the quota. */
export function isBelowLimit(counter: QuotaCounter, limit: number): boolean {
  return counter.used + counter.unreported < limit;
}
