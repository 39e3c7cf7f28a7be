import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { runInsight } from '../testing/run-insight.ts';
import { rowsOfWorld, type WorldEvent } from '../testing/world.ts';
import { trends } from './trends.ts';

let tenant: TestTenant;
const [many, named, other] = [randomTeamId(), randomTeamId(), randomTeamId()];

const view = (plan: string | null, day: number, n = 1): WorldEvent => ({
  at: `2025-01-${String(day).padStart(2, '0')} 10:00:00`,
  who: `p${n}`,
  event: 'view',
  properties: { plan, n },
});
const genuine = ['Other', 'null', '$$_posthog_breakdown_other_$$', '$$_posthog_breakdown_null_$$', '::', ' ', 'ñ'];

beforeAll(async () => {
  tenant = await openTenant();
  // 10,000 values with two events each, three with one, and as many without a value as any has.
  const values = Array.from({ length: 10_000 }, (_, index) => `v${String(index).padStart(5, '0')}`);
  await tenant.insert(
    rowsOfWorld(many, {
      events: [
        ...values.flatMap((plan) => [view(plan, 6, 10), view(plan, 8, 20)]),
        ...['x', 'y', 'z'].map((plan, index) => view(plan, 7, index)),
        ...[6, 6, 6, 9].map((day) => view(null, day)),
      ],
    }),
  );
  await tenant.insert(rowsOfWorld(named, { events: genuine.map((plan) => view(plan, 6)) }));
  await tenant.insert(rowsOfWorld(other, { events: [view('SECRET', 6)] }));
});
afterAll(() => tenant?.close());

const dateRange = { date_from: '2025-01-06', date_to: '2025-01-10' };
const runTrends = (teamId: number, definition: object) =>
  runInsight(tenant, teamId, trends, {
    dateRange,
    series: [{ kind: 'EventsNode', event: 'view' }],
    ...definition,
  });
const resultsOf = ({ results }: { results: unknown }) =>
  results as { label: string; count: number; data: number[]; breakdown_value: unknown; aggregated_value?: number }[];

describe('more than 10,000 values (contract/insights 5.5)', () => {
  test('are the largest, and the rest as one series: the value that is null folds first', async () => {
    const answer = await runTrends(many, { breakdownFilter: { breakdown: 'plan', breakdown_limit: 3 } });
    const results = resultsOf(answer);
    expect([results.length, answer.hasMore]).toEqual([10_001, true]);
    expect(results[0]).toMatchObject({ label: 'v00000', count: 2, data: [1, 0, 1, 0, 0] });
    expect(results[9_999]).toMatchObject({ label: 'v09999' });
    expect(results[10_000]).toMatchObject({
      label: 'Other',
      breakdown_value: 'Other',
      count: 7,
      data: [3, 3, 0, 1, 0],
    });
  });

  test('of a total fold the totals', async () => {
    const answer = await runTrends(many, {
      series: [{ kind: 'EventsNode', event: 'view', math: 'max', math_property: 'n' }],
      breakdownFilter: { breakdowns: [{ property: 'plan' }, { property: 'distinct_id', type: 'event_metadata' }] },
      trendsFilter: { display: 'ActionsTable' },
    });
    const results = resultsOf(answer);
    expect([results.length, answer.hasMore]).toEqual([10_001, true]);
    expect(results[0]).toMatchObject({ label: 'v00000::p20', aggregated_value: 20 });
    // 10,000 pairs of 10, those of 0, 1 and 2, and the null of 1.
    expect(results[10_000]).toMatchObject({
      label: 'Other',
      breakdown_value: ['Other', 'Other'],
      aggregated_value: 100_004,
    });
  });

  test('of formulas fold too, and end the results', async () => {
    const node = { kind: 'EventsNode', event: 'view' };
    const answer = await runTrends(many, {
      series: [node, { ...node, math: 'dau' }],
      breakdownFilter: { breakdown: 'plan' },
      trendsFilter: { formulas: ['A + B'], display: 'ActionsPie' },
    });
    const results = resultsOf(answer);
    expect([results.length, answer.hasMore]).toEqual([10_001, true]);
    expect(results.at(-1)).toMatchObject({ label: 'Formula (A + B)', breakdown_value: 'Other', aggregated_value: 11 });
  });

  test('are refused when they are more than 2,000,000 numbers', async () => {
    const definition = { dateRange: { date_from: '2024-01-01', date_to: '2025-01-10' } };
    await expect(runTrends(many, { ...definition, breakdownFilter: { breakdown: 'plan' } })).rejects.toThrow(
      /more than 2,000,000 numbers: 10,001 series of 376 intervals.*breakdown.*/,
    );
  });
});

describe('values that look like names of ours', () => {
  test('stay as they are', async () => {
    const answer = await runTrends(named, { breakdownFilter: { breakdown: 'plan' } });
    const sorted = [...genuine].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
    expect(answer.hasMore).toBe(false);
    expect(resultsOf(answer).map(({ label, breakdown_value, count }) => [label, breakdown_value, count])).toEqual(
      sorted.map((value) => [value, value, 1]),
    );
  });

  test('an empty project has no values, and zeros without a breakdown', async () => {
    const empty = randomTeamId();
    expect(resultsOf(await runTrends(empty, { breakdownFilter: { breakdown: 'plan' } }))).toEqual([]);
    expect(resultsOf(await runTrends(empty, {}))).toMatchObject([{ count: 0, data: [0, 0, 0, 0, 0] }]);
    const [total] = resultsOf(await runTrends(empty, { trendsFilter: { display: 'BoldNumber' } }));
    expect(total?.aggregated_value).toBe(0);
  });

  test('values of another project are not answered', async () => {
    const answer = await runTrends(other, { breakdownFilter: { breakdown: 'plan' } });
    expect(resultsOf(answer)).toMatchObject([{ breakdown_value: 'SECRET' }]);
    for (const teamId of [many, named])
      expect(JSON.stringify(await runTrends(teamId, { breakdownFilter: { breakdown: 'plan' } }))).not.toContain(
        'SECRET',
      );
  });
});

describe('values of other subjects than the event', () => {
  const team = randomTeamId();

  beforeAll(async () => {
    const visit = (who: string, day: number, session: string, group: string): WorldEvent => ({
      at: `2025-01-0${day} 10:00:00`,
      who,
      event: 'view',
      session,
      groups: { 1: group },
      person: { tier: who === 'ann' ? 'gold' : '' },
      properties: { $current_url: `https://x.example/${session}`, utm_source: session },
    });
    const group = (group_key: string, size: string) => ({
      team_id: team,
      group_type_index: 1,
      group_key,
      created_at: '2025-01-01 00:00:00',
      updated_at: '2025-01-01 00:00:00',
      is_deleted: false,
      version: 1,
      properties_text: JSON.stringify({ size }),
      properties: { size },
    });
    await tenant.insert({
      ...rowsOfWorld(team, {
        events: [
          visit('ann', 6, 's1', 'g1'),
          visit('ann', 7, 's1', 'g2'),
          visit('bob', 8, '', 'g3'),
          visit('bob', 9, 's2', ''),
        ],
      }),
      groups: [group('g1', 'large'), group('g2', 'large'), group('g3', '')],
    });
  });

  test.each([
    [
      'group',
      { breakdown: 'size', breakdown_type: 'group', breakdown_group_type_index: 1 },
      [
        ['large', 2],
        [null, 2],
      ],
    ],
    [
      'person',
      { breakdown: 'tier', breakdown_type: 'person' },
      [
        ['gold', 2],
        [null, 2],
      ],
    ],
    [
      'session',
      { breakdown: '$entry_utm_source', breakdown_type: 'session' },
      [
        ['s1', 2],
        ['s2', 1],
        [null, 1],
      ],
    ],
    ['session', { breakdown: '$is_bounce', breakdown_type: 'session' }, [[null, 4]]],
    [
      'column',
      { breakdown: '$group_1', breakdown_type: 'event_metadata' },
      [
        ['g1', 1],
        ['g2', 1],
        ['g3', 1],
        [null, 1],
      ],
    ],
    [
      'expression',
      { breakdown: "if(person.properties.tier = 'gold', 'A', NULL)", breakdown_type: 'hogql' },
      [
        ['A', 2],
        [null, 2],
      ],
    ],
    [
      'condition',
      { breakdown: 'toDayOfMonth(timestamp) > 7', breakdown_type: 'hogql' },
      [
        ['0', 2],
        ['1', 2],
      ],
    ],
  ])('%s %j', async (_, breakdownFilter, expected) => {
    const results = resultsOf(await runTrends(team, { breakdownFilter }));
    expect(results.map(({ breakdown_value, count }) => [breakdown_value, count])).toEqual(expected);
  });
});
