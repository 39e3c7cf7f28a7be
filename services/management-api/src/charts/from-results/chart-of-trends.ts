import type { Chart, Series, ShownNumber, Unit } from '../chart.ts';
import { isTotal } from '../../queries/insights/trends/trends-schema.ts';
import { comparedPairs, type ComparableResult } from './compared-series.ts';

/** Fields of a TrendsQuery that decide its form. */
export interface TrendsLooks {
  trendsFilter?: { display?: string | null; aggregationAxisFormat?: string | null } | null;
}

/** Result of a series (contract/insights 5.2, 5.3). */
interface TrendsResult extends ComparableResult {
  data: readonly number[] | null;
  labels?: readonly string[];
}

const barDisplays = ['ActionsBar', 'ActionsUnstackedBar', 'ActionsStackedBar'];

/** Lines or bars by interval, horizontal bars of totals, or numbers, by the display of the definition. Pure. */
export function chartOfTrends({ trendsFilter }: TrendsLooks, results: readonly TrendsResult[], title: string): Chart {
  const display = trendsFilter?.display ?? 'ActionsLineGraph';
  const unit = unitOf(trendsFilter?.aggregationAxisFormat);
  const pairs = comparedPairs(results);
  if (display === 'BoldNumber')
    return { form: 'numbers', title, numbers: pairs.map((pair) => numberOf(pair.current, pair.previous, unit)) };
  if (isTotal(display)) return totalsOf(pairs, unit, title);
  const labels = pairs[0]?.current.labels ?? [];
  const series = seriesOfPairs(pairs);
  if (!barDisplays.includes(display)) return { form: 'line', title, labels, series, unit };
  const isStacked = display !== 'ActionsUnstackedBar' && pairs.every(({ previous }) => previous === undefined);
  return { form: 'bars', title, labels, series, unit, layout: isStacked ? 'stacked' : 'grouped' };
}

/** Series each followed by its earlier period, in the same colour. A period with more intervals than the range is drawn as far as the range goes. */
export function seriesOfPairs(
  pairs: readonly { current: SeriesResult; previous?: SeriesResult | undefined }[],
): Series[] {
  return pairs.flatMap(({ current, previous }, colour): Series[] => [
    { label: current.label, values: current.data ?? [], colour },
    ...(previous === undefined
      ? []
      : [
          {
            label: `${previous.label} (previous)`,
            values: (previous.data ?? []).slice(0, current.data?.length ?? 0),
            colour,
            isPrevious: true,
          },
        ]),
  ]);
}

interface SeriesResult {
  label: string;
  data: readonly number[] | null;
}

function totalsOf(
  pairs: readonly { current: TrendsResult; previous?: TrendsResult | undefined }[],
  unit: Unit,
  title: string,
): Chart {
  const current = { label: 'current', values: pairs.map((pair) => pair.current.aggregated_value ?? null), colour: 0 };
  const previous = {
    label: 'previous',
    values: pairs.map((pair) => pair.previous?.aggregated_value ?? null),
    colour: 0,
    isPrevious: true,
  };
  const isCompared = pairs.some((pair) => pair.previous !== undefined);
  return {
    form: 'totals',
    title,
    labels: pairs.map((pair) => pair.current.label),
    series: pairs.length === 0 ? [] : isCompared ? [current, previous] : [current],
    unit,
  };
}

function numberOf(current: TrendsResult, previous: TrendsResult | undefined, unit: Unit): ShownNumber {
  const value = current.aggregated_value ?? null;
  const number = { label: current.label, value, unit };
  if (previous === undefined) return number;
  const before = previous.aggregated_value ?? null;
  const percent =
    value === null || before === null || before === 0 ? null : ((value - before) / Math.abs(before)) * 100;
  return { ...number, change: { percent, previous: before, isIncreaseBad: false } };
}

function unitOf(format: string | null | undefined): Unit {
  if (format === 'duration') return 'seconds';
  return format === 'percentage' ? 'percent' : 'count';
}
