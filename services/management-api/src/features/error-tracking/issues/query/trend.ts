import type { TimeWindow } from '../../../../queries/definition/time-window.ts';
import { msOf } from '../../../../queries/insights/dates/moments.ts';

interface Trend {
  direction: 'new' | 'increasing' | 'decreasing' | 'stable';
  current_occurrences: number;
  previous_occurrences: number;
}

/** So much more or less is a change. */
const changeMin = 0.25;

/** The second half of a time against the first; null: nothing happened in either. Pure. */
export function trendOf(
  [previous = 0, current = 0]: readonly number[],
  firstSeenMs: number,
  { from, to }: TimeWindow,
): Trend | null {
  if (previous + current === 0) return null;
  const isNew = firstSeenMs >= (msOf(from) + msOf(to)) / 2;
  const isMore = current > previous && current >= previous * (1 + changeMin);
  const isLess = current < previous && current <= previous * (1 - changeMin);
  const direction = isNew ? 'new' : isMore ? 'increasing' : isLess ? 'decreasing' : 'stable';
  return { direction, current_occurrences: current, previous_occurrences: previous };
}
