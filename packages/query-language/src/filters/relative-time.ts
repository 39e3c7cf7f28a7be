import { parseTime } from '../values.ts';
import { FilterError } from './filter-error.ts';
import {
  addMonths,
  dayMs,
  instantOf,
  instantText,
  isZoneless,
  momentOf,
  utcText,
  wallMsOf,
  type Moment,
} from './zone-time.ts';

/** The moment to which relative times are relative. */
export interface Now {
  nowMs: number;
  timeZone: string;
}

const pattern = /^(?:-?(\d{1,4}))?([smhdwqyM])(Start|End)?$/;

/**
 * A time of a filter (contract/endpoints 2.4): ISO 8601, or relative such as `-7d`, `-24h`, `-1m`, `dStart`, `-1mEnd`, by the
 * calendar of the project's time zone. A time without a zone is of that zone, and a bare date is the whole day there
 * (contract/decisions 12). `place` names the text in the error. Pure.
 * @throws {FilterError}
 */
export function readMoment(text: string, now: Now, place: string): Moment {
  const trimmed = text.trim();
  const [whole, count, unit = '', edge] = pattern.exec(trimmed) ?? [];
  // A unit alone is no time: a time is its start, its end, or a number of units ago.
  if (whole !== undefined && (edge !== undefined || count !== undefined))
    return relative(Number(count ?? 0), unit, edge, now);
  const time = parseTime(trimmed);
  if (time === undefined)
    throw new FilterError(
      `"${trimmed.slice(0, 50)}" in ${place} is not a time: write 2026-01-31, 2026-01-31T12:00:00Z, -7d or mStart.`,
    );
  const isWall = trimmed.length > 10 && isZoneless(trimmed);
  return momentOf(trimmed, isWall ? instantText(time, now.timeZone) : time, now.timeZone);
}

/** Is this a number of minutes under an hour, `-1M`, whose author may mean months? */
export const isFewMinutes = (text: string): boolean => /^\s*-?[1-5]?\dM(?:Start|End)?\s*$/.test(text);

function relative(count: number, unit: string, edge: string | undefined, { nowMs, timeZone }: Now): Moment {
  const back = unit === 'q' && edge === undefined ? weeksOfQuarter : { count: 1, unit };
  const wall = Math.max(earliest, before(wallMsOf(nowMs, timeZone), count * back.count, back.unit));
  if (edge === undefined) {
    const at = unit === 's' || unit === 'M' || unit === 'h' ? before(nowMs, count, unit) : instantOf(wall, timeZone);
    return same(utcText(at, micros(at)));
  }
  const start = startOf(wall, unit);
  return edge === 'Start'
    ? same(utcText(instantOf(start, timeZone), '000000'))
    : same(utcText(instantOf(after(start, unit), timeZone) - 1, '999999'));
}

// Quarters ago are counted in weeks, so that days of the week fall together (contract/endpoints 2.4); with Start or End they are the calendar's.
const weeksOfQuarter = { count: 13, unit: 'w' };

// No stored time is earlier than 1900 (contract/decisions 29); a zone may be a day ahead of it.
const earliest = Date.UTC(1900, 0, 3);

const fixedMs: Readonly<Record<string, number>> = { s: 1_000, M: 60_000, h: 3_600_000, d: dayMs, w: 7 * dayMs };
const months: Readonly<Record<string, number>> = { m: 1, q: 3, y: 12 };

function before(wall: number, count: number, unit: string): number {
  const length = fixedMs[unit];
  return length === undefined ? addMonths(wall, -count * (months[unit] ?? 0)) : wall - count * length;
}

function after(start: number, unit: string): number {
  const length = fixedMs[unit];
  return length === undefined ? addMonths(start, months[unit] ?? 0) : start + length;
}

/** Weeks begin on Sunday. */
function startOf(wall: number, unit: string): number {
  const date = new Date(wall);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (unit === 'y') return Date.UTC(year, 0);
  if (unit === 'q') return Date.UTC(year, month - (month % 3));
  if (unit === 'm') return Date.UTC(year, month);
  const day = Date.UTC(year, month, date.getUTCDate());
  if (unit === 'w') return day - date.getUTCDay() * dayMs;
  const length = fixedMs[unit] ?? dayMs;
  return Math.floor(wall / length) * length;
}

function same(time: string): Moment {
  return { first: time, last: time };
}

function micros(at: number): string {
  return `${String(((at % 1_000) + 1_000) % 1_000).padStart(3, '0')}000`;
}
