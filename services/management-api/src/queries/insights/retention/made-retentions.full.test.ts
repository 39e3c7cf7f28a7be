import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { readPeriods } from '../dates/retention-periods.ts';
import { madeFilters, madeWorld, pick, seeded, type MadeWorld } from '../testing/actor-world.ts';
import { runInsight } from '../testing/run-insight.ts';
import { insertWorlds } from '../testing/insert-worlds.ts';
import { retention } from './retention.ts';
import { referenceRetention, type RetentionCase } from './testing/reference-retention.ts';

const worlds = Array.from({ length: 20 }, (_, seed) => ({
  seed,
  teamId: randomTeamId(),
  world: madeWorld(201 + seed),
}));

let tenant: TestTenant;
beforeAll(async () => {
  tenant = await openTenant();
  await insertWorlds(tenant, worlds);
});
afterAll(() => tenant?.close());

const hourMs = 3_600_000;
const windows = { Hour: hourMs, Day: 24 * hourMs, Week: 168 * hourMs, Month: 31 * 24 * hourMs } as const;
type Period = keyof typeof windows;

function madeRole(random: () => number) {
  const condition = random() < 0.4 ? pick(random, madeFilters) : undefined;
  const event = pick(random, ['view', 'view', 'buy', "it's ✓", null]);
  return {
    given: { id: event, type: 'events', properties: condition && [condition.filter] },
    role: { event, holds: condition?.holds ?? (() => true) },
  };
}

function madeRetention(random: () => number, period: Period, { dateRange }: MadeWorld) {
  const start = madeRole(random);
  const returning = random() < 0.4 ? start : madeRole(random);
  const condition = random() < 0.3 ? pick(random, madeFilters) : undefined;
  const mode = pick(random, ['plain', 'windows', 'sum', 'avg']);
  const asked: RetentionCase = {
    start: start.role,
    returning: returning.role,
    holds: condition?.holds ?? (() => true),
    type: pick(random, ['retention_recurring', 'retention_first_time', 'retention_first_ever_occurrence']),
    groupTypeIndex: random() < 0.3 ? 1 : undefined,
    totalIntervals: 1 + Math.floor(random() * 9),
    brackets:
      random() < 0.3 ? Array.from({ length: 1 + Math.floor(random() * 4) }, () => 1 + Math.floor(random() * 3)) : [],
    minimum: random() < 0.5 ? 2 : 1,
    cumulative: mode !== 'windows' && random() < 0.4,
    windowMs: mode === 'windows' ? windows[period] : undefined,
    summed: mode === 'sum' || mode === 'avg' ? 'n' : undefined,
    breakdown: random() < 0.5 ? 'plan' : undefined,
  };
  const definition = {
    dateRange,
    properties: condition && [condition.filter],
    aggregation_group_type_index: asked.groupTypeIndex,
    breakdownFilter:
      asked.breakdown === undefined
        ? undefined
        : pick(random, [{ breakdown: 'plan' }, { breakdowns: [{ property: 'plan' }] }]),
    retentionFilter: {
      targetEntity: start.given,
      returningEntity: returning.given,
      period,
      totalIntervals: asked.totalIntervals,
      retentionType: asked.type,
      cumulative: asked.cumulative,
      minimumOccurrences: asked.minimum,
      retentionCustomBrackets: asked.brackets,
      aggregationType: mode === 'sum' || mode === 'avg' ? mode : 'count',
      aggregationProperty: asked.summed,
      timeWindowMode: mode === 'windows' ? '24_hour_windows' : 'strict_calendar_dates',
    },
  };
  return { asked, definition, mode };
}

interface Result {
  breakdown_value: string | null;
  values: { count: number; aggregation_value?: number }[];
}

describe('made retentions are those of loops over all events (contract/insights 7)', () => {
  test.each(worlds)('world $seed', async ({ seed, teamId, world }) => {
    const random = seeded(1_000 + seed);
    const { dateRange, timeZone, nowMs } = world;
    for (const period of ['Hour', 'Day', 'Day', 'Week', 'Week', 'Month'] as const) {
      const { asked, definition, mode } = madeRetention(random, period, world);
      const { results } = await runInsight(tenant, teamId, retention, definition, { timeZone, nowMs });
      const answered = (results as Result[]).map(({ breakdown_value: value, values }) => [
        value,
        values.map(({ count, aggregation_value: sum }) => (mode === 'sum' || mode === 'avg' ? [count, sum] : [count])),
      ]);
      const unit = period.toLowerCase() as Lowercase<Period>;
      const span = readPeriods(dateRange, { period: unit, totalIntervals: 1, now: { nowMs, timeZone } });
      const shown = ({ count, sum }: { count: number; sum: number }): number[] => {
        if (mode === 'sum') return [count, sum];
        return mode === 'avg' ? [count, count === 0 ? 0 : sum / count] : [count];
      };
      const expected = referenceRetention(world, span, asked).flatMap(({ value, rows }) =>
        rows.map((values) => [value, values.map(shown)]),
      );
      expect([definition, answered]).toEqual([definition, expected]);
    }
  });
});
