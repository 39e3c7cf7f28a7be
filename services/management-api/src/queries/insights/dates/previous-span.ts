import { addMonths, dayMs } from '@millrace/query-language/filters/zone-time.ts';
import type { AppError } from '@millrace/http/errors/errors.ts';
import { onQuery } from '../../definition/variables.ts';
import { isAll, readBounds, type Bounds, type DateRange } from './bounds.ts';
import { spanOf, type DateSpan, type SpanOptions } from './date-span.ts';
import { isRelative, parseRelative } from './given-time.ts';
import { microsOf, momentBefore, momentOfMicros, msOf } from './moments.ts';
import { clockTimeAt, instantAt } from './clock-times.ts';
import { dayOf, dayStart } from './zone-calendar.ts';

/** Both ends of a period. */
type Ends = Pick<Bounds, 'from' | 'to'>;

/**
 * The period that the range is compared with (contract/insights 5.6). `span`: `readSpan` of the same range and options.
 * Pure.
 * @throws {AppError} 400 on `query`: `compare_to` is no such text, or the period begins before 1900
 */
export function previousSpan(
  span: DateSpan,
  range: DateRange | undefined,
  { compare_to: compareTo }: { compare_to?: string },
  options: SpanOptions,
): DateSpan {
  const given = readBounds(range ?? {}, options);
  const ends =
    compareTo === undefined
      ? before(span, given, range ?? {}, options)
      : earlier(span, readCompareTo(compareTo), options.now.timeZone);
  if (ends.from < '1900') throw tooEarly();
  return spanOf({ ...ends, relative: given.relative }, options, range?.explicitDate);
}

const tooEarly = (): AppError =>
  onQuery('The period to compare with begins before 1900: choose a shorter range or a later one.');

/** Reads `compare_to`, such as `-1w`. Pure. @throws {AppError} 400 on `query` */
function readCompareTo(text: string): { unit: string; count: number } {
  const [, count, unit] = /^-(\d{1,4})([hdwmy])$/.exec(text.trim()) ?? [];
  if (count === undefined || unit === undefined)
    throw onQuery(
      `query.compareFilter.compare_to: ${JSON.stringify(text.slice(0, 50))} is not an offset. Write -1d, -1w, -1m, -1y or -24h.`,
    );
  return { unit, count: Number(count) };
}

/** The same length, so much earlier: hours pass, days and months are counted on the clocks of the zone. */
function earlier(span: Ends, { unit, count }: { unit: string; count: number }, timeZone: string): Ends {
  if (unit === 'h') return movedBack(span, BigInt(count) * 3_600_000_000n);
  return onClocks(span, timeZone, (clock) => {
    if (unit === 'm' || unit === 'y') return addMonths(clock, -count * (unit === 'y' ? 12 : 1));
    return clock - count * (unit === 'w' ? 7 : 1) * dayMs;
  });
}

function before(span: DateSpan, given: Bounds, range: DateRange, options: SpanOptions): Ends {
  const { unit, exactTotal = false, now } = options;
  const endsNow = range.date_to === undefined;
  if (endsNow) {
    const whole = /^([wmqy])Start$/.exec(range.date_from?.trim() ?? '')?.[1];
    if (whole !== undefined) return wholeBefore(msOf(given.from), whole, now.timeZone);
  }
  if (isAll(range.date_from)) return rightBefore(span, given.from);
  // Minutes have no time of the day that repeats within their range.
  if ((exactTotal && endsNow) || unit === 'minute') return rightBefore(span, span.from);
  const days = daysBack(span, given, range, options);
  return onClocks(span, now.timeZone, (clock) => clock - days * dayMs);
}

/** The whole week, month, quarter or year before the one that begins on the day of `fromMs`. */
function wholeBefore(fromMs: number, unit: string, timeZone: string): Ends {
  const day = dayOf(fromMs, timeZone);
  const months = { m: 1, q: 3, y: 12 }[unit];
  const previous = months === undefined ? day - 7 * dayMs : addMonths(day, -months);
  return {
    from: momentOfMicros(BigInt(dayStart(previous, timeZone)) * 1_000n),
    to: momentBefore(dayStart(day, timeZone)),
  };
}

/** The same time, to the microsecond, that ends right before `moment`. */
const rightBefore = (span: Ends, moment: string): Ends => {
  const to = microsOf(moment) - 1n;
  return { from: momentOfMicros(to - (microsOf(span.to) - microsOf(span.from))), to: momentOfMicros(to) };
};

const movedBack = ({ from, to }: Ends, micros: bigint): Ends => ({
  from: momentOfMicros(microsOf(from) - micros),
  to: momentOfMicros(microsOf(to) - micros),
});

/** Days by which the range moves to end before it begins, at the same times of day. */
function daysBack(span: DateSpan, given: Bounds, range: DateRange, { unit, now }: SpanOptions): number {
  const { timeZone } = now;
  if (unit === 'day' && span.to === given.to && isOfWholeWeeks(range))
    return Math.max(1, (dayOf(msOf(span.to), timeZone) - dayOf(msOf(span.from), timeZone)) / dayMs);
  const end = clockTimeAt(microsOf(span.to) + 1n, timeZone);
  const micros = end - clockTimeAt(microsOf(span.from), timeZone);
  // The running hour, one more than the 24 of `-24h`, moves it no day further.
  const running = unit === 'hour' && span.to === given.to && isOfHours(range) ? hourMicros : 0n;
  return Math.max(1, Math.ceil(Number(micros - running) / (dayMs * 1_000)));
}

const hourMicros = 3_600_000_000n;

/** Is it the last so many hours until now, such as `-24h`? */
const isOfHours = ({ date_from: from = '', date_to: to }: DateRange): boolean =>
  to === undefined && parseRelative(from.trim())?.unit === 'h';

/** `-7d`, `-14d` … have one day more than whole weeks, today: moved by whole weeks, weekdays fall together. */
function isOfWholeWeeks({ date_from: from = '-7d', date_to: to }: DateRange): boolean {
  if (to !== undefined && isRelative(to)) return false;
  const relative = parseRelative(from.trim());
  return relative?.unit === 'd' && !relative.edge && relative.count > 0 && relative.count % 7 === 0;
}

/** Moves the beginning on the clocks of the zone, and the end so that clocks show the same length. */
function onClocks({ from, to }: Ends, timeZone: string, move: (clockMs: number) => number): Ends {
  const start = clockTimeAt(microsOf(from), timeZone);
  const end = clockTimeAt(microsOf(to) + 1n, timeZone);
  const fraction = start % 1_000n;
  const movedMs = move(Number((start - fraction) / 1_000n));
  if (movedMs < Date.UTC(1900, 0)) throw tooEarly();
  const moved = BigInt(movedMs) * 1_000n + fraction;
  const first = instantAt(moved, timeZone);
  const last = instantAt(moved + (end - start), timeZone) - 1n;
  // Minutes that clocks leave out on that day are later ones, maybe later than its end.
  return { from: momentOfMicros(first), to: momentOfMicros(last < first ? first : last) };
}
