import type { Chart, FunnelChart } from '../chart.ts';
import { shownNumber } from '../drawing/shown-number.ts';

/** Fields of a FunnelsQuery that decide its form. */
export interface FunnelLooks {
  funnelsFilter?: { funnelVizType?: string | null } | null;
}

/** Step of a funnel (contract/insights 6.3, 6.4). */
interface StepResult {
  name: string | null;
  custom_name?: string | null;
  count: number;
  median_conversion_time?: number | null;
  breakdown_value?: unknown;
}

/** Percentages of entries by interval (contract/insights 6.5). */
interface TrendResult {
  data: readonly number[];
  labels: readonly string[];
  breakdown_value?: unknown;
}

interface TimeToConvert {
  bins: readonly (readonly [number, number])[];
  average_conversion_time: number | null;
}

/** Steps, a line of conversion by interval, or bars of the time to convert. Pure. */
export function chartOfFunnel({ funnelsFilter }: FunnelLooks, results: unknown, title: string): Chart {
  switch (funnelsFilter?.funnelVizType) {
    case 'trends':
      return conversionOf((Array.isArray(results) ? results : [results]) as TrendResult[], title);
    case 'time_to_convert':
      return timesOf(results as TimeToConvert, title);
    default:
      return stepsOf(results as StepResult[] | StepResult[][], title);
  }
}

function stepsOf(results: StepResult[] | StepResult[][], title: string): FunnelChart {
  const hasBreakdown = Array.isArray(results[0]);
  const lists = (hasBreakdown ? results : [results]) as StepResult[][];
  const groups = lists
    .filter((steps) => steps.length > 0)
    .map((steps) => ({
      label: hasBreakdown ? valueLabel(steps[0]?.breakdown_value) : '',
      steps: steps.map((step) => ({
        label: step.custom_name ?? step.name ?? 'All events',
        count: step.count,
        medianSeconds: step.median_conversion_time ?? null,
      })),
    }));
  return { form: 'funnel', title, groups };
}

function conversionOf(results: readonly TrendResult[], title: string): Chart {
  const series = results.map(({ data, breakdown_value }, colour) => ({
    label: breakdown_value === undefined ? 'converted' : valueLabel(breakdown_value),
    values: data,
    colour,
  }));
  return { form: 'line', title, labels: results[0]?.labels ?? [], series, unit: 'percent' };
}

function timesOf({ bins, average_conversion_time: average }: TimeToConvert, title: string): Chart {
  return {
    form: 'bars',
    title,
    labels: bins.map(([seconds]) => shownNumber(seconds, 'seconds')),
    series: [{ label: 'conversions by time', values: bins.map(([, actors]) => actors), colour: 0 }],
    unit: 'count',
    layout: 'grouped',
    note: average === null ? undefined : `average ${shownNumber(average, 'seconds')}`,
  };
}

/** `["pro"]` is "pro"; the value of those without one, `[""]`, is told as "null", as in trends. */
function valueLabel(value: unknown): string {
  const text = (Array.isArray(value) ? value : [value]).join('::');
  return text === '' ? 'null' : text;
}
