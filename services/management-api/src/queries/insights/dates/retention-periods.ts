import type { Now } from '@millrace/query-language/filters/relative-time.ts';
import { readBounds, withoutIncomplete, type DateRange } from './bounds.ts';
import { spanOf, type DateSpan } from './date-span.ts';
import { startAfter, startOf } from './intervals.ts';
import { momentAt, momentBefore, msOf } from './moments.ts';

export interface PeriodOptions {
  period: 'hour' | 'day' | 'week' | 'month';
  /** Periods of a range without `date_from`, at least 1. */
  totalIntervals: number;
  now: Now;
  /** As in `BoundsOptions`. */
  earliest?: string | undefined;
}

/**
 * Range of a retention query (contract/insights 7.2): whole periods from that of `date_from` to that of `date_to`; without
 * `date_from`, `totalIntervals` periods. Pure.
 * @throws {AppError} 400 on `query`, as `readSpan`
 */
export function readPeriods(range: DateRange | undefined, options: PeriodOptions): DateSpan {
  const { period: unit, totalIntervals, now, earliest } = options;
  const { timeZone } = now;
  const hasFrom = range?.date_from !== undefined;
  const bounds = readBounds(hasFrom ? range : { ...range, date_from: 'all' }, { unit, now, earliest });
  const lastStart = startOf(msOf(bounds.to), unit, timeZone);
  const from = hasFrom ? bounds.from : momentAt(periodsBefore(lastStart, totalIntervals - 1, options));
  const whole = { ...bounds, from, to: momentBefore(startAfter(lastStart, unit, timeZone)) };
  const kept = range?.excludeIncompletePeriods === true ? withoutIncomplete(whole, { unit, now }) : whole;
  return spanOf(
    { ...kept, from: momentAt(startOf(msOf(kept.from), unit, timeZone)) },
    { unit, now, earliest, rule: 'interval' },
  );
}

/** Start of the period so many before the one that begins at `start`. */
function periodsBefore(start: number, count: number, { period, now }: PeriodOptions): number {
  let at = start;
  for (let n = 0; n < count; n += 1) at = startOf(at - 1, period, now.timeZone);
  return at;
}
