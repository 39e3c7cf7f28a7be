/** Parts of a chart that are drawn alike in every form. */
interface ChartBase {
  title: string;
  /** Sentence below the drawing, such as "and 13 more series". */
  note?: string | undefined;
}

/** Unit in which numbers are written: `12.3K`, `45.6%`, `2d 3h`. */
export type Unit = 'count' | 'percent' | 'seconds';

/** Numbers of one series, one for each label of the chart; null: none there. */
export interface Series {
  label: string;
  values: readonly (number | null)[];
  /** Place of its colour, so that a series and its earlier period have the same one. */
  colour: number;
  /** True for the earlier period of a comparison: a dashed line, a paler bar. */
  isPrevious?: boolean;
}

/** Values over time, or over another ordered axis. */
interface LineChart extends ChartBase {
  form: 'line';
  labels: readonly string[];
  series: readonly Series[];
  unit: Unit;
}

/** Upright bars over an ordered axis; stacked ones grow from 0, upwards and downwards. */
export interface BarsChart extends ChartBase {
  form: 'bars';
  labels: readonly string[];
  series: readonly Series[];
  unit: Unit;
  layout: 'stacked' | 'grouped';
}

/** Horizontal bars, one a label and series, the largest first. */
export interface TotalsChart extends ChartBase {
  form: 'totals';
  labels: readonly string[];
  series: readonly Series[];
  unit: Unit;
}

export interface FunnelStep {
  label: string;
  count: number;
  /** Seconds since the step before; null: nobody, or the first step. */
  medianSeconds: number | null;
}

/** Steps of one funnel, or of one for each value of a breakdown. */
export interface FunnelChart extends ChartBase {
  form: 'funnel';
  groups: readonly { label: string; steps: readonly FunnelStep[] }[];
}

/** Retention: a row for each period or value, a column for each period after it. */
export interface HeatMapChart extends ChartBase {
  form: 'heat-map';
  columns: readonly string[];
  /** `size`: value 0 of the row. `values`: percentages of it, null where nothing is known yet. */
  rows: readonly { label: string; size: number; values: readonly (number | null)[] }[];
}

/** A few numbers side by side. */
export interface NumbersChart extends ChartBase {
  form: 'numbers';
  numbers: readonly ShownNumber[];
}

export interface ShownNumber {
  label: string;
  value: number | null;
  unit: Unit;
  /** Comparison with the earlier period; `percent` is null when there was nothing before. */
  change?: { percent: number | null; previous: number | null; isIncreaseBad: boolean } | undefined;
}

/** Rows of texts and numbers. Columns with a unit hold numbers and nulls, the others texts. */
export interface TableChart extends ChartBase {
  form: 'table';
  columns: readonly { label: string; unit?: Unit }[];
  rows: readonly (readonly (string | number | null)[])[];
}

/** A result in the form in which it is drawn. */
export type Chart = LineChart | BarsChart | TotalsChart | FunnelChart | HeatMapChart | NumbersChart | TableChart;
