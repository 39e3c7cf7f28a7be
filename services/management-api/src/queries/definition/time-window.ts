import { AppError } from '@millrace/http/errors/errors.ts';
import { parseTime } from '@millrace/query-language/values.ts';
import { momentOf } from '@millrace/query-language/filters/zone-time.ts';

/** Both inclusive, UTC, as `2026-01-31 12:00:00.000000`; of such texts the earlier is the lesser. */
export interface TimeWindow {
  from: string;
  to: string;
}

// Every stored time is in these years (contract/decisions 29).
const always: TimeWindow = { from: '1900-01-01 00:00:00.000000', to: '2299-12-31 23:59:59.999999' };

/**
 * The window of `date_from` and `date_to` (contract/llm-surveys 9.2): ISO 8601, UTC where it names no zone; a bare date is
 * the whole day in the project's time zone (contract/decisions 12). A missing or empty value does not limit. Pure.
 * @throws {AppError} invalid_input; it names the field only with `namesField`
 */
export function readWindow(
  { date_from: from = '', date_to: to = '' }: { date_from?: string; date_to?: string },
  timeZone: string,
  { namesField = false } = {},
): TimeWindow {
  const window = {
    from: from.trim() === '' ? always.from : readBound(from, timeZone, 'from', namesField),
    to: to.trim() === '' ? always.to : readBound(to, timeZone, 'to', namesField),
  };
  if (window.from > window.to)
    throw new AppError('invalid_input', {
      attr: namesField ? 'date_from' : null,
      detail: 'date_from must be before date_to',
    });
  return window;
}

/** A time from a URL, in the form of `parseTime`. A plus sign that was not encoded arrives as a space. Pure. */
export function parseUrlTime(text: string): string | undefined {
  return parseTime(text.trim().replace(/^(\d{4}-\d{2}-\d{2}[Tt ]\d{2}:[\d:.]{2,20}) (\d{2}:?\d{2})$/, '$1+$2'));
}

function readBound(text: string, timeZone: string, bound: keyof TimeWindow, namesField: boolean): string {
  const time = parseUrlTime(text);
  if (time === undefined) {
    const attr = namesField ? `date_${bound}` : null;
    throw new AppError('invalid_input', {
      attr,
      detail: `Invalid date format. Please use ISO 8601 format (e.g. 2026-01-31 or 2026-01-31T12:00:00Z) for date_${bound}.`,
    });
  }
  const { first, last } = momentOf(text, time, timeZone);
  return bound === 'from' ? first : last;
}
