import { app, noConditions, type AppDefinition } from './app-fields.ts';

const view = { kind: 'EventsNode', event: 'view', name: 'view' };
const buy = { kind: 'EventsNode', event: 'buy', name: 'buy', custom_name: 'Orders', version: 1 };
const visitors = { kind: 'EventsNode', event: null, name: 'All events', math: 'dau' };
const conditions = {
  type: 'AND',
  values: [
    {
      type: 'OR',
      values: [
        { key: '$browser', type: 'event', operator: 'exact', value: ['Firefox'], label: 'Browser' },
        { key: '$referrer', type: 'event', operator: 'is_not_set', value: 'is_not_set' },
        { key: 'email', type: 'person', operator: 'not_icontains', value: 'test.example' },
      ],
    },
    {
      type: 'AND',
      values: [
        { key: '$session_duration', type: 'session', operator: 'gt', value: 60 },
        { key: '$channel_type', type: 'session', operator: 'exact', value: ['Direct'] },
        { key: 'name', type: 'group', group_type_index: 0, operator: 'exact', value: ['Acme'], group_key_names: {} },
        { key: 'text', type: 'element', operator: 'icontains', value: 'buy' },
        { key: '$feature/new-cart', type: 'feature', operator: 'exact', value: ['true'] },
        { key: 'event', type: 'event_metadata', operator: 'exact', value: ['view', 'buy'] },
        { key: "properties.plan = 'pro'", type: 'hogql', value: null },
        { key: 'created', type: 'person', operator: 'is_date_after', value: '-30d' },
        { type: 'empty' },
      ],
    },
  ],
};

/** Trends of PostHog's app, by what was chosen there; each goes over the typical one. */
export const appTrends: readonly AppDefinition[] = [
  ['a new insight', { properties: noConditions, trendsFilter: {} }],
  ['filters of each type', { properties: conditions, filterTestAccounts: true }],
  [
    'filters of a series',
    { series: [{ ...view, properties: [{ key: 'n', type: 'event', operator: 'gt', value: '5' }] }] },
  ],
  ['a theme, sampling, tags', app],
  [
    'a number from the list of numbers',
    { series: [{ ...buy, math: 'p90', math_property: 'amount', math_property_type: 'numerical_event_properties' }] },
  ],
  [
    'the duration of sessions',
    {
      series: [{ ...view, math: 'avg', math_property: '$session_duration', math_property_type: 'session_properties' }],
    },
  ],
  [
    'a number of persons',
    { series: [{ ...view, math: 'median', math_property: 'age', math_property_type: 'person_properties' }] },
  ],
  [
    'groups',
    { series: [{ ...view, math: 'unique_group', math_group_type_index: 0 }], aggregation_group_type_index: 0 },
  ],
  ['an expression', { series: [{ ...view, math: 'hogql', math_hogql: 'count(distinct properties.$session_id)' }] }],
  ['counts of each person', { series: [{ ...view, math: 'p75_count_per_actor' }] }],
  ['a formula, old', { series: [view, buy], trendsFilter: { formula: 'B/A', formulas: null, formulaNodes: [] } }],
  [
    'a formula, new',
    {
      series: [visitors, { ...visitors, event: 'buy' }],
      trendsFilter: { formulaNodes: [{ formula: 'B / A * 100', custom_name: 'Conversion' }, { formula: 'A' }] },
    },
  ],
  ['a formula that was taken away', { trendsFilter: { formula: '' } }],
  [
    'a breakdown and its limit',
    {
      breakdownFilter: {
        breakdown: '$browser',
        breakdown_type: 'event',
        breakdown_limit: 25,
        breakdown_hide_other_aggregation: true,
      },
    },
  ],
  ['a breakdown that was taken away', { breakdownFilter: { breakdown_type: 'event', breakdowns: [] } }],
  [
    'two breakdowns, on a map',
    {
      breakdownFilter: {
        breakdowns: [
          { property: '$geoip_country_code', type: 'event' },
          { property: '$geoip_subdivision_1_code', type: 'event', normalize_url: false, histogram_bin_count: null },
        ],
      },
      trendsFilter: { display: 'WorldMap' },
    },
  ],
  [
    'all events by name',
    {
      series: [{ ...visitors, math: 'total' }],
      breakdownFilter: { breakdown: 'event', breakdown_type: 'event_metadata', breakdown_limit: 15 },
      trendsFilter: { display: 'ActionsBarValue', stackBreakdownValues: true },
    },
  ],
  [
    'a breakdown of groups',
    { breakdownFilter: { breakdown: 'name', breakdown_type: 'group', breakdown_group_type_index: 0 } },
  ],
  ['a breakdown of sessions', { breakdownFilter: { breakdown: '$entry_referring_domain', breakdown_type: 'session' } }],
  ['a comparison', { compareFilter: { compare: true, compare_to: '-4w' }, interval: 'week' }],
  ['whole weeks', { dateRange: { date_from: '-12wStart', date_to: '-1wEnd', explicitDate: false } }],
  [
    'whole days alone',
    { dateRange: { date_from: '-1dStart', date_to: '-1dEnd', excludeIncompletePeriods: true, daysOfWeek: [] } },
  ],
  ['all time', { dateRange: { date_from: 'all', date_to: null }, interval: 'month' }],
  [
    'a number with its change',
    {
      compareFilter: { compare: true },
      trendsFilter: {
        display: 'Metric',
        metricShowChange: true,
        metricSummary: 'latest',
        metricColorByDirection: true,
      },
    },
  ],
  [
    'looks of lines',
    {
      trendsFilter: {
        display: 'ActionsLineGraph',
        goalLines: [{ label: 'Plan', value: 40, displayLabel: true, displayIfCrossed: false, position: 'end' }],
        legendPosition: 'left',
        resultCustomizationBy: 'position',
        resultCustomizations: { 0: { assignmentBy: 'position', color: 'preset-3', hidden: true } },
        showAnnotations: false,
        showMultipleYAxes: true,
        hideWeekends: true,
        movingAverageIntervals: 3,
        xAxisLabel: 'Day',
        yAxisScaleType: 'log10',
      },
    },
  ],
];
