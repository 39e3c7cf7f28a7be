import type { TrendsPlan, TrendsSeries } from '@millrace/query-language/insights/trends/trends-plan.ts';
import type { FilterGroup } from '@millrace/query-language/filters/query-filters.ts';
import { readSpan, type DateSpan, type IntervalUnit, type SpanOptions } from '../dates/date-span.ts';
import { previousSpan } from '../dates/previous-span.ts';
import { readBreakdown } from '../definition/read-breakdown.ts';
import { joined, readConditions, readNodeConditions } from '../definition/read-conditions.ts';
import type { EventsNode } from '../definition/schema-parts.ts';
import { breakdownValuesMax } from '../insight-limits.ts';
import type { InsightContext } from '../insight-kind.ts';
import { activeSeries } from './active-window.ts';
import { readFormulas, type NamedFormula } from './read-formulas.ts';
import { readMath, type ReadMath } from './read-math.ts';
import { isCumulative, isTotal, type TrendsDefinition } from './trends-schema.ts';

/** A series in one period. */
export interface TrendsPart {
  /** Its place among the series. */
  order: number;
  period: 'current' | 'previous';
  span: DateSpan;
  /** Slot of each interval, when its points are changes of active persons; else the points are numbers of intervals. */
  slots?: readonly number[] | undefined;
}

/** How results are made of the plan's rows. */
export interface TrendsForm {
  /** Parts, in the order of the plan's series. */
  parts: readonly TrendsPart[];
  nodes: readonly EventsNode[];
  isTotal: boolean;
  isCumulative: boolean;
  isCompared: boolean;
  smoothing: number;
  formulas: readonly NamedFormula[];
  /** Number of values of the breakdown, and whether they are a list; 0: there is none. */
  values: number;
  isList: boolean;
  timeZone: string;
}

/** A TrendsQuery, read at a moment. */
export interface ReadTrends {
  plan: TrendsPlan;
  form: TrendsForm;
  spans: { current: DateSpan; previous: DateSpan | undefined };
}

/** @throws {AppError} 400 on `query`, which names the field */
export function readTrends(definition: TrendsDefinition, context: InsightContext): ReadTrends {
  const { trendsFilter = {}, series: nodes } = definition;
  const { display, smoothingIntervals = 1 } = trendsFilter;
  const spans = readSpans(definition, context);
  const breakdown = readBreakdown(definition, { max: 3 });
  const placed = placedIn(spans, readSeries(definition, context), isTotal(display), context.timeZone);
  return {
    plan: {
      series: placed.map(({ series }) => series),
      unit: isTotal(display) ? 'total' : unitOf(definition),
      values: (breakdown?.expressions ?? []).map((expression, index) => ({
        expression,
        bins: breakdown?.bins[index],
      })),
      valuesMax: breakdownValuesMax,
    },
    form: {
      parts: placed.map(({ part }) => part),
      nodes,
      isTotal: isTotal(display),
      isCumulative: isCumulative(display),
      isCompared: spans.previous !== undefined,
      smoothing: smoothingIntervals,
      formulas: readFormulas(definition),
      values: breakdown?.expressions.length ?? 0,
      isList: breakdown?.isList ?? false,
      timeZone: context.timeZone,
    },
    spans,
  };
}

/** A series as it is given, the same in every period. */
interface GivenSeries {
  event: string | null;
  conditions: FilterGroup;
  math: ReadMath;
}

function readSeries(definition: TrendsDefinition, context: InsightContext): GivenSeries[] {
  const all = readConditions(definition, context);
  const once = isCumulative(definition.trendsFilter?.display);
  return definition.series.map((node, order) => {
    const place = `query.series.${order}`;
    return {
      event: node.event ?? null,
      conditions: joined([all, readNodeConditions(node, context, place)]),
      math: readMath(node, place, { once }),
    };
  });
}

/** All series in the current period, then in the previous one. */
function placedIn(
  { current, previous }: ReadTrends['spans'],
  given: readonly GivenSeries[],
  total: boolean,
  timeZone: string,
): { series: TrendsSeries; part: TrendsPart }[] {
  const periods = [
    { period: 'current', span: current } as const,
    ...(previous === undefined ? [] : [{ period: 'previous', span: previous } as const]),
  ];
  return periods.flatMap(({ period, span }) =>
    given.map((one, order) => {
      const { slots, ...series } = seriesIn(span, one, total, timeZone);
      return { series, part: { order, period, span, slots } };
    }),
  );
}

function seriesIn(
  span: DateSpan,
  { math, ...rows }: GivenSeries,
  total: boolean,
  timeZone: string,
): TrendsSeries & { slots?: readonly number[] } {
  if (math.of === 'active') return { ...rows, to: span.to, ...activeSeries(span, math.days, total, timeZone) };
  return { ...rows, from: span.countsFrom, to: span.to, math };
}

/** A total has days, whatever is given (contract/insights 5.3). */
const unitOf = ({ interval = 'day', trendsFilter = {} }: TrendsDefinition): IntervalUnit =>
  isTotal(trendsFilter.display) ? 'day' : interval;

function readSpans(definition: TrendsDefinition, context: InsightContext): ReadTrends['spans'] {
  const { dateRange, compareFilter = {}, trendsFilter = {} } = definition;
  const { compare = false, compare_to } = compareFilter;
  const options: SpanOptions = {
    unit: unitOf(definition),
    now: context,
    earliest: context.earliest,
    rule: 'trends',
    exactTotal: trendsFilter.display === 'BoldNumber',
  };
  const current = readSpan(dateRange, options);
  const offset = compare_to === undefined ? {} : { compare_to };
  return { current, previous: compare ? previousSpan(current, dateRange, offset, options) : undefined };
}
