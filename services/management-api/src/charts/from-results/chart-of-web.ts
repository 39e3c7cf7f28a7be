import type { NumbersChart, TableChart, Unit } from '../chart.ts';

/** Number of a WebOverviewQuery (contract/insights 11.2). */
interface OverviewItem {
  key: string;
  kind: string;
  value: number | null;
  previous: number | null;
  changeFromPreviousPct: number | null;
  isIncreaseBad?: boolean | null;
}

/** Fields of a WebStatsTableQuery that decide its columns. */
export interface WebStatsLooks {
  breakdownBy?: string;
  includeBounceRate?: boolean | null;
  conversionGoal?: object | null;
}

const units: Readonly<Record<string, Unit>> = { duration_s: 'seconds', percentage: 'percent' };

/** Numbers side by side, compared where an earlier period is known. Pure. */
export function chartOfWebOverview(results: readonly OverviewItem[], title: string): NumbersChart {
  const numbers = results.map((item) => ({
    label: item.key,
    value: item.value,
    unit: units[item.kind] ?? 'count',
    ...(item.previous !== null && {
      change: {
        percent: item.changeFromPreviousPct,
        previous: item.previous,
        isIncreaseBad: item.isIncreaseBad === true,
      },
    }),
  }));
  return { form: 'numbers', title, numbers };
}

/** Value and numbers of the current period (contract/insights 11.3); rates are fractions there and percentages here. Pure. */
export function chartOfWebStats(
  looks: WebStatsLooks,
  results: readonly (readonly unknown[])[],
  title: string,
): TableChart {
  const columns = columnsOf(looks);
  const rows = results.map(([value, ...pairs]) => [
    valueText(value),
    ...columns.slice(1).map(({ unit }, index) => {
      const pair = pairs[index];
      const number: unknown = Array.isArray(pair) ? pair[0] : pair;
      if (typeof number !== 'number') return null;
      return unit === 'percent' ? number * 100 : number;
    }),
  ]);
  return { form: 'table', title, columns, rows };
}

function columnsOf({ breakdownBy, includeBounceRate, conversionGoal }: WebStatsLooks): TableChart['columns'] {
  const count = (label: string) => ({ label, unit: 'count' as const });
  const rate = (label: string) => ({ label, unit: 'percent' as const });
  const value = { label: breakdownBy ?? 'value' };
  if (conversionGoal) {
    const numbers = [count('visitors'), count('total conversions'), count('unique conversions')];
    return [value, ...numbers, rate('conversion rate')];
  }
  return [value, count('visitors'), count('views'), ...(includeBounceRate ? [rate('bounce rate')] : [])];
}

/** Values of several parts, such as `[width, height]`, are one text. */
function valueText(value: unknown): string {
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  return parts
    .map((part) => (typeof part === 'string' || typeof part === 'number' ? String(part) : '(none)'))
    .join(', ');
}
