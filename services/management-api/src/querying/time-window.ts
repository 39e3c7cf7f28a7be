import { AppError } from '@millrace/http/errors.ts';
import { parseTime } from '@millrace/query-language/values.ts';

/** Both inclusive, UTC, as `2026-01-31 12:00:00.000000`; of such texts the earlier is the lesser. */
export interface TimeWindow {
  from: string;
  to: string;
}

// Every stored time is in these years (contract/decisions 29).
const always: TimeWindow = { from: '1900-01-01 00:00:00.000000', to: '2299-12-31 23:59:59.999999' };

/**
 * The window of `date_from` and `date_to` (contract/llm-surveys 9.2): ISO 8601, UTC where it names no zone; a bare date is
 * the whole day in the project's time zone (contract/decisions 12). What is missing or empty does not limit. Pure.
 * @throws {AppError} invalid_input; it names the field only for who wants it (`namesField`)
 */
export function readWindow({ date_from: from = '', date_to: to = '' }: { date_from?: string; date_to?: string }, timeZone: string, { namesField = false } = {}): TimeWindow {
  const window = {
    from: from.trim() === '' ? always.from : readBound(from, timeZone, 'from', namesField),
    to: to.trim() === '' ? always.to : readBound(to, timeZone, 'to', namesField),
  };
  if (window.from > window.to) throw new AppError('invalid_input', { attr: namesField ? 'date_from' : null, detail: 'date_from must be before date_to' });
  return window;
}

/** A time out of a URL, where a plus sign that nobody encoded has become a space; as `parseTime` answers it. Pure. */
export function parseUrlTime(text: string): string | undefined {
  return parseTime(text.trim().replace(/^(\S+[T ]\S+) (\d{2}:?\d{2})$/, '$1+$2'));
}

function readBound(text: string, timeZone: string, bound: keyof TimeWindow, namesField: boolean): string {
  const time = parseUrlTime(text);
  if (time === undefined) {
    const attr = namesField ? `date_${bound}` : null;
    throw new AppError('invalid_input', { attr, detail: `Invalid date format. Please use ISO 8601 format (e.g. 2026-01-31 or 2026-01-31T12:00:00Z) for date_${bound}.` });
  }
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text.trim())) return time;
  const midnight = Date.parse(`${time.slice(0, 10)}T00:00:00Z`);
  if (bound === 'from') return utcText(instantOf(midnight, timeZone), '000000');
  return utcText(instantOf(midnight + dayMs, timeZone) - 1, '999999');
}

/** A day of UTC, in milliseconds. */
export const dayMs = 86_400_000;

/** What clocks of a zone show at `at`, in milliseconds as if it were UTC; whole seconds. */
export function wallMsOf(at: number, timeZone: string): number {
  const clock = new Intl.DateTimeFormat('en-CA', { timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  return Date.parse(`${parts['year']}-${parts['month']}-${parts['day']}T${parts['hour']}:${parts['minute']}:${parts['second']}Z`);
}

/** The first instant at which clocks of a zone show `wall` or more: days do not always begin at midnight, as clocks may go forward just then. */
export function instantOf(wall: number, timeZone: string): number {
  const offsets = [wall - dayMs, wall + dayMs].map((at) => wallMsOf(at, timeZone) - Math.floor(at / 1_000) * 1_000);
  const starts = offsets.map((offset) => wall - offset).filter((start) => wallMsOf(start, timeZone) >= Math.floor(wall / 1_000) * 1_000);
  return Math.min(...starts);
}

/** A time as `parseTime` answers it; `fraction`: six digits. */
export function utcText(at: number, fraction: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}.${fraction}`;
}
