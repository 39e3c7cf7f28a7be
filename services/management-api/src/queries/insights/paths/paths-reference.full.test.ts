import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { runInsight } from '../testing/run-insight.ts';
import { rowsOfWorld, type World } from '../testing/world.ts';
import { w1, w2 } from '../testing/worked-worlds.ts';
import { paths } from './paths.ts';
import { referencePaths, type ReferenceFilter } from './testing/reference-paths.ts';

let tenant: TestTenant;
const worlds: { team: number; world: World }[] = [];

const items = ['a', 'b', '$c', 'ü "x"', "it's"] as const;
const pages = ['/', '/x', '/x/', '', null] as const;

/** Each event of a world has a time of its own. */
const event = fc.record({
  minutes: fc.integer({ min: 0, max: 45 }),
  who: fc.constantFrom('ann', 'bob', 'cat', 'dee'),
  event: fc.constantFrom(...items, '$pageview', '$pageview', '$screen'),
  page: fc.constantFrom(...pages),
});
const generated = fc.array(event, { minLength: 1, maxLength: 60 }).map((drawn): World => {
  let ms = Date.UTC(2025, 0, 6);
  const events = drawn.map(({ minutes, who, event: name, page }, at) => {
    ms += minutes * 60_000 + at + 1;
    const key = name === '$screen' ? '$screen_name' : '$current_url';
    return {
      at: new Date(ms).toISOString().slice(0, 23).replace('T', ' '),
      who,
      event: name,
      properties: { [key]: page },
    };
  });
  return { events, merged: { dee: 'ann' } };
});

beforeAll(async () => {
  tenant = await openTenant();
  worlds.push({ team: randomTeamId(), world: { events: [...w1, ...w2] } });
  for (const world of fc.sample(generated, { numRuns: 20, seed: 20_260 })) worlds.push({ team: randomTeamId(), world });
  const rows = worlds.map(({ team, world }) => rowsOfWorld(team, world));
  const tables = ['events', 'persons', 'person_overrides'] as const;
  await tenant.insert(Object.fromEntries(tables.map((table) => [table, rows.flatMap((one) => one[table] ?? [])])));
});
afterAll(() => tenant?.close());

const dateRange = { date_from: '2025-01-06', date_to: '2025-01-10' };
const runPaths = async (pathsFilter: object, team: number) =>
  (await runInsight(tenant, team, paths, { dateRange, pathsFilter })).results;

const filters: readonly ReferenceFilter[] = [
  {},
  { stepLimit: 3 },
  { includeEventTypes: ['$pageview', '$screen'], edgeLimit: 3 },
  { includeEventTypes: ['custom_event'] },
  { excludeEvents: ['a', '/x'] },
  { startPoint: 'a', stepLimit: 4 },
  { endPoint: 'b', stepLimit: 4 },
  { startPoint: 'a', endPoint: 'b', stepLimit: 4 },
  { startPoint: 'a', endPoint: 'a', stepLimit: 5 },
  { startPoint: "it's", stepLimit: 20, edgeLimit: 1_000 },
];

test.each(filters.map((filter) => [filter]))(
  'generated worlds with %j agree with loops over their events',
  async (filter) => {
    for (const { team, world } of worlds)
      expect({ team, results: await runPaths(filter, team) }).toEqual({
        team,
        results: referencePaths(world, filter),
      });
  },
);
