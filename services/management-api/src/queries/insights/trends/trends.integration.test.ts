import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { runInsight, type RunOptions } from '../testing/run-insight.ts';
import { w1 } from '../testing/worked-worlds.ts';
import { rowsOfWorld } from '../testing/world.ts';
import { trends } from './trends.ts';

let tenant: TestTenant;
const teamId = randomTeamId();

beforeAll(async () => {
  tenant = await openTenant();
  await tenant.insert(rowsOfWorld(teamId, { events: w1 }));
});
afterAll(() => tenant?.close());

const dateRange = { date_from: '2025-01-06', date_to: '2025-01-10' };
const view = { kind: 'EventsNode', event: 'view' };
const buy = { kind: 'EventsNode', event: 'buy' };

interface Result {
  label: string;
  count: number;
  data: number[] | null;
  breakdown_value?: unknown;
  aggregated_value?: number | null;
}

async function runTrends(definition: object, options?: RunOptions): Promise<Result[]> {
  const { results } = await runInsight(tenant, teamId, trends, { dateRange, ...definition }, options);
  return results as Result[];
}

/** The figures of results alone. */
const figures = (results: readonly Result[]) =>
  results.map(({ label, data, count, breakdown_value, aggregated_value }) => [
    label,
    data,
    count,
    ...(breakdown_value === undefined ? [] : [breakdown_value]),
    ...(aggregated_value === undefined ? [] : [aggregated_value]),
  ]);

describe('the worked example (contract/insights 5.8)', () => {
  test('events by a property', async () => {
    const results = await runTrends({ series: [view], breakdownFilter: { breakdown: 'plan' } });
    expect(figures(results)).toEqual([
      ['pro', [1, 1, 0, 0, 1], 3, 'pro'],
      ['free', [1, 0, 1, 0, 0], 2, 'free'],
      ['team', [0, 0, 0, 1, 0], 1, 'team'],
      ['null', [0, 1, 0, 1, 0], 2, null],
    ]);
    expect(results[0]).toEqual({
      action: {
        id: 'view',
        name: 'view',
        type: 'events',
        order: 0,
        custom_name: null,
        math: null,
        math_property: null,
        math_hogql: null,
        math_group_type_index: null,
        properties: {},
        days: [6, 7, 8, 9, 10].map((day) => `2025-01-${String(day).padStart(2, '0')}T00:00:00Z`),
      },
      label: 'pro',
      order: 0,
      count: 3,
      data: [1, 1, 0, 0, 1],
      labels: ['6-Jan-2025', '7-Jan-2025', '8-Jan-2025', '9-Jan-2025', '10-Jan-2025'],
      days: ['2025-01-06', '2025-01-07', '2025-01-08', '2025-01-09', '2025-01-10'],
      breakdown_value: 'pro',
    });
  });

  test('different persons, by day and in total', async () => {
    const series = [{ ...view, math: 'dau' }];
    expect(figures(await runTrends({ series }))).toEqual([['view', [2, 2, 1, 2, 1], 8]]);
    const [total] = await runTrends({ series, trendsFilter: { display: 'BoldNumber' } });
    expect(total).toMatchObject({ aggregated_value: 4, data: [], days: [], count: 0 });
    expect(total).not.toHaveProperty('labels');
  });

  test('a formula', async () => {
    const results = await runTrends({
      series: [
        { ...view, math: 'dau' },
        { ...buy, math: 'sum', math_property: 'amount' },
      ],
      trendsFilter: { formula: 'B / A' },
    });
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({
      label: 'Formula (B / A)',
      action: null,
      order: 0,
      data: [10, 0, 5.5, 50, 1],
      count: 66.5,
    });
  });
});

describe('every math by day, by property and in total', () => {
  test.each([
    ['total', {}, [3, 2, 2, 3, 2]],
    ['dau', {}, [2, 2, 1, 3, 2]],
    ['unique_session', {}, [0, 0, 0, 0, 0]],
    ['unique_group', { math_group_type_index: 0 }, [0, 0, 0, 0, 0]],
    ['weekly_active', {}, [2, 3, 3, 4, 4]],
    ['monthly_active', {}, [2, 3, 3, 4, 4]],
    ['first_time_for_user', {}, [2, 1, 0, 1, 0]],
    ['first_matching_event_for_user', {}, [2, 1, 0, 1, 0]],
    ['sum', { math_property: 'n' }, [14, 3, 6, 10, 5]],
    ['avg', { math_property: 'n' }, [7, 1.5, 6, 5, 5]],
    ['min', { math_property: 'n' }, [4, 1, 6, 3, 5]],
    ['max', { math_property: 'n' }, [10, 2, 6, 7, 5]],
    ['median', { math_property: 'n' }, [7, 1.5, 6, 5, 5]],
    ['p75', { math_property: 'n' }, [8.5, 1.75, 6, 6, 5]],
    ['p90', { math_property: 'n' }, [9.4, 1.9, 6, 6.6, 5]],
    ['avg', { math_property: '$session_duration' }, [0, 0, 0, 0, 0]],
    ['avg_count_per_actor', {}, [1.5, 1, 2, 1, 1]],
    ['max_count_per_actor', {}, [2, 1, 2, 1, 1]],
    ['p99_count_per_actor', {}, [1.99, 1, 2, 1, 1]],
    ['hogql', { math_hogql: 'count() + 1' }, [4, 3, 3, 4, 3]],
    ['hogql', { math_hogql: 'sum(toFloat(properties.n)) / count()' }, [14 / 3, 1.5, 3, 10 / 3, 2.5]],
  ])('%s %j', async (math, fields, data) => {
    const series = [{ kind: 'EventsNode', math, ...fields }];
    const [result] = await runTrends({ series });
    expect(result?.data).toEqual(data.map((number) => expect.closeTo(number, 9)));
    for (const breakdownFilter of [{ breakdown: 'plan' }, { breakdowns: [{ property: 'n', histogram_bin_count: 3 }] }])
      for (const display of ['ActionsLineGraph', 'ActionsLineGraphCumulative', 'ActionsPie'])
        expect(await runTrends({ series, breakdownFilter, trendsFilter: { display } })).not.toEqual([]);
  });
});

describe('displays, smoothing and comparison', () => {
  const display = (name: string, more: object = {}) => ({ trendsFilter: { display: name, ...more } });

  test('cumulative persons count once, events each time', async () => {
    const series = [{ ...view, math: 'dau' }, view];
    expect(figures(await runTrends({ series, ...display('ActionsLineGraphCumulative') }))).toEqual([
      ['view', [2, 3, 3, 3, 4], 4],
      ['view', [2, 4, 5, 7, 8], 8],
    ]);
  });

  test('smoothing takes the floor of the mean of up to so many intervals', async () => {
    expect(figures(await runTrends({ series: [view], trendsFilter: { smoothingIntervals: 2 } }))).toEqual([
      ['view', [2, 2, 1, 1, 1], 7],
    ]);
    const total = await runTrends({ series: [view], ...display('ActionsPie', { smoothingIntervals: 2 }) });
    expect(total).toMatchObject([{ aggregated_value: 8 }]);
  });

  test('weekly persons are those of seven days, also of days before the range', async () => {
    const series = [{ kind: 'EventsNode', event: 'view', math: 'weekly_active' }];
    const later = { dateRange: { date_from: '2025-01-12', date_to: '2025-01-17' } };
    expect(figures(await runTrends({ series, ...later }))).toEqual([['view', [4, 4, 4, 3, 1, 0], 16]]);
    const hours = { dateRange: { date_from: '2025-01-13T08:00:00', date_to: '2025-01-13T12:00:00' }, interval: 'hour' };
    // The event of 12:00 a week before is outside of the seven days that end with 12:59.
    expect(
      figures(await runTrends({ series: [{ ...series[0], properties: [{ key: 'n', value: 4 }] }], ...hours })),
    ).toEqual([['view', [1, 1, 1, 1, 0], 4]]);
  });

  test('a period before has days of its own, and comes behind all series of the range', async () => {
    const results = await runTrends({
      series: [view, buy],
      dateRange: { date_from: '2025-01-09', date_to: '2025-01-10' },
      compareFilter: { compare: true },
    });
    expect(results.map((result) => [result.label, result.data])).toEqual([
      ['view', [2, 1]],
      ['buy', [1, 1]],
      ['view', [2, 1]],
      ['buy', [0, 1]],
    ]);
    expect(results[2]).toMatchObject({
      compare: true,
      compare_label: 'previous',
      days: ['2025-01-07', '2025-01-08'],
      labels: ['7-Jan-2025', '8-Jan-2025'],
      action: { days: ['2025-01-09T00:00:00Z', '2025-01-10T00:00:00Z'] },
    });
  });
});
