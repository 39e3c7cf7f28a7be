import { valueOf, type Formula } from './formula.ts';
import { bySize, type Numbers } from './read-rows.ts';

/** Numbers of a formula. `total`: null when it is infinite or none. */
export interface FormulaNumbers extends Numbers {
  total: number | null;
}

/**
 * Numbers of a formula for each value that any of the series has, in the order of results; without a breakdown one (contract/insights 5.4).
 * `series`: numbers of each series in one period. A series without the value is 0. Pure.
 */
export function formulaNumbers(formula: Formula, series: readonly (readonly Numbers[])[]): FormulaNumbers[] {
  const byValue = new Map<string, { values: Numbers['values']; data: (readonly number[] | undefined)[] }>();
  for (const [index, numbers] of series.entries())
    for (const { values, data } of numbers) {
      const key = values === undefined ? '' : JSON.stringify(values);
      const found = byValue.get(key) ?? { values, data: series.map(() => undefined) };
      found.data[index] = data;
      byValue.set(key, found);
    }
  return [...byValue.values()].map(({ values, data }) => computed(formula, values, data)).sort(bySize);
}

function computed(
  formula: Formula,
  values: Numbers['values'],
  series: readonly (readonly number[] | undefined)[],
): FormulaNumbers {
  const length = Math.max(...series.map((numbers) => numbers?.length ?? 0));
  const results = Array.from({ length }, (_, at) =>
    valueOf(
      formula,
      series.map((numbers) => numbers?.[at] ?? 0),
    ),
  );
  // No -0: it is written as 0.
  const data = results.map((value) => (Number.isFinite(value) ? value + 0 : 0));
  const [only = 0] = results;
  const size = data.reduce((sum, value) => sum + value, 0);
  return { values, data, size, total: Number.isFinite(only) ? only + 0 : null };
}
