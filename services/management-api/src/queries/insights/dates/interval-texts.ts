import { dayMs } from '@millrace/query-language/filters/zone-time.ts';
import type { DateSpan } from './date-span.ts';
import { msOf } from './moments.ts';
import { dayOf, offsetAt, wallAt } from './zone-calendar.ts';

/** `days` of a result (contract/insights 4): local times of the starts. Pure. */
export function daysOf({ starts, unit }: DateSpan, timeZone: string): string[] {
  const isTime = unit === 'minute' || unit === 'hour';
  return starts.map((start) => {
    const shown = new Date(wallAt(start, timeZone)).toISOString();
    return isTime ? `${shown.slice(0, 10)} ${shown.slice(11, 19)}` : shown.slice(0, 10);
  });
}

/** `labels` of a result (contract/insights 4), weeks clipped to the span. Pure. */
export function labelsOf(span: DateSpan, timeZone: string): string[] {
  const { starts, unit } = span;
  if (unit === 'week') return weekLabels(span, timeZone);
  return starts.map((start) => {
    const shown = new Date(wallAt(start, timeZone));
    if (unit === 'day') return dayAndYear(shown);
    if (unit === 'month') return `${monthOf(shown)} ${shown.getUTCFullYear()}`;
    return `${dayAndMonth(shown)} ${shown.toISOString().slice(11, 16)}`;
  });
}

/** Starts of the intervals in ISO 8601 with the zone's offset (contract/insights 5.2 `action.days`, 7.4 `date`). Pure. */
export const isoDaysOf = ({ starts }: DateSpan, timeZone: string): string[] =>
  starts.map((start) => `${new Date(wallAt(start, timeZone)).toISOString().slice(0, 19)}${zoneText(start, timeZone)}`);

/** A moment in ISO 8601 with the zone's offset, to the microsecond (contract/insights 1.3 `resolved_date_range`). Pure. */
export function isoMoment(moment: string, timeZone: string): string {
  const ms = msOf(moment);
  const shown = new Date(wallAt(ms, timeZone)).toISOString().slice(0, 19);
  return `${shown}${moment.slice(19)}${zoneText(ms, timeZone)}`;
}

/** Index of the interval that holds the moment `ms`; -1 outside. Pure. */
export function intervalIndex({ starts, endMs }: DateSpan, ms: number): number {
  if (ms >= endMs) return -1;
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? endMs) <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function weekLabels({ starts, from, to }: DateSpan, timeZone: string): string[] {
  const [firstDay, lastDay] = [dayOf(msOf(from), timeZone), dayOf(msOf(to), timeZone)];
  return starts.map((start) => {
    const sunday = dayOf(start, timeZone);
    const first = new Date(Math.max(sunday, firstDay));
    const last = new Date(Math.min(sunday + 6 * dayMs, lastDay));
    if (first.getTime() >= last.getTime()) return dayAndYear(first);
    if (first.getUTCFullYear() !== last.getUTCFullYear()) return `${dayAndYear(first)} – ${dayAndYear(last)}`;
    return first.getUTCMonth() === last.getUTCMonth()
      ? `${first.getUTCDate()}–${last.getUTCDate()} ${monthOf(last)}`
      : `${dayAndMonth(first)} – ${dayAndMonth(last)}`;
  });
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const monthOf = (date: Date): string => months[date.getUTCMonth()] ?? '';
const dayAndMonth = (date: Date): string => `${date.getUTCDate()}-${monthOf(date)}`;
const dayAndYear = (date: Date): string => `${dayAndMonth(date)}-${date.getUTCFullYear()}`;

/** `Z`, or such as `+05:30`. */
function zoneText(ms: number, timeZone: string): string {
  const minutes = Math.round(offsetAt(ms, timeZone) / 60_000);
  if (minutes === 0) return 'Z';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
