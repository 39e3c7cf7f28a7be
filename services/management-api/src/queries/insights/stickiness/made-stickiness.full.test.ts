import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { actorOf, madeFilters, madeWorld, pick, seeded, type MadeWorld } from '../testing/actor-world.ts';
import { runInsight } from '../testing/run-insight.ts';
import { insertWorlds } from '../testing/insert-worlds.ts';
import { stickiness } from './stickiness.ts';
import { referenceStickiness, type StickinessCase } from './testing/reference-stickiness.ts';

const worlds = Array.from({ length: 16 }, (_, seed) => ({
  seed,
  teamId: randomTeamId(),
  world: madeWorld(101 + seed),
}));

let tenant: TestTenant;
beforeAll(async () => {
  tenant = await openTenant();
  await insertWorlds(tenant, worlds);
});
afterAll(() => tenant?.close());

interface MadeSeries {
  node: object;
  asked: Pick<StickinessCase, 'event' | 'holds' | 'actorOf'>;
}

function madeSeries(random: () => number, world: MadeWorld): MadeSeries {
  const condition = random() < 0.5 ? pick(random, madeFilters) : undefined;
  const event = pick(random, ['view', 'buy', "it's ✓", null]);
  const actors: readonly { math: object; actorOf: StickinessCase['actorOf'] }[] = [
    { math: { math: pick(random, ['total', 'dau', null]) }, actorOf: (one) => actorOf(world, one, undefined) },
    { math: { math: 'unique_group', math_group_type_index: 1 }, actorOf: (one) => actorOf(world, one, 1) },
    {
      math: { math: 'hogql', math_hogql: 'properties.plan' },
      actorOf: ({ properties }) => (properties?.['plan'] as string | undefined) ?? null,
    },
  ];
  const actor = pick(random, actors);
  return {
    node: { kind: 'EventsNode', event, properties: condition && [condition.filter], ...actor.math },
    asked: { event, holds: condition?.holds ?? (() => true), actorOf: actor.actorOf },
  };
}

describe('made stickiness is that of loops over all events (contract/insights 9)', () => {
  test.each(worlds)('world $seed', async ({ seed, teamId, world }) => {
    const random = seeded(1_000 + seed);
    for (const unit of ['hour', 'day', 'week', 'month'] as const) {
      const series = Array.from({ length: 1 + Math.floor(random() * 3) }, () => madeSeries(random, world));
      const cumulative = random() < 0.4;
      const value = 1 + Math.floor(random() * 2);
      const criteria = pick(random, [
        { given: undefined, isEnough: (events: number) => events > 0 },
        { given: { operator: 'gte', value }, isEnough: (events: number) => events >= value },
        { given: { operator: 'lte', value }, isEnough: (events: number) => events <= value },
        { given: { operator: 'exact', value }, isEnough: (events: number) => events === value },
      ]);
      const { dateRange, timeZone, nowMs } = world;
      const definition = {
        series: series.map(({ node }) => node),
        interval: unit,
        dateRange,
        compareFilter: { compare: true },
        stickinessFilter: {
          computedAs: cumulative ? 'cumulative' : 'non_cumulative',
          stickinessCriteria: criteria.given,
        },
      };
      const { results } = await runInsight(tenant, teamId, stickiness, definition, { timeZone, nowMs });
      const answered = (results as { data: number[]; count: number }[]).map(({ data, count }) => ({ data, count }));
      const expected = series.flatMap(({ asked }) =>
        referenceStickiness(world, { ...asked, unit, isEnough: criteria.isEnough, cumulative }),
      );
      expect([definition, answered]).toEqual([definition, expected]);
    }
  });
});
