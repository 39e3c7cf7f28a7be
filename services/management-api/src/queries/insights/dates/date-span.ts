import { onQuery } from '../../definition/variables.ts';
import { isAll, readBounds, withoutIncomplete, type Bounds, type BoundsOptions, type DateRange } from './bounds.ts';
import { intervalsBetween, intervalsMax, startOf, type IntervalUnit } from './intervals.ts';
import { momentAt, msOf } from './moments.ts';
import { dayOf, dayStart } from './zone-calendar.ts';

export type { DateRange } from './bounds.ts';
export type { IntervalUnit } from './intervals.ts';

/** Range of an insight. Moments are UTC texts of microseconds, as `utcText` writes them; both ends inclusive. */
export interface DateSpan {
  /** Range as resolved (`resolved_date_range`, comparison). */
  from: string;
  to: string;
  /** Events count from here on: the start of the first interval, or a part of it (`SpanOptions.rule`). */
  countsFrom: string;
  unit: IntervalUnit;
  /** Start of each interval, milliseconds since 1970, ascending; the first interval contains `from`. */
  starts: readonly number[];
  /** End of the last interval, exclusive, milliseconds since 1970. */
  endMs: number;
}

export interface SpanOptions extends BoundsOptions {
  /**
   * Events that count (contract/insights 4): `trends` (and stickiness), `exact` from `from` on (funnels), from its
   * `midnight` (paths, web), from the start of its `interval` (lifecycle, retention).
   */
  rule: 'trends' | 'exact' | 'midnight' | 'interval';
}

/**
 * Resolves a range and divides it into intervals (contract/insights 4). Pure.
 * @throws {AppError} 400 on `query`: a text that is no time, from later than to, more than 10,000 intervals, `daysOfWeek`
 * a part of the week
 */
export function readSpan(range: DateRange | undefined, options: SpanOptions): DateSpan {
  const bounds = readBounds(range ?? {}, options);
  return spanOf(
    range?.excludeIncompletePeriods === true ? withoutIncomplete(bounds, options) : bounds,
    options,
    range?.explicitDate,
  );
}

/** Does the range need the earliest event? Pure. */
export const wantsEarliest = (range: DateRange | undefined): boolean => isAll(range?.date_from);

/** Divides resolved bounds into intervals. Pure. @throws {AppError} 400 on `query`: more than 10,000 intervals */
export function spanOf(bounds: Bounds, options: SpanOptions, explicit = false): DateSpan {
  const { unit, now } = options;
  const { from, to } = bounds;
  const intervals = intervalsBetween(msOf(from), msOf(to), unit, now.timeZone);
  if (intervals === undefined)
    throw onQuery(
      `The range has more than ${intervalsMax.toLocaleString('en')} intervals: choose a longer interval or a shorter range.`,
    );
  return { from, to, countsFrom: countsFrom(bounds, options, explicit), unit, ...intervals };
}

function countsFrom({ from, relative }: Bounds, options: SpanOptions, explicit: boolean): string {
  const { unit, rule, exactTotal = false, now } = options;
  if (exactTotal || rule === 'exact') return from;
  const fromMs = msOf(from);
  const midnight = (): string => momentAt(dayStart(dayOf(fromMs, now.timeZone), now.timeZone));
  if (rule === 'midnight') return midnight();
  if (rule === 'trends') {
    if (explicit) return from;
    if (unit === 'week' || unit === 'month') return midnight();
    // Relative ones are cut already, to the hour in `-24h`: the first day is then only a part.
    if (relative) return from;
  }
  return momentAt(startOf(fromMs, unit, now.timeZone));
}
