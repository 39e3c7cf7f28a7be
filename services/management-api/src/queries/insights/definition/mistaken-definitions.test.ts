import { describe, expect, test } from '@jest/globals';
import { refusalOf } from '../testing/refusal-of.ts';

const node = { kind: 'EventsNode', event: 'view' };

// People who know other analytics, older insights or SQL write such definitions: each message says what to write.
describe('a definition that was meant otherwise', () => {
  test.each<[kind: string, definition: object, message: string]>([
    [
      'TrendsQuery',
      { breakdownFilter: { breakdown: [3], breakdown_type: 'cohort' } },
      'Break down by a property of persons: {"breakdown": "plan", "breakdown_type": "person"}.',
    ],
    [
      'RetentionQuery',
      { breakdownFilter: { breakdowns: [{ property: 3, type: 'cohort' }] } },
      'Break down by a property of persons: {"breakdown": "plan", "breakdown_type": "person"}.',
    ],
    ['TrendsQuery', { event: 'view' }, 'Write "series": [{"kind": "EventsNode", "event": "signed up"}].'],
    ['TrendsQuery', { series: null }, 'Write "series": [{"kind": "EventsNode", "event": "signed up"}].'],
    [
      'TrendsQuery',
      { series: null, events: [{ id: 'view' }] },
      'Write "series": [{"kind": "EventsNode", "event": "signed up"}].',
    ],
    ['TrendsQuery', { series: [] }, 'Write "series": [{"kind": "EventsNode", "event": "signed up"}].'],
    ['TrendsQuery', { series: node }, 'Write "series": [{"kind": "EventsNode", "event": "signed up"}].'],
    ['TrendsQuery', { series: ['view'] }, 'Write "series": [{"kind": "EventsNode", "event": "signed up"}].'],
    ['TrendsQuery', { series: [{ event: 'view' }] }, 'Write "kind": "EventsNode".'],
    ['TrendsQuery', { series: [{ id: 'view', type: 'events' }] }, 'Write "kind": "EventsNode".'],
    ['TrendsQuery', { series: [{ ...node, id: 'view' }] }, 'Write "event".'],
    [
      'TrendsQuery',
      { series: [{ ...node, math: 'count' }] },
      'Choose one of: total, dau, weekly_active, monthly_active',
    ],
    [
      'TrendsQuery',
      { series: [{ ...node, math: 'unique' }] },
      'Choose one of: total, dau, weekly_active, monthly_active',
    ],
    [
      'TrendsQuery',
      { series: [{ ...node, math: 'sum' }] },
      'query.series.0.math_property is missing: the math sum needs it.',
    ],
    [
      'TrendsQuery',
      { series: [{ ...node, filters: [] }] },
      'Write "properties": [{"key": "plan", "value": ["pro"], "operator": "exact", "type": "event"}].',
    ],
    ['TrendsQuery', { breakdown: 'plan' }, 'It belongs in breakdownFilter: write "breakdownFilter": {"breakdown": …}.'],
    [
      'TrendsQuery',
      { breakdowns: ['plan'] },
      'It belongs in breakdownFilter: write "breakdownFilter": {"breakdowns": …}.',
    ],
    [
      'TrendsQuery',
      { breakdownFilter: { breakdown: ['plan'] } },
      'query.breakdownFilter.breakdown: Not a valid string. Write "breakdown": "plan".',
    ],
    [
      'TrendsQuery',
      { breakdownFilter: { breakdowns: ['plan'] } },
      'Write "breakdowns": [{"property": "plan", "type": "event"}].',
    ],
    [
      'TrendsQuery',
      { breakdownFilter: { breakdown: 'plan', breakdown_type: 'data_warehouse' } },
      'query.breakdownFilter: breakdowns of type "data_warehouse" are not available here. The types are event, person, group, session, event_metadata, hogql.',
    ],
    ['TrendsQuery', { breakdownFilter: { property: 'plan' } }, 'Write "breakdown": "plan".'],
    ['TrendsQuery', { date_range: {} }, 'Write "dateRange": {"date_from": "-7d"}.'],
    ['TrendsQuery', { date_from: '-7d' }, 'It belongs in dateRange: write "dateRange": {"date_from": …}.'],
    ['TrendsQuery', { dateRange: '-7d' }, 'Write "dateRange": {"date_from": "-7d"}.'],
    ['TrendsQuery', { dateRange: { from: '-7d' } }, 'Write "date_from".'],
    ['TrendsQuery', { dateRange: { dateFrom: '-7d' } }, 'Write "date_from".'],
    [
      'TrendsQuery',
      { filters: [] },
      'Write "properties": [{"key": "plan", "value": ["pro"], "operator": "exact", "type": "event"}].',
    ],
    [
      'TrendsQuery',
      { filters: { dateRange: {} } },
      'Write "properties": [{"key": "plan", "value": ["pro"], "operator": "exact", "type": "event"}].',
    ],
    ['TrendsQuery', { compare: true }, 'It belongs in compareFilter: write "compareFilter": {"compare": …}.'],
    ['TrendsQuery', { display: 'BoldNumber' }, 'It belongs in trendsFilter: write "trendsFilter": {"display": …}.'],
    ['TrendsQuery', { formula: 'A' }, 'It belongs in trendsFilter: write "trendsFilter": {"formula": …}.'],
    ['TrendsQuery', { limit: 10 }, 'An insight has no pages.'],
    [
      'TrendsQuery',
      { variables: {} },
      'Variables of an insight are date_from, date_to and the properties of its breakdown: give them to a run.',
    ],
    ['TrendsQuery', { interval: 'year' }, 'Choose one of: minute, hour, day, week'],
    ['TrendsQuery', { interval: 'Day' }, 'Choose one of: minute, hour, day, week'],
    ['TrendsQuery', { filter_test_accounts: true }, 'Write "filterTestAccounts".'],
    ['TrendsQuery', { funnelsFilter: {} }, 'trendsFilter'],
    [
      'TrendsQuery',
      { query: 'select 1' },
      'An insight has no SQL: write {"kind": "HogQLQuery", "query": "SELECT …"} for that.',
    ],
    ['FunnelsQuery', { steps: [node] }, 'Write "series": [{"kind": "EventsNode", "event": "signed up"}].'],
    ['FunnelsQuery', { series: [node] }, 'query.series: a funnel needs at least two steps.'],
    [
      'FunnelsQuery',
      { funnelWindowInterval: 7 },
      'It belongs in funnelsFilter: write "funnelsFilter": {"funnelWindowInterval": …}.',
    ],
    ['FunnelsQuery', { funnelsFilter: { funnelWindowDays: 7 } }, 'funnelWindowInterval,'],
    [
      'RetentionQuery',
      { series: [node] },
      'Write "retentionFilter": {"targetEntity": {"id": "signed up"}, "returningEntity": {"id": "viewed"}}.',
    ],
    [
      'RetentionQuery',
      { retentionFilter: null },
      'Write "retentionFilter": {"targetEntity": {"id": "signed up"}, "returningEntity": {"id": "viewed"}}.',
    ],
    ['RetentionQuery', { interval: 'week' }, 'Write "retentionFilter": {"period": "Week"}.'],
    ['RetentionQuery', { retentionFilter: { period: 'day' } }, 'Choose one of: Hour, Day, Week, Month'],
    ['RetentionQuery', { retentionFilter: { targetEntity: 'view' } }, 'Write "targetEntity": {"id": "signed up"}.'],
    ['RetentionQuery', { retentionFilter: { target_entity: {} } }, 'Write "targetEntity": {"id": "signed up"}.'],
    [
      'RetentionQuery',
      { retentionFilter: { targetEntity: { id: 3, type: 'actions' } } },
      'query.retentionFilter.targetEntity is of type actions. Actions do not exist here: write the events and filters',
    ],
    ['LifecycleQuery', { series: [node, node] }, 'Write "series": [{"kind": "EventsNode", "event": "signed up"}].'],
    ['LifecycleQuery', { breakdownFilter: { breakdown: 'plan' } }, 'lifecycleFilter'],
    ['StickinessQuery', { breakdownFilter: { breakdown: 'plan' } }, 'stickinessFilter'],
    ['PathsQuery', { series: [node] }, 'Write the items in pathsFilter: includeEventTypes, startPoint, excludeEvents.'],
    ['PathsQuery', { pathsFilter: null }, 'Write "pathsFilter": {"includeEventTypes": ["$pageview"]}.'],
    ['PathsQuery', { pathsFilter: { start_point: '/' } }, 'Write "startPoint".'],
    ['WebOverviewQuery', { properties: null }, 'Write "properties": [].'],
    ['WebStatsTableQuery', { breakdownBy: null }, 'Write "breakdownBy": "Page".'],
    ['WebStatsTableQuery', { breakdownBy: 'page' }, 'Choose one of: Page, InitialPage, ExitPage, ExitClick'],
  ])('%s %j', (kind, definition, message) => expect(refusalOf(kind, definition)).toContain(message));
});
