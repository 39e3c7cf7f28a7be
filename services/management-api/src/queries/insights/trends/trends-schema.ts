import { Array as ArrayType, Integer, Literal, Optional, String as StringType, type Static } from 'typebox';
import { breakdownFilter } from '../definition/breakdown-schema.ts';
import {
  commonFields,
  compareFilter,
  customAggregationTarget,
  funnelPathsFilter,
  intervalCount,
  looksOfFilters,
  notYet,
  oneOf,
  seriesNode,
  strict,
} from '../definition/schema-parts.ts';
import { seriesMaths } from '../definition/series-maths.ts';

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
  series: ArrayType(seriesNode(maths), { minItems: 1, maxItems: 26 }),
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
export type TrendsDefinition = Static<typeof trendsSchema>;
