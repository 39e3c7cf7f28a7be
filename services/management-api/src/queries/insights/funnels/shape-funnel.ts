import { comparedTexts } from '../compared-texts.ts';
import { daysOf, intervalIndex, labelsOf } from '../dates/interval-texts.ts';
import type { InsightResult, InsightContext, Row } from '../insight-kind.ts';
import { refuseNumbers } from '../insight-limits.ts';
import type { FunnelDefinition } from './funnel-schema.ts';
import type { ReadFunnel } from './read-funnel.ts';

/**
 * Results of the rows that `buildFunnel` describes (contract/insights 6.3–6.5). Pure.
 * @throws {AppError} 400 on `query`: more than 2,000,000 numbers
 */
export function shapeFunnel(
  definition: FunnelDefinition,
  read: ReadFunnel,
  context: InsightContext,
  rows: readonly Row[],
): InsightResult {
  const { result, breakdown } = read.plan;
  if (result.kind === 'times') return { results: binsOf(rows), hasMore: false };
  const values = breakdown === undefined ? [] : readValues(rows);
  const hasMore = values.some(({ isOther }) => isOther);
  if (result.kind === 'trends') return { results: trendsOf(definition, read, context, rows, values), hasMore };
  if (breakdown === undefined) return { results: stepsOf(definition, rows[0] ?? []), hasMore };
  const lists = inOrder(definition, values).map(({ shown, figures }) =>
    stepsOf(definition, figures).map((step) => ({ ...step, breakdown: [shown], breakdown_value: [shown] })),
  );
  return { results: lists, hasMore };
}

/** Figures of a value of a breakdown. */
interface ValueRow {
  shown: string;
  isOther: boolean;
  figures: Row;
}

function readValues(rows: readonly Row[]): ValueRow[] {
  return rows.map(([value, other, ...figures]) => {
    const isOther = Boolean(other);
    return { shown: isOther ? 'Other' : String(value), isOther, figures };
  });
}

/** Values by the counts of the last step, the one before it and so on, descending; equal ones by their text, `Other` last. */
function inOrder({ series }: FunnelDefinition, values: readonly ValueRow[]): ValueRow[] {
  const byCounts = (one: ValueRow, other: ValueRow): number => {
    for (let step = series.length - 1; step >= 0; step -= 1) {
      const difference = Number(other.figures[step]) - Number(one.figures[step]);
      if (difference !== 0) return difference;
    }
    return comparedTexts(one.shown, other.shown);
  };
  return values.toSorted((one, other) => Number(one.isOther) - Number(other.isOther) || byCounts(one, other));
}

function stepsOf({ series, funnelsFilter = {} }: FunnelDefinition, figures: Row): Record<string, unknown>[] {
  if (Number(figures[0] ?? 0) === 0) return [];
  const isUnordered = funnelsFilter.funnelOrderType === 'unordered';
  return series.map(({ event = null, custom_name = null }, order) => ({
    action_id: isUnordered ? null : event,
    name: isUnordered ? `Completed ${order + 1} ${order === 0 ? 'step' : 'steps'}` : event,
    custom_name: isUnordered ? null : custom_name,
    order,
    type: 'events',
    people: [],
    count: Number(figures[order]),
    ...(!isUnordered && {
      average_conversion_time: order === 0 ? null : seconds(figures[series.length + order - 1]),
      median_conversion_time: order === 0 ? null : seconds(figures[2 * series.length + order - 2]),
    }),
  }));
}

const seconds = (microseconds: unknown): number | null =>
  typeof microseconds === 'number' && Number.isFinite(microseconds) ? microseconds / 1e6 : null;

type Point = readonly [bucket: number, entries: number, conversions: number];

function trendsOf(
  { funnelsFilter = {} }: FunnelDefinition,
  { plan, span }: ReadFunnel,
  { nowMs, timeZone }: InsightContext,
  rows: readonly Row[],
  values: readonly ValueRow[],
): unknown {
  const windowMs = plan.windowSeconds * 1_000;
  const ends = [...span.starts.slice(1), span.endMs];
  const shownIntervals =
    funnelsFilter.hideIncompleteConversionWindowPeriods === true
      ? ends.filter((end) => end + windowMs <= nowMs).length
      : ends.length;
  const [days, labels] = [daysOf(span, timeZone), labelsOf(span, timeZone)];
  const seriesOf = (points: readonly Point[]) => {
    const data = new Array<number>(ends.length).fill(0);
    for (const [bucket, entries, conversions] of points) {
      const index = intervalIndex(span, bucket * 1_000);
      if (index >= 0) data[index] = Math.round((conversions * 10_000) / entries) / 100;
    }
    return {
      count: shownIntervals,
      data: data.slice(0, shownIntervals),
      days: days.slice(0, shownIntervals),
      labels: labels.slice(0, shownIntervals),
    };
  };
  if (plan.breakdown === undefined) return [seriesOf(rows as unknown as Point[])];
  refuseNumbers(values.length, ends.length);
  return values
    .map((value) => ({ ...value, points: (value.figures[0] ?? []) as Point[] }))
    .toSorted(byConversions)
    .map(({ shown, points }) => ({ ...seriesOf(points), breakdown_value: [shown] }));
}

type ValuePoints = ValueRow & { points: readonly Point[] };

/** Values by their conversions, then their entries, descending; equal ones by their text, `Other` last. */
function byConversions(one: ValuePoints, other: ValuePoints): number {
  const total = ({ points }: ValuePoints, place: 1 | 2): number => points.reduce((sum, point) => sum + point[place], 0);
  return (
    Number(one.isOther) - Number(other.isOther) ||
    total(other, 2) - total(one, 2) ||
    total(other, 1) - total(one, 1) ||
    comparedTexts(one.shown, other.shown)
  );
}

function binsOf(rows: readonly Row[]): unknown {
  const [first] = rows as readonly (readonly number[])[];
  if (first === undefined)
    return {
      bins: [
        [0, 0],
        [60, 0],
      ],
      average_conversion_time: null,
    };
  const [, , begin = 0, width = 60, bins = 1, mean] = first;
  const counts = new Map(rows.map(([bin, actors]) => [Number(bin), Number(actors)]));
  return {
    bins: Array.from({ length: bins + 1 }, (_, bin) => [begin + bin * width, counts.get(bin) ?? 0]),
    average_conversion_time: seconds(mean),
  };
}
