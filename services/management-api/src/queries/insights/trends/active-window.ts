import { dayMs } from '@millrace/query-language/filters/zone-time.ts';
import type { TrendsSeries } from '@millrace/query-language/insights/trends/trends-plan.ts';
import { clockTimeAt, instantAt } from '../dates/clock-times.ts';
import type { DateSpan } from '../dates/date-span.ts';
import { microsOf, momentAt, momentOfMicros } from '../dates/moments.ts';
import { dayOf, dayStart } from '../dates/zone-calendar.ts';

/** Events and math of active persons in a period. `slots`: slot of each of its intervals; undefined: the numbers are those of intervals. */
export type ActiveSeries = Pick<TrendsSeries, 'from' | 'math'> & { slots?: readonly number[] };

const persons = { of: 'actors', actor: 'person', once: false } as const;

/**
 * Persons of the `days` days that end with the day, hour or minute of each interval; of a total, with the range (contract/insights 5.1, 5.3).
 * Intervals as long as the window count their own persons. Pure.
 */
export function activeSeries(span: DateSpan, days: number, isTotal: boolean, timeZone: string): ActiveSeries {
  if (isTotal) return { from: daysBefore(span.to, days, timeZone), math: persons };
  const { unit, starts, countsFrom } = span;
  if (unit === 'month' || (unit === 'week' && days === 7)) return { from: countsFrom, math: persons };
  const firstMs = starts[0] ?? 0;
  const isTime = unit === 'hour' || unit === 'minute';
  const slots = starts.map((start) => (isTime ? start / 1_000 : dayOf(start, timeZone) / dayMs));
  const from = isTime ? firstMs - days * dayMs : dayStart(dayOf(firstMs, timeZone) - (days - 1) * dayMs, timeZone);
  return {
    from: momentAt(from),
    math: {
      of: 'active',
      window: {
        slots: isTime ? unit : 'day',
        width: isTime ? (days * dayMs) / 1_000 : days,
        first: slots[0] ?? 0,
        last: slots.at(-1) ?? 0,
      },
    },
    slots,
  };
}

/** First moment of so many days, by the clocks of the zone, that end with `to`. */
function daysBefore(to: string, days: number, timeZone: string): string {
  const end = clockTimeAt(microsOf(to) + 1n, timeZone);
  return momentOfMicros(instantAt(end - BigInt(days * dayMs) * 1_000n, timeZone));
}
