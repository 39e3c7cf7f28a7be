import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { prepareStatement } from '@millrace/query-language/compile.ts';
import { buildFunnel } from '@millrace/query-language/insights/funnels/build-funnel.ts';
import type { FunnelPlan } from '@millrace/query-language/insights/funnels/funnel-plan.ts';
import { asStored, eventField } from '@millrace/query-language/insights/nodes.ts';
import { runInsight } from '../testing/run-insight.ts';
import { rowsOfWorld } from '../testing/world.ts';
import { w1 } from '../testing/worked-worlds.ts';
import { funnels } from './funnels.ts';

let tenant: TestTenant;
const team = randomTeamId();

// A story for each rule of the walk: an actor, and letters at seconds.
const stories: Record<string, string> = {
  'newest entry wins': 'a0 a50 b70',
  'older entry keeps its step': 'a0 b10 a20 c30',
  'window is inclusive': 'a0 b60 c60',
  'window is that of the entry': 'a0 b50 c70',
  'one moment': 'c5 b5 a5',
  spoilt: 'a0 x5 b10 c15',
  healed: 'a0 x5 a10 b20 c30',
  'spoilt further than the clean one': 'a0 b5 x6 c10 a20 b30',
  'exclusion at the moment of the step': 'a0 x10 b10 c20',
  'exclusion behind the window': 'a0 x61',
  'other event': 'a0 z5 b10 c15',
  'repeated step': 'a0 a1 b2 b3 c4',
};
const storyTeam = randomTeamId();
const tail = '2025-01-06 10:0';
const storyEvents = Object.entries(stories).flatMap(([who, story]) =>
  story.split(' ').map((told) => {
    const seconds = Number(told.slice(1));
    const at = `${tail}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    return { at, who, event: told.slice(0, 1), properties: { story: who } };
  }),
);

beforeAll(async () => {
  tenant = await openTenant();
  await tenant.insert(rowsOfWorld(team, { events: w1 }));
  await tenant.insert(rowsOfWorld(storyTeam, { events: storyEvents }));
});
afterAll(() => tenant?.close());

const dateRange = { date_from: '2025-01-06', date_to: '2025-01-10' };
const series = [
  { kind: 'EventsNode', event: 'view' },
  { kind: 'EventsNode', event: 'buy' },
];
const runFunnel = (definition: object) => runInsight(tenant, team, funnels, { dateRange, series, ...definition });

const step = (order: number, name: string, count: number, time: number | null, more: object = {}) => ({
  action_id: name,
  name,
  custom_name: null,
  order,
  type: 'events',
  people: [],
  count,
  average_conversion_time: time,
  median_conversion_time: time,
  ...more,
});

describe('the worked example (contract/insights 6.6)', () => {
  test('steps', async () => {
    expect(await runFunnel({})).toEqual({
      results: [step(0, 'view', 4, null), step(1, 'buy', 2, 25_200)],
      hasMore: false,
    });
  });

  test('steps by plan, first touch', async () => {
    const of = (value: string) => ({ breakdown: [value], breakdown_value: [value] });
    expect(await runFunnel({ breakdownFilter: { breakdown: 'plan' } })).toEqual({
      results: [
        [step(0, 'view', 2, null, of('pro')), step(1, 'buy', 1, 1_800, of('pro'))],
        [step(0, 'view', 1, null, of('free')), step(1, 'buy', 1, 48_600, of('free'))],
        [step(0, 'view', 1, null, of('')), step(1, 'buy', 0, null, of(''))],
      ],
      hasMore: false,
    });
  });

  test('trends, window of a day', async () => {
    const funnelsFilter = { funnelVizType: 'trends', funnelWindowInterval: 1 };
    const [result, ...others] = (await runFunnel({ funnelsFilter })).results as Record<string, unknown>[];
    expect(others).toEqual([]);
    expect(result).toEqual({
      count: 5,
      data: [50, 0, 100, 0, 0],
      days: ['2025-01-06', '2025-01-07', '2025-01-08', '2025-01-09', '2025-01-10'],
      labels: ['6-Jan-2025', '7-Jan-2025', '8-Jan-2025', '9-Jan-2025', '10-Jan-2025'],
    });
  });

  test('time to convert in two bins', async () => {
    expect((await runFunnel({ funnelsFilter: { funnelVizType: 'time_to_convert', binCount: 2 } })).results).toEqual({
      bins: [
        [1_800, 1],
        [25_200, 0],
        [48_600, 1],
      ],
      average_conversion_time: 25_200,
    });
  });

  test.each([
    { breakdownAttributionType: 'all_events' },
    { breakdownAttributionType: 'step', breakdownAttributionValue: 0 },
  ])('times have no values of a breakdown, and each actor once: %j', async (attribution) => {
    const funnelsFilter = { funnelVizType: 'time_to_convert', binCount: 2 };
    const broken = { breakdownFilter: { breakdown: 'plan' }, funnelsFilter: { ...funnelsFilter, ...attribution } };
    expect((await runFunnel(broken)).results).toEqual((await runFunnel({ funnelsFilter })).results);
    const wrong = { ...broken, breakdownFilter: { breakdowns: [{ property: 'a' }, { property: 'b' }] } };
    await expect(runFunnel(wrong)).rejects.toThrow(/breakdowns/);
  });
});

/** Deepest step of each story; stories that are in no step are left out. */
async function depths(funnelsFilter: object): Promise<Record<string, number>> {
  const { results } = await runInsight(tenant, storyTeam, funnels, {
    dateRange,
    series: ['a', 'b', 'c'].map((event) => ({ kind: 'EventsNode', event })),
    breakdownFilter: { breakdown: 'story' },
    funnelsFilter: { funnelWindowInterval: 1, funnelWindowIntervalUnit: 'minute', ...funnelsFilter },
  });
  const lists = results as { count: number; breakdown_value: [string] }[][];
  return Object.fromEntries(
    lists.map((steps): [string, number] => [
      steps[0]?.breakdown_value[0] ?? '',
      steps.filter(({ count }) => count > 0).length,
    ]),
  );
}

const cancel = (funnelFromStep: number, funnelToStep: number) => ({
  exclusions: [{ kind: 'EventsNode', event: 'x', funnelFromStep, funnelToStep }],
});

describe('the walk (contract/insights 6.2)', () => {
  test('in order', async () => {
    expect(await depths({})).toEqual({
      'newest entry wins': 2,
      'older entry keeps its step': 3,
      'window is inclusive': 3,
      'window is that of the entry': 2,
      'one moment': 3,
      spoilt: 3,
      healed: 3,
      'spoilt further than the clean one': 3,
      'exclusion at the moment of the step': 3,
      'exclusion behind the window': 1,
      'other event': 3,
      'repeated step': 3,
    });
  });

  test('in order, without a way that is spoilt', async () => {
    const found = await depths(cancel(0, 1));
    expect(found).toMatchObject({
      healed: 3,
      'exclusion at the moment of the step': 3,
      'exclusion behind the window': 1,
    });
    expect(found).not.toHaveProperty('spoilt');
    expect(await depths(cancel(1, 2))).not.toHaveProperty('spoilt further than the clean one');
  });

  test('strict', async () => {
    expect(await depths({ funnelOrderType: 'strict' })).toMatchObject({
      'other event': 1,
      'repeated step': 3,
      spoilt: 1,
      'one moment': 3,
      'older entry keeps its step': 2,
    });
  });

  test('unordered', async () => {
    const found = await depths({ funnelOrderType: 'unordered', ...cancel(0, 2) });
    expect(found).toMatchObject({ 'one moment': 3, 'newest entry wins': 2, spoilt: 2, healed: 3 });
    expect(found).toMatchObject({ 'spoilt further than the clean one': 3, 'exclusion behind the window': 1 });
  });
});

describe('results', () => {
  test('nobody entered: no step, zeros, no bins', async () => {
    const nobody = { series: [{ kind: 'EventsNode', event: 'none' }, series[1]] };
    expect(await runFunnel(nobody)).toEqual({ results: [], hasMore: false });
    expect((await runFunnel({ ...nobody, breakdownFilter: { breakdown: 'plan' } })).results).toEqual([]);
    const trends = await runFunnel({ ...nobody, funnelsFilter: { funnelVizType: 'trends' } });
    expect(trends.results).toMatchObject([{ count: 5, data: [0, 0, 0, 0, 0] }]);
    expect((await runFunnel({ ...nobody, funnelsFilter: { funnelVizType: 'time_to_convert' } })).results).toEqual({
      bins: [
        [0, 0],
        [60, 0],
      ],
      average_conversion_time: null,
    });
  });

  test('intervals whose window is not over are hidden when it is asked for', async () => {
    const funnelsFilter = {
      funnelVizType: 'trends',
      funnelWindowInterval: 9,
      hideIncompleteConversionWindowPeriods: true,
    };
    // Until 2025-01-20: the window of the entries of 01-10 ends with 01-19, that of 12 days with 01-22.
    expect((await runFunnel({ funnelsFilter })).results).toMatchObject([{ count: 5 }]);
    const longer = { ...funnelsFilter, funnelWindowInterval: 12 };
    expect((await runFunnel({ funnelsFilter: longer })).results).toMatchObject([
      { count: 2, days: ['2025-01-06', '2025-01-07'] },
    ]);
  });

  test('another project has none of these events', async () => {
    expect(await runInsight(tenant, randomTeamId(), funnels, { dateRange, series })).toEqual({
      results: [],
      hasMore: false,
    });
  });

  test('twenty steps that overlap, in every order', async () => {
    const twenty = Array.from({ length: 20 }, () => series[0]);
    for (const funnelOrderType of ['ordered', 'strict', 'unordered']) {
      const { results } = await runFunnel({ series: twenty, funnelsFilter: { funnelOrderType } });
      expect((results as { count: number }[]).map(({ count }) => count).slice(0, 4)).toEqual(
        funnelOrderType === 'strict' ? [4, 3, 0, 0] : [4, 3, 1, 0],
      );
    }
  });
});

test('values beyond those that are kept become one, with exact means and medians', async () => {
  const plan: FunnelPlan = {
    from: '2025-01-06 00:00:00.000000',
    to: '2025-01-10 23:59:59.999999',
    conditions: { all: true, members: [] },
    actor: { id: eventField('person_id'), sparse: false },
    steps: ['view', 'buy'].map((event) => ({ event, conditions: { all: true, members: [] } })),
    exclusions: [],
    order: 'ordered',
    windowSeconds: 14 * 86_400,
    breakdown: { value: asStored(eventField('properties', 'plan')), attribution: 'last_touch', valuesMax: 0 },
    result: { kind: 'steps' },
  };
  const rows = async (more: Partial<FunnelPlan>): Promise<unknown> => {
    const { sql, params } = prepareStatement(buildFunnel({ ...plan, ...more })).print({}, { rowsMax: 10 });
    return (JSON.parse(await tenant.send(team, { sql: `${sql}\nFORMAT JSONCompact`, params })) as { data: unknown })
      .data;
  };
  expect(await rows({})).toEqual([['', 1, 4, 2, 25_200e6, 25_200e6]]);
  const points = [4, 6, 7, 8, 9, 10].map((day) => Date.UTC(2025, 0, day) / 1_000);
  const [row, ...others] = (await rows({ result: { kind: 'trends', from: 0, to: 1, unit: 'day' } })) as [
    [string, number, number[][]],
  ];
  expect(others).toEqual([]);
  expect(row?.slice(0, 2)).toEqual(['', 1]);
  const [, monday, tuesday, wednesday, thursday, friday] = points;
  expect(row?.[2].toSorted(([a = 0], [b = 0]) => a - b)).toEqual([
    [monday, 2, 2],
    [tuesday, 2, 1],
    [wednesday, 1, 1],
    [thursday, 2, 1],
    [friday, 1, 0],
  ]);
});
