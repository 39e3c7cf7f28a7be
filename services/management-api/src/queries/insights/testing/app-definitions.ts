import { app, noConditions, type AppDefinition } from './app-fields.ts';
import { appTrends } from './app-trends.ts';
import { typicalDefinitions } from './typical-definitions.ts';

const view = { kind: 'EventsNode', event: 'view', name: 'view' };
const buy = { kind: 'EventsNode', event: 'buy', name: 'buy', custom_name: 'Orders', version: 1 };

const funnels: AppDefinition[] = [
  [
    'a new insight',
    { properties: noConditions, funnelsFilter: { exclusions: [], layout: 'horizontal' }, interval: 'day' },
  ],
  [
    'an exclusion',
    {
      funnelsFilter: {
        exclusions: [
          { kind: 'EventsNode', event: '$pageleave', name: '$pageleave', funnelFromStep: 0, funnelToStep: 1 },
        ],
        funnelOrderType: 'strict',
        funnelWindowInterval: 1,
        funnelWindowIntervalUnit: 'hour',
      },
    },
  ],
  [
    'first times',
    {
      series: [
        { ...view, math: 'first_time_for_user' },
        { ...buy, math: 'first_time_for_user_with_filters' },
      ],
    },
  ],
  [
    'a breakdown of the second step',
    {
      breakdownFilter: { breakdown: '$os', breakdown_type: 'event' },
      funnelsFilter: {
        breakdownAttributionType: 'step',
        breakdownAttributionValue: 1,
        breakdownSorting: '-conversion_rate',
        hiddenLegendBreakdowns: ['Linux'],
      },
    },
  ],
  [
    'conversion over time, of groups',
    {
      interval: 'month',
      aggregation_group_type_index: 0,
      funnelsFilter: {
        funnelVizType: 'trends',
        hideIncompleteConversionWindowPeriods: true,
        showTrendLines: true,
        resultCustomizations: { '["Linux"]': { assignmentBy: 'value', color: 'preset-1' } },
      },
    },
  ],
  [
    'time to convert',
    { funnelsFilter: { funnelVizType: 'time_to_convert', binCount: 10, funnelFromStep: 0, funnelToStep: 1 } },
  ],
  ['sessions', { funnelsFilter: { funnelAggregateByHogQL: 'properties.$session_id', customAggregationTarget: false } }],
  ['no comparison', { compareFilter: { compare: false }, funnelsFilter: { funnelStepReference: 'previous' } }],
];

const entity = { id: 'view', name: 'view', type: 'events', order: 0, uuid: '0198f1a2' };

const retentions: AppDefinition[] = [
  [
    'a new insight',
    { targetEntity: entity, returningEntity: entity, period: 'Day', retentionType: 'retention_first_time' },
  ],
  ['any event', { targetEntity: { id: null, name: 'All events', type: 'events' }, returningEntity: entity }],
  [
    'filters of the return',
    {
      targetEntity: { ...entity, kind: 'EventsNode', custom_name: 'Start' },
      returningEntity: { ...entity, properties: [{ key: 'plan', type: 'event', operator: 'exact', value: ['pro'] }] },
    },
  ],
  [
    'brackets and looks',
    {
      retentionCustomBrackets: [1, 3, 7],
      meanRetentionCalculation: 'weighted',
      retentionReference: 'previous',
      dashboardDisplay: 'graph_only',
      display: 'ActionsLineGraph',
      selectedInterval: 2,
      cohortLabelStartIndex: 1,
      showTrendLines: true,
      goalLines: [],
    },
  ],
  ['a sum', { aggregationType: 'sum', aggregationProperty: 'amount', aggregationPropertyType: 'event' }],
  ['persons', { customAggregationTarget: false, timeWindowMode: '24_hour_windows', minimumOccurrences: 2 }],
  ['an old average', { showMean: true }],
];

const others: [kind: string, ...chosen: AppDefinition][] = [
  ['LifecycleQuery', 'a new insight', { lifecycleFilter: { showLegend: false }, properties: noConditions }],
  [
    'LifecycleQuery',
    'looks',
    {
      interval: 'week',
      lifecycleFilter: {
        stacked: false,
        toggledLifecycles: ['new'],
        showPercentagesOnSeries: true,
        legendPosition: 'top',
      },
      customAggregationTarget: false,
    },
  ],
  ['StickinessQuery', 'a new insight', { stickinessFilter: {}, properties: noConditions, ...app }],
  [
    'StickinessQuery',
    'groups of three events and more, compared',
    {
      series: [{ ...view, math: 'unique_group', math_group_type_index: 0 }],
      compareFilter: { compare: true },
      intervalCount: 1,
      stickinessFilter: {
        computedAs: 'cumulative',
        stickinessCriteria: { operator: 'gte', value: 3 },
        display: 'ActionsBar',
        resultCustomizations: {},
      },
    },
  ],
  ['PathsQuery', 'a new insight', { pathsFilter: { includeEventTypes: ['$pageview'] }, funnelPathsFilter: null }],
  [
    'PathsQuery',
    'groupings and rules',
    {
      pathsFilter: {
        includeEventTypes: ['$pageview', 'custom_event', 'hogql'],
        pathsHogQLExpression: 'properties.$pathname',
        pathGroupings: ['/movie/*'],
        localPathCleaningFilters: [{ alias: 'product', regex: '/p/[0-9]+', order: 0 }],
        pathReplacements: false,
        showFullUrls: true,
        startPoint: '',
      },
    },
  ],
  [
    'WebOverviewQuery',
    'the tile of the dashboard',
    {
      ...app,
      filterTestAccounts: true,
      properties: [{ key: '$host', type: 'event', operator: 'exact', value: ['x.example'] }],
      compareFilter: { compare: true },
      conversionGoal: { customEventName: 'buy' },
      doPathCleaning: false,
      includeRevenue: false,
      sampling: { enabled: true, forceSamplingRate: { numerator: 1, denominator: 10 } },
      useWebAnalyticsPrecompute: true,
    },
  ],
  [
    'WebStatsTableQuery',
    'a tile of the dashboard',
    {
      breakdownBy: 'InitialPage',
      includeBounceRate: true,
      doPathCleaning: false,
      limit: 10,
      orderBy: ['BounceRate', 'ASC'],
    },
  ],
];

const tables: [kind: string, chosen: readonly AppDefinition[]][] = [
  ['TrendsQuery', appTrends],
  ['FunnelsQuery', funnels],
  [
    'RetentionQuery',
    retentions.map(([chosen, retentionFilter]) => [chosen, { retentionFilter, properties: noConditions }]),
  ],
];

/** Definitions as PostHog's app writes them, of all kinds, by what was chosen there; W1 and W2 are in their ranges. */
export const appDefinitions = [
  ...tables.flatMap(([kind, rows]) => rows.map((row) => [kind, ...row] as const)),
  ...others,
].map(([kind, chosen, definition]) => [kind, chosen, { ...typicalDefinitions[kind], ...definition, kind }] as const);
