import { prepareStatement } from '@millrace/query-language/compile.ts';
import { buildRetention } from '@millrace/query-language/insights/retention/build-retention.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { runInsight, type RunOptions } from '../testing/run-insight.ts';
import { w1 } from '../testing/worked-worlds.ts';
import { insertWorlds } from '../testing/insert-worlds.ts';
import type { WorldEvent } from '../testing/world.ts';
import { checkedDefinition } from '../definition/checked-definition.ts';
import type { Row } from '../insight-kind.ts';
import { readRetention } from './read-retention.ts';
import { retentionSchema, type RetentionDefinition } from './retention-schema.ts';
import { retention } from './retention.ts';
import { shapeRetention } from './shape-retention.ts';

const twice: readonly WorldEvent[] = [
  // A day of 25 hours in New York.
  '2025-11-02 04:10:00',
  '2025-11-03 04:20:00',
  '2025-11-04 04:00:00',
  '2025-11-04 04:09:59.999999',
].map((at) => ({ at, who: 'ann', event: 'view' }));

const [ofW1, ofTwice] = [randomTeamId(), randomTeamId()];
let tenant: TestTenant;
beforeAll(async () => {
  tenant = await openTenant();
  await insertWorlds(tenant, [
    { teamId: ofW1, world: { events: w1 } },
    { teamId: ofTwice, world: { events: twice } },
  ]);
});
afterAll(() => tenant?.close());

const dateRange = { date_from: '2025-01-06', date_to: '2025-01-10' };
const view = { id: 'view', type: 'events' };
const base = { targetEntity: view, returningEntity: view, period: 'Day', totalIntervals: 3 };

type Results = {
  label: string;
  date: string;
  values: { count: number; label: string }[];
  breakdown_value: string | null;
}[];

async function runRetention(
  filter: object,
  more: object = {},
  teamId = ofW1,
  options: RunOptions = {},
): Promise<Results> {
  const definition = { retentionFilter: { ...base, ...filter }, dateRange, ...more };
  return (await runInsight(tenant, teamId, retention, definition, options)).results as Results;
}

const counts = (results: Results): number[][] => results.map(({ values }) => values.map(({ count }) => count));

describe('RetentionQuery', () => {
  test('worked example, recurring (contract/insights 7.5)', async () => {
    const results = await runRetention({});
    expect(counts(results)).toEqual([
      [2, 1, 1],
      [2, 0, 2],
      [1, 0, 0],
      [2, 0, 0],
      [1, 0, 0],
    ]);
    expect(results[1]).toEqual({
      label: 'Day 1',
      date: '2025-01-07T00:00:00Z',
      values: [
        { count: 2, label: 'Day 0' },
        { count: 0, label: 'Day 1' },
        { count: 2, label: 'Day 2' },
      ],
      breakdown_value: null,
    });
  });

  test('worked example, first time (contract/insights 7.5)', async () => {
    expect(counts(await runRetention({ retentionType: 'retention_first_time' }))).toEqual([
      [2, 1, 1],
      [1, 0, 1],
      [0, 0, 0],
      [0, 0, 0],
      [1, 0, 0],
    ]);
  });

  test('windows of 24 hours end with the range, and need as many events as the definition says (7.2, 7.3)', async () => {
    const windows = { timeWindowMode: '24_hour_windows' };
    const inZone = { timeZone: 'America/New_York', nowMs: Date.UTC(2025, 11, 1) };
    const rangeOf = (to: string) => ({ dateRange: { date_from: '2025-11-02', date_to: to } });
    expect(counts(await runRetention(windows, rangeOf('2025-11-02'), ofTwice, inZone))).toEqual([[1, 0, 0]]);
    const dayBefore = { dateRange: { date_from: '2025-11-01', date_to: '2025-11-02' } };
    expect(counts(await runRetention(windows, dayBefore, ofTwice, inZone))[1]).toEqual([1, 0, 0]);
    expect(counts(await runRetention(windows, rangeOf('2025-11-03'), ofTwice, inZone))).toEqual([
      [1, 1, 0],
      [1, 0, 0],
    ]);
    const more = { ...windows, minimumOccurrences: 3 };
    expect(counts(await runRetention(more, rangeOf('2025-11-03'), ofTwice, inZone))[0]).toEqual([1, 1, 0]);
    const most = { ...windows, minimumOccurrences: 4 };
    expect(counts(await runRetention(most, rangeOf('2025-11-03'), ofTwice, inZone))[0]).toEqual([1, 0, 0]);
  });

  test('blocks of a breakdown are in the order of their size, and those beyond the limit are Other (7.4, 5.5)', async () => {
    const definition = { retentionFilter: base, dateRange, breakdownFilter: { breakdown: 'plan' } };
    const checked = checkedDefinition(
      { kind: 'RetentionQuery', ...definition },
      retentionSchema,
    ) as RetentionDefinition;
    const context = { nowMs: Date.UTC(2025, 0, 20), timeZone: 'UTC', testAccounts: [] };
    const { plan, span } = readRetention(checked, context);
    const statement = buildRetention({ ...plan, breakdownValuesMax: 2 });
    const { sql, params } = prepareStatement(statement).print({ timeZone: 'UTC' }, { rowsMax: 100 });
    const text = await tenant.send(ofW1, { sql: `${sql}\nFORMAT JSONCompact`, params });
    const looks = { filter: checked.retentionFilter, span, values: plan.values, timeZone: 'UTC' };
    const { results, hasMore } = shapeRetention((JSON.parse(text) as { data: Row[] }).data, looks);
    const all = await runRetention({}, { breakdownFilter: { breakdown: 'plan' } });
    const of = (some: Results, value: string | null) => counts(some.filter((row) => row.breakdown_value === value));
    expect([...new Set(all.map((row) => row.breakdown_value))]).toEqual(['pro', 'free', null, 'team']);
    expect([...new Set((results as Results).map((row) => row.breakdown_value))]).toEqual(['pro', 'free', 'Other']);
    expect(hasMore).toBe(true);
    expect(of(results as Results, 'pro')).toEqual(of(all, 'pro'));
    const [none, team] = [of(all, null), of(all, 'team')];
    expect(of(results as Results, 'Other')).toEqual(
      none.map((row, day) => row.map((count, at) => count + (team[day]?.[at] ?? 0))),
    );
  });

  test('a histogram breaks down by bins of the numbers (5.5)', async () => {
    const breakdownFilter = { breakdown: 'n', breakdown_histogram_bin_count: 2 };
    const results = await runRetention({}, { breakdownFilter });
    expect([...new Set(results.map((row) => row.breakdown_value))]).toEqual(['[1,5.5]', '[5.5,10.01]']);
    expect(counts(results.slice(0, 5))).toEqual([
      [1, 0, 0],
      [2, 0, 1],
      [0, 0, 0],
      [1, 0, 0],
      [1, 0, 0],
    ]);
  });

  test('another project sees nothing of it', async () => {
    expect((await runRetention({}, {}, 73)).flatMap(({ values }) => values.map(({ count }) => count))).toEqual(
      Array.from({ length: 15 }, () => 0),
    );
    expect(await runRetention({}, { breakdownFilter: { breakdown: 'plan' } }, 73)).toEqual([]);
  });
});
