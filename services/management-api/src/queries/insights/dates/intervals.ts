import { addMonths, dayMs } from '@millrace/query-language/filters/zone-time.ts';
import type { IntervalUnit } from '@millrace/query-language/insights/interval-start.ts';
import { dayOf, dayStart } from './zone-calendar.ts';

export type { IntervalUnit } from '@millrace/query-language/insights/interval-start.ts';

/** Starts, as milliseconds since 1970, and the end of the last interval, exclusive. */
export interface Intervals {
  starts: readonly number[];
  endMs: number;
}

/** More of them are refused (contract/insights 4). */
export const intervalsMax = 10_000;

const stepMs = { minute: 60_000, hour: 3_600_000 };

/**
 * Start of the interval that holds `ms`, as ClickHouse's `toStartOf…` of the zone: hours and minutes are counted from the
 * start of the day. Pure.
 */
export function startOf(ms: number, unit: IntervalUnit, timeZone: string): number {
  const day = dayOf(ms, timeZone);
  if (unit !== 'minute' && unit !== 'hour') return dayStart(firstDay(day, unit), timeZone);
  const start = dayStart(day, timeZone);
  return start + Math.floor((ms - start) / stepMs[unit]) * stepMs[unit];
}

/** Start of the interval after the one that holds `ms`. Pure. */
export const startAfter = (ms: number, unit: IntervalUnit, timeZone: string): number =>
  following(ms, unit, timeZone)(startOf(ms, unit, timeZone));

/** Intervals from the one that holds `fromMs` to the one that holds `toMs`; undefined: more than `intervalsMax`. Pure. */
export function intervalsBetween(
  fromMs: number,
  toMs: number,
  unit: IntervalUnit,
  timeZone: string,
): Intervals | undefined {
  const next = following(fromMs, unit, timeZone);
  let start = startOf(fromMs, unit, timeZone);
  const starts = [start];
  for (start = next(start); start <= toMs; start = next(start)) {
    if (starts.length === intervalsMax) return undefined;
    starts.push(start);
  }
  return { starts, endMs: start };
}

/** Gives the start after each start, beginning with that of the interval that holds `ms`. */
function following(ms: number, unit: IntervalUnit, timeZone: string): (start: number) => number {
  let day = dayOf(ms, timeZone);
  if (unit === 'minute' || unit === 'hour') {
    const step = stepMs[unit];
    let dayEnd = dayStart(day, timeZone);
    return (start) => {
      // A zone that moves across the date line leaves out a day.
      while (dayEnd <= start) dayEnd = dayStart((day += dayMs), timeZone);
      return Math.min(start + step, dayEnd);
    };
  }
  day = firstDay(day, unit);
  return (start) => {
    let next = start;
    while (next <= start) next = dayStart((day = nextDay(day, unit)), timeZone);
    return next;
  };
}

function firstDay(day: number, unit: 'day' | 'week' | 'month'): number {
  if (unit === 'day') return day;
  const date = new Date(day);
  return unit === 'week' ? day - date.getUTCDay() * dayMs : Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

const nextDay = (day: number, unit: 'day' | 'week' | 'month'): number =>
  unit === 'month' ? addMonths(day, 1) : day + (unit === 'week' ? 7 : 1) * dayMs;
