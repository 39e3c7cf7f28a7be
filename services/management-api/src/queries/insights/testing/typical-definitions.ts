const node = { kind: 'EventsNode', event: 'view' };
const dateRange = { date_from: '2025-01-06', date_to: '2025-01-10' };

/** A definition of each kind that W1 and W2 answer, by its `kind`, without the kind. */
export const typicalDefinitions: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  TrendsQuery: { series: [node], dateRange },
  FunnelsQuery: { series: [node, { kind: 'EventsNode', event: 'buy' }], dateRange },
  RetentionQuery: {
    dateRange,
    retentionFilter: { targetEntity: { id: 'view' }, returningEntity: { id: 'view' }, totalIntervals: 3 },
  },
  LifecycleQuery: { series: [node], dateRange },
  StickinessQuery: { series: [node], dateRange },
  PathsQuery: { dateRange, pathsFilter: {} },
  WebOverviewQuery: { dateRange, properties: [] },
  WebStatsTableQuery: { dateRange, properties: [], breakdownBy: 'Page' },
};
