import { describe, expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { prepareStatement } from '@millrace/query-language/compile.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import { checkedDefinition } from '../definition/checked-definition.ts';
import { trends } from './trends.ts';

const context = { nowMs: Date.UTC(2025, 0, 20, 15), timeZone: 'UTC', testAccounts: [] };
const view = { kind: 'EventsNode', event: 'view' };

/** Asks a definition as saving does. */
function prepareTrends(definition: object): void {
  const checked = checkedDefinition({ kind: 'TrendsQuery', series: [view], ...definition }, trends.schema);
  prepareStatement(trends.prepare(checked as never, context).statement()).print({ timeZone: 'UTC' }, { rowsMax: 100 });
}

function refusalOf(definition: object): string | undefined {
  try {
    prepareTrends(definition);
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) return error.message;
    if (!(error instanceof AppError)) throw error;
    expect([error.details.attr, error.code]).toEqual(['query', 'invalid_input']);
    return error.details.detail;
  }
}

const math = (fields: object) => ({ series: [{ ...view, ...fields }] });
const breakdown = (breakdownFilter: object) => ({ breakdownFilter });
const filter = (trendsFilter: object) => ({ trendsFilter });

describe('definitions that are refused name what is wrong', () => {
  test.each<[definition: object, message: RegExp]>([
    [{ series: [] }, /query\.series/],
    [{ series: Array.from({ length: 27 }, () => view) }, /query\.series/],
    [{ series: undefined }, /series/],
    [{ colour: 1 }, /query\.colour/],
    [filter({ colour: 1 }), /query\.trendsFilter\.colour/],
    [{ funnelsFilter: {} }, /query\.funnelsFilter/],
    [{ series: [{ kind: 'ActionsNode', id: 1 }] }, /Actions do not exist here/],
    [{ series: [{ kind: 'DataWarehouseNode' }] }, /DataWarehouseNode/],
    [{ series: [{ event: 'view' }] }, /query\.series\.0\.kind/],
    [{ interval: 'quarter' }, /query\.interval/],
    [{ samplingFactor: 0 }, /query\.samplingFactor/],
    [{ intervalCount: 2 }, /query\.intervalCount/],
    [{ conversionGoal: { customEventName: 'x' } }, /query\.conversionGoal/],
    [math({ math: 'sums' }), /query\.series\.0\.math/],
    [math({ math: 'sum' }), /query\.series\.0\.math_property is missing/],
    [math({ math: 'p90', math_property: '' }), /query\.series\.0\.math_property is missing/],
    [math({ math: 'hogql' }), /query\.series\.0\.math_hogql is missing/],
    [math({ math: 'unique_group' }), /query\.series\.0\.math_group_type_index is missing/],
    [math({ math: 'unique_group', math_group_type_index: 5 }), /query\.series\.0\.math_group_type_index/],
    [math({ math: 'sum', math_property: 'n', math_property_type: 'data_warehouse_properties' }), /math_property_type/],
    [
      math({ math: 'sum', math_property: '$pageview_count', math_property_type: 'session_properties' }),
      /query\.series\.0\.math_property: .*\$session_duration/,
    ],
    [math({ math: 'hogql', math_hogql: 'count(' }), /query\.series\.0\.math_hogql: /],
    [math({ math: 'hogql', math_hogql: 'count(), 1' }), /query\.series\.0\.math_hogql: /],
    [math({ math: 'hogql', math_hogql: 'count() FROM persons' }), /query\.series\.0\.math_hogql: /],
    [math({ math: 'hogql', math_hogql: 'sum(amout)' }), /amout/],
    [math({ math: 'hogql', math_hogql: 'count(team_id)' }), /team_id/],
    [math({ math: 'hogql', math_hogql: 'properties.n' }), /neither in GROUP BY nor inside an aggregate/],
    [math({ math: 'hogql', math_hogql: 'max(event)' }), /number/],
    [math({ math: 'hogql', math_hogql: 'max(timestamp)' }), /number|time/],
    [math({ math: 'hogql', math_hogql: 'groupArray(event)' }), /number|array/],
    [math({ math: 'hogql', math_hogql: 'sum(sum(1))' }), /aggregate/],
    [math({ math: 'hogql', math_hogql: 'count() + {x}' }), /\{x\}/],
    [math({ math: 'hogql', math_hogql: 'count() + (SELECT count() FROM system.tables)' }), /system/],
    [filter({ display: 'BoxPlot' }), /query\.trendsFilter\.display/],
    [filter({ display: 'CalendarHeatmap' }), /query\.trendsFilter\.display/],
    [filter({ smoothingIntervals: 0 }), /query\.trendsFilter\.smoothingIntervals/],
    [filter({ smoothingIntervals: 1_001 }), /query\.trendsFilter\.smoothingIntervals/],
    [filter({ formula: 'A +' }), /query\.trendsFilter\.formula: it ends too early/],
    [filter({ formulas: ['A', 'B'] }), /query\.trendsFilter\.formulas\.1: B names no series/],
    [filter({ formulaNodes: [{ formula: '' }] }), /query\.trendsFilter\.formulaNodes\.0: it is empty/],
    [filter({ formulaNodes: [{ formula: 'A', label: 'x' }] }), /formulaNodes/],
    [breakdown({ breakdown: 'a', breakdowns: [{ property: 'b' }] }), /breakdowns/],
    [breakdown({ breakdowns: ['a', 'b', 'c', 'd'].map((property) => ({ property })) }), /breakdowns/],
    [breakdown({ breakdowns: [{ type: 'event' }] }), /breakdowns/],
    [breakdown({ breakdown: 'x', breakdown_type: 'cohort' }), /cohort/],
    [breakdown({ breakdowns: [{ property: 'x', type: 'data_warehouse' }] }), /breakdowns\.0.*data_warehouse/],
    [breakdown({ breakdown: 'x', breakdown_type: 'revenue_analytics' }), /revenue_analytics/],
    [breakdown({ breakdown: 'x', breakdown_type: 'group' }), /breakdown_group_type_index/],
    [breakdown({ breakdowns: [{ property: 'x', type: 'group' }] }), /breakdowns\.0\.group_type_index/],
    [breakdown({ breakdown: 'x', breakdown_path_cleaning: true }), /breakdown_path_cleaning/],
    [breakdown({ breakdown: 'team_id', breakdown_type: 'event_metadata' }), /team_id/],
    [breakdown({ breakdown: '$nothing', breakdown_type: 'session' }), /\$nothing/],
    [breakdown({ breakdown: 'even', breakdown_type: 'hogql' }), /even/],
    [breakdown({ breakdown: 'count()', breakdown_type: 'hogql' }), /aggregate/],
    [breakdown({ breakdown: 'event; drop', breakdown_type: 'hogql' }), /query\.breakdownFilter/],
    [{ compareFilter: { compare: true, compare_to: '-7' } }, /compare_to/],
    [{ dateRange: { date_from: 'yesterday' } }, /date_from/],
    [{ dateRange: { date_from: '2025-02-01', date_to: '2025-01-01' } }, /date_from/],
    [{ dateRange: { date_from: '2010-01-01' }, interval: 'hour' }, /interval/],
    [{ dateRange: { daysOfWeek: [1, 2] } }, /daysOfWeek/],
    [{ properties: [{ key: 'x', type: 'cohort', value: 1 }] }, /cohort/],
    [{ series: [{ ...view, properties: [{ key: 'x', operator: 'like', value: 'y' }] }] }, /like/],
  ])('%j', (definition, message) => {
    expect(refusalOf(definition)).toMatch(message);
  });
});

describe('definitions as the public product saves them', () => {
  const looks = {
    aggregationAxisFormat: 'numeric',
    aggregationAxisPrefix: '',
    aggregationAxisPostfix: '',
    breakdown_histogram_bin_count: 10,
    confidenceLevel: 95,
    decimalPlaces: 2,
    minDecimalPlaces: 0,
    detailedResultsAggregationType: 'total',
    excludeBoxPlotOutliers: true,
    goalLines: [],
    hiddenLegendIndexes: [],
    hideWeekends: false,
    legendPosition: 'bottom',
    metricDisplay: 'value',
    movingAverageIntervals: 7,
    resultCustomizationBy: 'value',
    resultCustomizations: {},
    showAlertThresholdLines: false,
    showConfidenceIntervals: false,
    showLabelsOnSeries: false,
    showLegend: false,
    showMovingAverage: false,
    showMultipleYAxes: false,
    showPercentStackView: false,
    showTrendLines: false,
    showValuesOnSeries: false,
    stackBreakdownValues: false,
    xAxisLabel: null,
    yAxisLabel: null,
    yAxisScaleType: 'linear',
  };
  const node = {
    kind: 'EventsNode',
    name: '$pageview',
    event: '$pageview',
    custom_name: null,
    version: null,
    limit: null,
    orderBy: null,
    response: null,
    properties: [],
    fixedProperties: null,
    optionalInFunnel: false,
    math: 'total',
    math_property: null,
    math_property_type: null,
    math_property_revenue_currency: null,
    math_hogql: null,
    math_group_type_index: null,
    math_multiplier: null,
  };
  const saved = {
    version: 2,
    response: null,
    tags: null,
    modifiers: { personsOnEventsMode: 'person_id_override_properties_on_events' },
    dataColorTheme: null,
    interval: 'day',
    intervalCount: null,
    dateRange: { date_from: '-7d', date_to: null, explicitDate: false },
    properties: { type: 'AND', values: [{ type: 'AND', values: [] }] },
    filterTestAccounts: false,
    samplingFactor: null,
    aggregation_group_type_index: null,
    customAggregationTarget: false,
    conversionGoal: null,
    compareFilter: { compare: false, compare_to: null },
    breakdownFilter: { breakdown_type: 'event', breakdown: null, breakdowns: null, breakdown_limit: null },
    trendsFilter: { display: 'ActionsLineGraph', formula: null, smoothingIntervals: 1, ...looks },
  };

  test.each([
    ['with every field of looks', { ...saved, series: [node] }],
    ['without any', { series: [{ kind: 'EventsNode' }] }],
    [
      'with empty formulas and breakdowns',
      {
        ...saved,
        series: [node],
        trendsFilter: { formula: '', formulas: [], formulaNodes: [] },
        breakdownFilter: { breakdowns: [], breakdown_limit: 25, breakdown_hide_other_aggregation: true },
      },
    ],
    ['with a math that the display ignores', { ...saved, series: [{ ...node, math: 'dau', math_property: 'x' }] }],
  ])('are accepted %s', (_, definition) => {
    expect(refusalOf(definition)).toBeUndefined();
  });
});

test('all time begins with the first event of the series', () => {
  expect(trends.earliestOf({ series: [view, { kind: 'EventsNode' }] } as never)).toEqual(['view', null]);
});
