import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { askInsight } from '../testing/ask-insight.ts';
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
const ask = async (pathsFilter: object, more: object = {}, team = worlds[0]?.team ?? 0) =>
  (await askInsight(tenant, team, paths, { dateRange, pathsFilter, ...more })).results;

describe('PathsQuery', () => {
  test('the worked example of contract/insights 10.4', async () => {
    expect(await ask({ includeEventTypes: ['$pageview', 'custom_event'], excludeEvents: ['view', 'buy'] })).toEqual([
      {
        source: '1_https://x.example',
        target: '2_https://x.example/pricing',
        value: 2,
        average_conversion_time: 70_000,
      },
      { source: '2_https://x.example/pricing', target: '3_signed up', value: 1, average_conversion_time: 60_000 },
    ]);
  });

  test('groupings and cleaning rules: the first grouping that is found stands in place of the item', async () => {
    const filter = {
      includeEventTypes: ['$pageview'],
      localPathCleaningFilters: [{ regex: 'https://[a-z.]+', alias: '' }],
      pathGroupings: ['/pri*g'],
    };
    expect(await ask(filter)).toEqual([
      { source: '1_', target: '2_/pri*g', value: 2, average_conversion_time: 70_000 },
    ]);
  });

  test('an expression names the items', async () => {
    const filter = { includeEventTypes: ['hogql'], pathsHogQLExpression: "concat(event, '!')", edgeLimit: 1 };
    expect(await ask(filter)).toEqual([
      { source: '1_$pageview!', target: '2_signed up!', value: 1, average_conversion_time: 60_000 },
    ]);
  });

  test('filters of all kinds of subjects hold for each event', async () => {
    expect(await ask({}, { properties: [{ key: 'plan', value: "x' OR 1=1 --" }] })).toEqual([]);
  });

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
        expect({ team, results: await ask(filter, {}, team) }).toEqual({
          team,
          results: referencePaths(world, filter),
        });
    },
  );

  test.each([
    [{ pathsFilter: { includeEventTypes: ['click'] } }, /query\.pathsFilter\.includeEventTypes\.0.*click/],
    [{ pathsFilter: { includeEventTypes: ['hogql'] } }, /pathsHogQLExpression/],
    [{ pathsFilter: { stepLimit: 21 } }, /query\.pathsFilter\.stepLimit/],
    [{ pathsFilter: { colour: 'red' } }, /query\.pathsFilter\.colour/],
    [{ pathsFilter: {}, series: [] }, /query\.series/],
    [{ pathsFilter: {}, funnelPathsFilter: {} }, /query\.funnelPathsFilter/],
    [{}, /query\.pathsFilter/],
  ])('%j is refused by the name of its field', async (definition, message) => {
    await expect(askInsight(tenant, worlds[0]?.team ?? 0, paths, definition)).rejects.toThrow(message);
  });

  test('a definition as the product saves it is accepted', async () => {
    const saved = {
      dateRange: { ...dateRange, explicitDate: false },
      properties: [],
      filterTestAccounts: false,
      samplingFactor: null,
      aggregation_group_type_index: null,
      funnelPathsFilter: null,
      dataColorTheme: null,
      modifiers: null,
      response: null,
      tags: null,
      version: null,
      pathsFilter: {
        edgeLimit: 50,
        endPoint: null,
        excludeEvents: null,
        includeEventTypes: ['$pageview'],
        localPathCleaningFilters: null,
        maxEdgeWeight: null,
        minEdgeWeight: null,
        pathDropoffKey: null,
        pathEndKey: null,
        pathGroupings: null,
        pathReplacements: null,
        pathStartKey: null,
        pathsHogQLExpression: null,
        showFullUrls: null,
        startPoint: null,
        stepLimit: 5,
      },
    };
    expect((await askInsight(tenant, worlds[0]?.team ?? 0, paths, saved)).results).toHaveLength(1);
  });
});
