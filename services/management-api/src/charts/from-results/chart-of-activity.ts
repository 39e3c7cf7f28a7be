import type { Chart } from '../chart.ts';
import { seriesOfPairs } from './chart-of-trends.ts';
import { comparedPairs, type ComparableResult } from './compared-series.ts';

/** Fields of a LifecycleQuery that decide what is shown. */
export interface LifecycleLooks {
  lifecycleFilter?: { toggledLifecycles?: readonly string[] | null } | null;
}

/** Fields of a StickinessQuery that decide its form. */
export interface StickinessLooks {
  stickinessFilter?: { display?: string | null } | null;
}

interface LifecycleResult {
  status: string;
  data: readonly number[];
  labels: readonly string[];
}

interface StickinessResult extends ComparableResult {
  data: readonly number[];
  labels: readonly string[];
}

/** Places of colours: each state has the same one in every chart. */
const stateColours: Readonly<Record<string, number>> = { new: 0, returning: 2, resurrecting: 3, dormant: 1 };

/** Bars of the four states (contract/insights 8.2); dormant ones grow downwards. Pure. */
export function chartOfLifecycle(
  { lifecycleFilter }: LifecycleLooks,
  results: readonly LifecycleResult[],
  title: string,
): Chart {
  const wanted = lifecycleFilter?.toggledLifecycles ?? [];
  const shown = results.filter(({ status }) => wanted.length === 0 || wanted.includes(status));
  const series = shown.map(({ status, data }) => ({ label: status, values: data, colour: stateColours[status] ?? 4 }));
  return { form: 'bars', title, labels: shown[0]?.labels ?? [], series, unit: 'count', layout: 'stacked' };
}

/** Bars of one series, lines of several: actors by the number of their active intervals (contract/insights 9.2). Pure. */
export function chartOfStickiness(
  { stickinessFilter }: StickinessLooks,
  results: readonly StickinessResult[],
  title: string,
): Chart {
  const series = seriesOfPairs(comparedPairs(results));
  const chart = { title, labels: results[0]?.labels ?? [], series, unit: 'count' as const };
  const isLine = stickinessFilter?.display === 'ActionsLineGraph' || series.length > 1;
  return isLine ? { form: 'line', ...chart } : { form: 'bars', layout: 'grouped', ...chart };
}
