import { AppError } from '@millrace/http/errors/errors.ts';
import { FilterError } from '@millrace/query-language/filters/filter-error.ts';
import { readMoment, type Now } from '@millrace/query-language/filters/relative-time.ts';
import { momentOfMicros, microsOf } from '../../../queries/insights/dates/moments.ts';
import type { TimeWindow } from '../../../queries/definition/time-window.ts';

/** Body fields that say when a trace or a generation was. */
export interface GivenDates {
  date_from?: string | null | undefined;
  date_to?: string | null | undefined;
}

const fromDefault = '-30d';

/**
 * The window of `date_from` and `date_to` (contract/llm-surveys 6.3): ISO 8601, of the project's time zone where it names no zone; or relative
 * such as `-7d`; a bare date is the whole day in that zone (contract/decisions 70). Missing, null or blank: from 30 days ago to now. Pure.
 * @throws {AppError} invalid_input with the name of the field; with `date_from` when it is later than `date_to`
 */
export function readTraceWindow({ date_from, date_to }: GivenDates, now: Now): TimeWindow {
  const to = date_to?.trim();
  const window = {
    from: readBound(date_from?.trim() || fromDefault, 'date_from', now).first,
    to: to ? readBound(to, 'date_to', now).last : momentOfMicros(BigInt(now.nowMs) * 1_000n),
  };
  if (window.from > window.to)
    throw new AppError('invalid_input', { attr: 'date_from', detail: 'date_from must not be later than date_to.' });
  return window;
}

function readBound(text: string, field: 'date_from' | 'date_to', now: Now): ReturnType<typeof readMoment> {
  try {
    return readMoment(text, now, field);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw new AppError('invalid_input', { attr: field, detail: error.message, cause: error });
  }
}

// A trace of which a part lies in the window is read whole, unless it takes longer than this.
const marginMicros = 600_000_000n;
const [earliest, latest] = ['1900-01-01 00:00:00.000000', '2299-12-31 23:59:59.999999'];

/** The window and ten minutes before and behind it, as far as times can be stored. Pure. */
export function widened({ from, to }: TimeWindow): TimeWindow {
  const [before, behind] = [momentOfMicros(microsOf(from) - marginMicros), momentOfMicros(microsOf(to) + marginMicros)];
  return { from: before < earliest ? earliest : before, to: behind > latest ? latest : behind };
}
