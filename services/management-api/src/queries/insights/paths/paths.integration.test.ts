import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { runInsight } from '../testing/run-insight.ts';
import { rowsOfWorld } from '../testing/world.ts';
import { w1, w2 } from '../testing/worked-worlds.ts';
import { paths } from './paths.ts';

let tenant: TestTenant;
const team = randomTeamId();

beforeAll(async () => {
  tenant = await openTenant();
  const { person_overrides: _none, ...rows } = rowsOfWorld(team, { events: [...w1, ...w2] });
  await tenant.insert(rows);
});
afterAll(() => tenant?.close());

const dateRange = { date_from: '2025-01-06', date_to: '2025-01-10' };
const runPaths = async (pathsFilter: object, more: object = {}) =>
  (await runInsight(tenant, team, paths, { dateRange, pathsFilter, ...more })).results;

describe('PathsQuery', () => {
  test('the worked example of contract/insights 10.4', async () => {
    expect(
      await runPaths({ includeEventTypes: ['$pageview', 'custom_event'], excludeEvents: ['view', 'buy'] }),
    ).toEqual([
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
    expect(await runPaths(filter)).toEqual([
      { source: '1_', target: '2_/pri*g', value: 2, average_conversion_time: 70_000 },
    ]);
  });

  test('an expression names the items', async () => {
    const filter = { includeEventTypes: ['hogql'], pathsHogQLExpression: "concat(event, '!')", edgeLimit: 1 };
    expect(await runPaths(filter)).toEqual([
      { source: '1_$pageview!', target: '2_signed up!', value: 1, average_conversion_time: 60_000 },
    ]);
  });

  test('beside an expression the other types of events still say which events are items', async () => {
    const filter = { includeEventTypes: ['hogql', '$pageview'], pathsHogQLExpression: "concat(event, '!')" };
    expect(await runPaths({ ...filter, excludeEvents: ['view!', 'buy!'] })).toEqual([]);
    const named = { ...filter, includeEventTypes: ['hogql', '$pageview', 'custom_event'], edgeLimit: 1 };
    expect(await runPaths(named)).toEqual([
      { source: '1_$pageview!', target: '2_signed up!', value: 1, average_conversion_time: 60_000 },
    ]);
  });

  test('edges of another weight are left out, and those that only they led to', async () => {
    const filter = { includeEventTypes: ['$pageview', 'custom_event'], excludeEvents: ['view', 'buy'] };
    const [heavy, light] = (await runPaths(filter)) as unknown[];
    expect(await runPaths({ ...filter, minEdgeWeight: 1, maxEdgeWeight: 2 })).toEqual([heavy, light]);
    expect(await runPaths({ ...filter, minEdgeWeight: 2 })).toEqual([heavy]);
    expect(await runPaths({ ...filter, maxEdgeWeight: 1 })).toEqual([]);
  });

  test('filters of all kinds of subjects hold for each event', async () => {
    expect(await runPaths({}, { properties: [{ key: 'plan', value: "x' OR 1=1 --" }] })).toEqual([]);
  });

  test.each([
    [{ pathsFilter: { includeEventTypes: ['click'] } }, /query\.pathsFilter\.includeEventTypes\.0.*click/],
    [{ pathsFilter: { includeEventTypes: ['hogql'] } }, /pathsHogQLExpression/],
    [{ pathsFilter: { stepLimit: 21 } }, /query\.pathsFilter\.stepLimit/],
    [{ pathsFilter: { colour: 'red' } }, /query\.pathsFilter\.colour/],
    [{ pathsFilter: {}, series: [] }, /query\.series/],
    [{ pathsFilter: {}, funnelPathsFilter: {} }, /query\.funnelPathsFilter/],
    [{}, /query\.pathsFilter/],
  ])('%j is refused by the name of its field', async (definition, message) => {
    await expect(runInsight(tenant, team, paths, definition)).rejects.toThrow(message);
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
    expect((await runInsight(tenant, team, paths, saved)).results).toHaveLength(1);
  });
});
