import type { IntervalsFrom } from '@millrace/query-language/insights/interval-number.ts';
import type { DateSpan } from './dates/date-span.ts';
import { momentAt } from './dates/moments.ts';

/** Intervals of a range as statements number them. Pure. */
export function intervalsOf({ unit, starts }: Pick<DateSpan, 'unit' | 'starts'>): IntervalsFrom {
  const [first = 0] = starts;
  const runs = starts
    .map((start, number) => ({ start: start / 1_000, number }))
    .filter(({ number }) => number === 0 || (starts[number] ?? 0) - (starts[number - 1] ?? 0) !== hourMs);
  return { unit, start: momentAt(first), runs: unit === 'hour' && runs.length > 1 ? runs : undefined };
}

const hourMs = 3_600_000;
