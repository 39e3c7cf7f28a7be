import { Array as ArrayType, Integer, Literal, Optional, String as StringType } from 'typebox';
import { breakdownFilter, type BreakdownFilter } from '../definition/breakdown-schema.ts';
import {
  commonFields,
  compareFilter,
  customAggregationTarget,
  eventsNodeFields,
  funnelPathsFilter,
  intervalCount,
  looksOfFilters,
  mathFields,
  notYet,
  oneOf,
  strict,
  type EventsNode,
} from '../definition/schema-parts.ts';
import { seriesMaths } from '../definition/series-maths.ts';
import type { CommonDefinition } from '../insight-kind.ts';

/** Numbers that an interval can have (contract/insights 5.1). */
const maths = seriesMaths.filter((math) => math !== 'first_time_for_user_with_filters');

/** Formulas are computed for each number of the results. */
const formulasMax = 26;
const formula = StringType({ maxLength: 500 });

/** Displays by interval, and those of one total (contract/insights 5.3). */
const byInterval = [
  'Auto',
  'ActionsLineGraph',
  'ActionsBar',
  'ActionsUnstackedBar',
  'ActionsStackedBar',
  'ActionsAreaGraph',
  'Metric',
  'ActionsLineGraphCumulative',
];
const totals = ['BoldNumber', 'ActionsPie', 'ActionsBarValue', 'ActionsTable', 'WorldMap'];

/** Is the answer of a display one total? */
export const isTotal = (display: string | undefined): boolean => display !== undefined && totals.includes(display);

/** Is each number of a display summed up with all before it? */
export const isCumulative = (display: string | undefined): boolean => display === 'ActionsLineGraphCumulative';

const looks = [
  ...looksOfFilters,
  'aggregationAxis*',
  'metric*',
  'breakdown_histogram_bin_count',
  'confidenceLevel',
  'decimalPlaces',
  'minDecimalPlaces',
  'detailedResultsAggregationType',
  'excludeBoxPlotOutliers',
  'hideWeekends',
  'movingAverageIntervals',
  'stackBreakdownValues',
  'xAxisLabel',
  'yAxisLabel',
  'yAxisScaleType',
];

const trendsFilter = strict(
  {
    display: Optional(oneOf([...byInterval, ...totals])),
    formula: Optional(formula),
    formulas: Optional(ArrayType(formula, { maxItems: formulasMax })),
    formulaNodes: Optional(
      ArrayType(strict({ formula, custom_name: Optional(StringType()) }), { maxItems: formulasMax }),
    ),
    smoothingIntervals: Optional(Integer({ minimum: 1, maximum: 1_000 })),
  },
  looks,
);

/** Strict schema of a TrendsQuery (contract/insights 1.1, 5). */
export const trendsSchema = strict({
  ...commonFields,
  kind: Literal('TrendsQuery'),
  series: ArrayType(strict({ ...eventsNodeFields, ...mathFields, math: Optional(oneOf(maths)) }), {
    minItems: 1,
    maxItems: 26,
  }),
  breakdownFilter: Optional(breakdownFilter),
  compareFilter: Optional(compareFilter),
  trendsFilter: Optional(trendsFilter),
  intervalCount,
  conversionGoal: notYet('Write its event as a series.'),
  customAggregationTarget,
  calendarHeatmapFilter: notYet('There are no heatmaps: leave it out.'),
  funnelPathsFilter,
});

/** A TrendsQuery that fits the schema. */
export interface TrendsDefinition extends CommonDefinition {
  series: readonly EventsNode[];
  interval?: 'minute' | 'hour' | 'day' | 'week' | 'month';
  properties?: unknown;
  filterTestAccounts?: boolean;
  breakdownFilter?: BreakdownFilter;
  compareFilter?: { compare?: boolean; compare_to?: string };
  trendsFilter?: {
    display?: string;
    formula?: string;
    formulas?: readonly string[];
    formulaNodes?: readonly { formula: string; custom_name?: string }[];
    smoothingIntervals?: number;
  };
}
