import type { HeatMapChart } from '../chart.ts';
import { timeLabels } from './time-label.ts';

/** Row of a RetentionQuery (contract/insights 7.4). */
interface RetentionRow {
  date: string;
  values: readonly { count: number; label: string; aggregation_value?: number | null }[];
  breakdown_value?: string | null;
}

type HeatRow = HeatMapChart['rows'][number];

/**
 * Percentages of value 0: a row for each period or, with a breakdown, one for each value, over all its periods. Periods that
 * had not begun at the end of the range are empty: the results say 0 there.
 */
export function chartOfRetention(results: readonly RetentionRow[], title: string): HeatMapChart {
  const columns = (results[0]?.values ?? []).map(({ label }) => label);
  const blocks = Map.groupBy(results, ({ breakdown_value = null }) => breakdown_value);
  const isBroken = blocks.size > 1 || [...blocks.keys()].some((value) => value !== null);
  const rows = isBroken
    ? [...blocks].map(([value, block]) => meanRow(value ?? 'null', knownNumbers(block)))
    : periodRows(results);
  return { form: 'heat-map', title, columns, rows, ...(isBroken && { note: 'all periods of a value together' }) };
}

function periodRows(results: readonly RetentionRow[]): HeatRow[] {
  const labels = timeLabels(results.map(({ date }) => date));
  return knownNumbers(results).map((numbers, index) => meanRow(labels[index] ?? '', [numbers]));
}

/** Numbers of each row, null where the period had not begun at the end of the range. */
function knownNumbers(block: readonly RetentionRow[]): (number | null)[][] {
  return block.map(({ values }, row) =>
    values.map((value) => {
      const number = value.aggregation_value ?? value.count;
      return number === 0 && row + firstPeriod(value.label) > block.length - 1 ? null : number;
    }),
  );
}

/** First number of a label: 3 of "Day 3", 2 of the bracket "Day 2-3". */
function firstPeriod(label: string): number {
  return Number(/\d+/.exec(label)?.[0] ?? 0);
}

/** Each value as a percentage of value 0, over those rows in which it is known. */
function meanRow(label: string, rows: readonly (readonly (number | null)[])[]): HeatRow {
  const sizeOf = (known: typeof rows): number => known.reduce((sum, numbers) => sum + (numbers[0] ?? 0), 0);
  const values = (rows[0] ?? []).map((_, column) => {
    const known = rows.filter((numbers) => (numbers[column] ?? null) !== null);
    const size = sizeOf(known);
    return size === 0 ? null : (known.reduce((sum, numbers) => sum + (numbers[column] ?? 0), 0) / size) * 100;
  });
  return { label, size: sizeOf(rows), values };
}
