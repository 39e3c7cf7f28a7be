import { describe, expect, test } from '@jest/globals';
import { refusalOf } from '../testing/refusal-of.ts';

const view = { kind: 'EventsNode', event: 'view', name: 'view' };
const buy = { kind: 'EventsNode', event: 'buy', name: 'buy', custom_name: 'Orders', version: 1 };
const noActions = 'Actions do not exist here: write the events and filters that the action stands for.';
const noTables = 'It is for data warehouse tables, which do not exist here.';

describe('what the app offers and is not there is refused, with what to write instead', () => {
  test.each<[kind: string, definition: object, message: string]>([
    [
      'TrendsQuery',
      { series: [{ kind: 'ActionsNode', id: 3, name: 'x' }] },
      `query.series.0 is of kind ActionsNode. ${noActions}`,
    ],
    [
      'TrendsQuery',
      { series: [{ kind: 'GroupNode', operator: 'OR', nodes: [view, buy], math: 'total' }] },
      'query.series.0 is of kind GroupNode. Write {"kind": "EventsNode", "event": null} with a filter of type event_metadata',
    ],
    [
      'TrendsQuery',
      { series: [{ ...buy, math: 'sum', math_property: 'amount', math_property_revenue_currency: { static: 'USD' } }] },
      'query.series.0.math_property_revenue_currency is not available here. Amounts are not converted:',
    ],
    [
      'TrendsQuery',
      { series: [{ ...view, math_multiplier: 100 }] },
      'query.series.0.math_multiplier is not available here. Write a formula, such as "A * 100".',
    ],
    [
      'TrendsQuery',
      { conversionGoal: { customEventName: 'buy' } },
      'query.conversionGoal is not available here. Write its event as a series.',
    ],
    [
      'TrendsQuery',
      { calendarHeatmapFilter: { bucketBySessionStart: true } },
      'query.calendarHeatmapFilter is not available here. There are no heatmaps',
    ],
    [
      'TrendsQuery',
      { trendsFilter: { display: 'BoxPlot' } },
      'query.trendsFilter.display: "BoxPlot" is not a valid choice. Choose one of: Auto,',
    ],
    [
      'TrendsQuery',
      { trendsFilter: { compare: true } },
      'It belongs in compareFilter: write "compareFilter": {"compare": …}.',
    ],
    [
      'TrendsQuery',
      { breakdownFilter: { breakdown: '$pathname', breakdown_path_cleaning: true } },
      'query.breakdownFilter.breakdown_path_cleaning is not available here. A project has no rules for paths:',
    ],
    ['TrendsQuery', { breakdownFilter: { breakdown: [3, 'all'], breakdown_type: 'cohort' } }, 'there are no cohorts.'],
    [
      'TrendsQuery',
      { properties: [{ key: 'id', type: 'cohort', value: 3, operator: 'in', cohort_name: 'x' }] },
      'There are no cohorts:',
    ],
    [
      'TrendsQuery',
      { properties: [{ key: 'x', type: 'flag', operator: 'flag_evaluates_to', value: true }] },
      'is the property $feature/<its key>',
    ],
    [
      'TrendsQuery',
      { dateRange: { date_from: '-7d', daysOfWeek: [1, 2] } },
      'query.dateRange.daysOfWeek cannot choose some days',
    ],
    [
      'FunnelsQuery',
      {
        funnelsFilter: { exclusions: [{ kind: 'ActionsNode', id: 3, name: 'x', funnelFromStep: 0, funnelToStep: 1 }] },
      },
      `query.funnelsFilter.exclusions.0 is of kind ActionsNode. ${noActions}`,
    ],
    [
      'FunnelsQuery',
      { series: [view, { ...view, optionalInFunnel: true }, buy] },
      'query.series.1.optionalInFunnel is not available here. Write a second funnel without the step.',
    ],
    ['FunnelsQuery', { compareFilter: { compare: true } }, 'query.compareFilter: funnels cannot be compared yet.'],
    ['FunnelsQuery', { series: [{ kind: 'FunnelsDataWarehouseNode', id: 'x' }, buy] }, 'Only events can be series.'],
    ['FunnelsQuery', { funnelsFilter: { customAggregationTarget: true } }, noTables],
    ['RetentionQuery', { retentionFilter: { customAggregationTarget: true } }, noTables],
    [
      'RetentionQuery',
      { retentionFilter: { returningEntity: { id: 3, name: 'x', type: 'actions', order: 0 } } },
      `query.retentionFilter.returningEntity is of type actions. ${noActions}`,
    ],
    [
      'RetentionQuery',
      { retentionFilter: { targetEntity: { id: 3, kind: 'ActionsNode' } } },
      `is of kind ActionsNode. ${noActions}`,
    ],
    [
      'RetentionQuery',
      {
        retentionFilter: { targetEntity: { id: 'x', type: 'data_warehouse', table_name: 'x', timestamp_field: 'at' } },
      },
      'query.retentionFilter.targetEntity is of type data_warehouse. Only events can start and return.',
    ],
    ['StickinessQuery', { intervalCount: 7 }, 'query.intervalCount is not available here. Write a longer interval.'],
    [
      'PathsQuery',
      { funnelPathsFilter: { funnelPathType: 'funnel_path_after_step', funnelSource: {}, funnelStep: 1 } },
      'query.funnelPathsFilter is not available here. Write the steps as startPoint and endPoint of a PathsQuery.',
    ],
    ['PathsQuery', { pathsFilter: { pathReplacements: true } }, 'Write the rules as localPathCleaningFilters.'],
    [
      'WebOverviewQuery',
      { doPathCleaning: true },
      'query.doPathCleaning is not available here. A project has no rules for paths: write false.',
    ],
    ['WebOverviewQuery', { conversionGoal: { actionId: 3 } }, 'Write {"customEventName": "signed up"}.'],
    [
      'WebStatsTableQuery',
      { includeScrollDepth: true },
      'query.includeScrollDepth is not available here. There are no columns of scrolling.',
    ],
    [
      'WebStatsTableQuery',
      { breakdownBy: 'PreviousPage' },
      '"PreviousPage" is not a valid choice. Choose one of: Page,',
    ],
  ])('%s %j', (kind, definition, message) => expect(refusalOf(kind, definition)).toContain(message));
});
