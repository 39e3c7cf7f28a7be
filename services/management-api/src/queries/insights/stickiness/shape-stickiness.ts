import type { DateSpan } from '../dates/date-span.ts';
import { isoDaysOf } from '../dates/interval-texts.ts';
import { actionOf, type SeriesAction } from '../definition/series-action.ts';
import { labelOf } from '../definition/series-label.ts';
import type { EventsNode } from '../definition/schema-parts.ts';
import type { Row } from '../insight-kind.ts';

/** Actors of one series by the number of intervals in which they were active (contract/insights 9.2). */
interface StickinessResult {
  action: SeriesAction;
  label: string;
  count: number;
  data: number[];
  days: number[];
  labels: string[];
  compare?: true;
  compare_label?: 'current' | 'previous';
}

/** Facts of a definition that its results show. */
interface StickinessLooks {
  series: readonly EventsNode[];
  spans: { current: DateSpan; previous: DateSpan | undefined };
  timeZone: string;
  cumulative: boolean;
}

/** Results of the rows of `buildStickiness`. Pure. */
export function shapeStickiness(rows: readonly Row[], looks: StickinessLooks): StickinessResult[] {
  const { series, spans, timeZone } = looks;
  const periods = spans.previous === undefined ? [spans.current] : [spans.current, spans.previous];
  const actors = periods.flatMap((span) => series.map(() => span.starts.map(() => 0)));
  for (const [part, intervals, count] of rows as [number, number, number][]) {
    const data = actors[part];
    if (data !== undefined && intervals >= 1 && intervals <= data.length) data[intervals - 1] = count;
  }
  const days = isoDaysOf(spans.current, timeZone);
  return series.flatMap((node, order) =>
    periods.map((span, period) => ({
      action: actionOf(node, order, days),
      label: labelOf(node.event ?? null),
      ...figuresOf(actors[period * series.length + order] ?? [], span, looks.cumulative),
      ...(periods.length > 1 && { compare: true as const, compare_label: compareLabels[period] }),
    })),
  );
}

const compareLabels = ['current', 'previous'] as const;

function figuresOf(exactly: readonly number[], { unit }: DateSpan, cumulative: boolean) {
  const count = exactly.reduce((sum, actors) => sum + actors, 0);
  let rest = count;
  const orMore = exactly.map((actors) => {
    rest -= actors;
    return rest + actors;
  });
  const days = exactly.map((_, at) => at + 1);
  return {
    count,
    data: cumulative ? orMore : [...exactly],
    days,
    labels: days.map((day) => `${day} ${unit}${day === 1 ? '' : 's'}${cumulative ? ' or more' : ''}`),
  };
}
