import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { madeFilters, madeWorld, pick, seeded } from '../testing/actor-world.ts';
import { runInsight } from '../testing/run-insight.ts';
import { insertWorlds } from '../testing/insert-worlds.ts';
import { lifecycle } from './lifecycle.ts';
import { referenceLifecycle, type LifecycleCase } from './testing/reference-lifecycle.ts';

const worlds = Array.from({ length: 20 }, (_, seed) => ({ seed, teamId: randomTeamId(), world: madeWorld(seed + 1) }));

let tenant: TestTenant;
beforeAll(async () => {
  tenant = await openTenant();
  await insertWorlds(tenant, worlds);
});
afterAll(() => tenant?.close());

describe('made lifecycles are those of loops over all events (contract/insights 8.1)', () => {
  test.each(worlds)('world $seed', async ({ seed, teamId, world }) => {
    const random = seeded(1_000 + seed);
    for (const unit of ['hour', 'day', 'week', 'month'] as const) {
      const condition = random() < 0.5 ? pick(random, madeFilters) : undefined;
      const asked: LifecycleCase = {
        event: pick(random, ['view', 'buy', null]),
        holds: condition?.holds ?? (() => true),
        unit,
        groupTypeIndex: random() < 0.4 ? 1 : undefined,
      };
      const { dateRange, timeZone, nowMs } = world;
      const definition = {
        series: [{ kind: 'EventsNode', event: asked.event, properties: condition && [condition.filter] }],
        interval: unit,
        dateRange,
        aggregation_group_type_index: asked.groupTypeIndex,
      };
      const { results } = await runInsight(tenant, teamId, lifecycle, definition, { timeZone, nowMs });
      const data = (results as { data: number[] }[]).map((result) => result.data);
      expect([unit, asked, data]).toEqual([unit, asked, referenceLifecycle(world, asked)]);
    }
  });
});
