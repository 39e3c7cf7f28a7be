import type { Now } from '@millrace/query-language/filters/relative-time.ts';
import { dayMs } from '@millrace/query-language/filters/zone-time.ts';
import { onQuery } from '../../definition/variables.ts';
import { readGivenTime } from './given-time.ts';
import { startAfter, startOf, type IntervalUnit } from './intervals.ts';
import { momentAt, momentBefore, msOf } from './moments.ts';
import { dayOf, dayStart } from './zone-calendar.ts';

/** `dateRange` of a definition, checked for its shape (nulls left out). */
export interface DateRange {
  date_from?: string;
  date_to?: string;
  explicitDate?: boolean;
  excludeIncompletePeriods?: boolean;
  daysOfWeek?: readonly number[];
}

/** Circumstances in which a range is read. */
export interface BoundsOptions {
  unit: IntervalUnit;
  now: Now;
  /** Moment of the earliest event, for `date_from` `all`; undefined: there is none, so today. */
  earliest?: string | undefined;
  /** The range is one exact total (contract/insights 5.3, `BoldNumber`); `unit` is `day`. */
  exactTotal?: boolean;
  /** Names the range in errors; `query.dateRange` unless given. */
  place?: string;
}

/** Both ends of a range, as moments, inclusive. */
export interface Bounds {
  from: string;
  to: string;
  /** Was `date_from` a text such as `-7d`? */
  relative: boolean;
}

/** Days before today with which a range without `date_from` begins. */
const defaultDays = 7;

const defaultPlace = 'query.dateRange';

/**
 * Resolves the texts of a range, rounded (contract/insights 4 "From → to"), with incomplete intervals. Pure.
 * @throws {AppError} 400 on `query`
 */
export function readBounds(range: DateRange, options: BoundsOptions): Bounds {
  const place = options.place ?? defaultPlace;
  refuseDaysOfWeek(range, place);
  const bounds = { ...readFrom(range, options, place), to: readTo(range, options, place) };
  // All time up to a day before the first event is that day, and nothing happened.
  if (isAll(range.date_from) && bounds.from > bounds.to)
    return { ...bounds, from: momentAt(startOf(msOf(bounds.to), 'day', options.now.timeZone)) };
  if (bounds.from > bounds.to) throw onQuery(`${place}.date_from must not be later than ${place}.date_to.`);
  return bounds;
}

/**
 * The range without the intervals that are not complete (contract/insights 4 "excludeIncompletePeriods"): each end stays
 * when no complete interval would be left. Pure.
 */
export function withoutIncomplete(bounds: Bounds, { unit, now }: Pick<BoundsOptions, 'unit' | 'now'>): Bounds {
  const { nowMs, timeZone } = now;
  const fromMs = msOf(bounds.from);
  const start = startOf(fromMs, unit, timeZone);
  const first = momentAt(start) === bounds.from ? start : startAfter(fromMs, unit, timeZone);
  const current = startOf(nowMs, unit, timeZone);
  const to = msOf(bounds.to) >= current && first < current ? momentBefore(current) : bounds.to;
  const isLeft = first !== current && momentBefore(startAfter(first, unit, timeZone)) <= to;
  return { ...bounds, from: isLeft ? momentAt(first) : bounds.from, to };
}

/** All days of a week are no choice. */
function refuseDaysOfWeek({ daysOfWeek = [] }: DateRange, place: string): void {
  if (daysOfWeek.length > 0 && [1, 2, 3, 4, 5, 6, 7].some((day) => !daysOfWeek.includes(day)))
    throw onQuery(`${place}.daysOfWeek cannot choose some days of the week yet: leave it out.`);
}

function readFrom(range: DateRange, options: BoundsOptions, place: string): Omit<Bounds, 'to'> {
  const { unit, now, earliest, exactTotal = false } = options;
  const { nowMs, timeZone } = now;
  const today = dayOf(nowMs, timeZone);
  const text = range.date_from;
  if (text === undefined) return { from: momentAt(dayStart(today - defaultDays * dayMs, timeZone)), relative: false };
  if (isAll(text)) return { from: earliest ?? momentAt(dayStart(today, timeZone)), relative: false };
  const given = readGivenTime(text, `${place}.date_from`, now);
  if (given.form === 'date') return { from: momentAt(dayStart(given.day, timeZone)), relative: false };
  if (given.form === 'time') return { from: given.moment, relative: false };
  const isExact = range.explicitDate === true || exactTotal || unit === 'minute';
  const cut = given.unit === 'h' ? 'hour' : 'day';
  return {
    from: isExact ? given.moment : momentAt(startOf(msOf(given.moment), cut, timeZone)),
    relative: true,
  };
}

function readTo(range: DateRange, { unit, now, exactTotal = false }: BoundsOptions, place: string): string {
  const { nowMs, timeZone } = now;
  const given = range.date_to === undefined ? undefined : readGivenTime(range.date_to, `${place}.date_to`, now);
  if (given?.form === 'date') return momentBefore(dayStart(given.day + dayMs, timeZone));
  const moment = given?.moment ?? momentAt(nowMs);
  if (range.explicitDate === true || (exactTotal && given === undefined)) return moment;
  if (unit !== 'minute' && unit !== 'hour') return momentBefore(startAfter(msOf(moment), 'day', timeZone));
  return given?.form === 'time' ? moment : momentBefore(startAfter(msOf(moment), unit, timeZone));
}

/** Is it `all`, the text that stands for the earliest event? */
export const isAll = (text: string | undefined): boolean => text?.trim() === 'all';
