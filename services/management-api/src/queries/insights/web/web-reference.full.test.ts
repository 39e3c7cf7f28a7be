import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { runInsight } from '../testing/run-insight.ts';
import { rowsOfWorld, type World } from '../testing/world.ts';
import { w1, w2 } from '../testing/worked-worlds.ts';
import {
  referenceOverview,
  referenceTable,
  sessionsOf,
  type ReferenceBreakdown,
  type ReferenceRange,
} from './testing/reference-web.ts';
import { webOverview } from './web-overview.ts';
import { webTable } from './web-table.ts';

const team = randomTeamId();
let tenant: TestTenant;
const worlds: { team: number; world: World }[] = [];

const visit = fc.record({
  seconds: fc.integer({ min: 0, max: 40_000 }),
  who: fc.constantFrom('ann', 'bob', 'cat', 'dee'),
  session: fc.constantFrom('s1', 's2', 's3', 's4', 's5', 's6', ''),
  event: fc.constantFrom('$pageview', '$pageview', '$screen', '$autocapture', 'buy', 'other'),
  path: fc.constantFrom('/', '/x', '/ü "y"', '', null),
  browser: fc.constantFrom('Chrome', "Opera's", null),
  source: fc.constantFrom('news', '', null),
  width: fc.constantFrom(800, '1024', null),
});
const generated = fc.array(visit, { minLength: 1, maxLength: 70 }).map((drawn): World => {
  let ms = Date.UTC(2025, 0, 4);
  const events = drawn.map(({ seconds, who, session, event, path, browser, source, width }, at) => {
    ms += (at % 3 === 0 ? seconds : seconds % 20) * 1_000 + 1;
    const page = path === null ? {} : { $current_url: `https://x.example${path}`, $pathname: path };
    const properties = {
      ...page,
      $browser: browser,
      utm_source: source,
      $viewport_width: width,
      $viewport_height: 600,
    };
    return { at: new Date(ms).toISOString().slice(0, 23).replace('T', ' '), who, session, event, properties };
  });
  return { events, merged: { dee: 'ann' } };
});

beforeAll(async () => {
  tenant = await openTenant();
  worlds.push({ team, world: { events: [...w1, ...w2] } });
  for (const world of fc.sample(generated, { numRuns: 12, seed: 11_000 })) worlds.push({ team: randomTeamId(), world });
  const rows = worlds.map((one) => rowsOfWorld(one.team, one.world));
  const tables = ['events', 'persons', 'person_overrides'] as const;
  await tenant.insert(Object.fromEntries(tables.map((table) => [table, rows.flatMap((one) => one[table] ?? [])])));
});
afterAll(() => tenant?.close());

const dateRange = { date_from: '2025-01-06', date_to: '2025-01-10' };

const range: ReferenceRange = { from: '2025-01-06 00:00:00.000', to: '2025-01-10 23:59:59.999' };
const before: ReferenceRange = { from: '2025-01-01 00:00:00.000', to: '2025-01-05 23:59:59.999' };

describe('generated worlds agree with loops over their events', () => {
  test.each([[undefined], ['buy']])('the overview, compared, with the goal %j', async (goal) => {
    const more = goal === undefined ? {} : { conversionGoal: { customEventName: goal } };
    for (const { team: id, world } of worlds) {
      const definition = { dateRange, properties: [], compareFilter: { compare: true }, ...more };
      const { results } = await runInsight(tenant, id, webOverview, definition);
      const [current, previous] = [range, before].map((each) => referenceOverview(sessionsOf(world, each, goal), goal));
      const items = results as { key: string; value: number | null; previous: number | null }[];
      expect({ id, current: Object.fromEntries(items.map(({ key, value }) => [key, value])) }).toEqual({
        id,
        current: closeTo(current ?? {}),
      });
      expect({ id, previous: Object.fromEntries(items.map((item) => [item.key, item.previous])) }).toEqual({
        id,
        previous: closeTo(previous ?? {}),
      });
    }
  });

  const breakdowns: readonly ReferenceBreakdown[] = [
    'Page',
    'InitialPage',
    'ExitPage',
    'Browser',
    'InitialUTMSource',
    'Viewport',
  ];
  test.each(breakdowns.map((breakdown) => [breakdown]))('the table by %s, compared', async (breakdownBy) => {
    for (const { team: id, world } of worlds) {
      const definition = { dateRange, properties: [], breakdownBy, includeBounceRate: true };
      const compared = { ...definition, compareFilter: { compare: true } };
      const { results } = await runInsight(tenant, id, webTable, compared);
      const [current, previous] = [range, before].map((each) => referenceTable(sessionsOf(world, each), breakdownBy));
      const rows = (results as [unknown, number[], number[], (number | null)[], number, string][]).map(
        ([value, visitors, views, bounces]) => [
          typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
          [visitors[0], views[0], bounces[0]],
          [visitors[1], views[1], bounces[1]],
        ],
      );
      const values = [...new Set([...(current?.keys() ?? []), ...(previous?.keys() ?? [])])];
      const figures = (of: typeof current, value: string | null) => {
        const { visitors = 0, views = 0, bounceRate = null } = of?.get(value) ?? {};
        return [visitors, views, bounceRate === null ? null : expect.closeTo(bounceRate, 9)];
      };
      expect({ id, count: rows.length }).toEqual({ id, count: values.length });
      expect({ id, rows }).toEqual({
        id,
        rows: expect.arrayContaining(values.map((value) => [value, figures(current, value), figures(previous, value)])),
      });
      const sizes = rows.map(
        ([, figures]) => Number((figures as number[])[0]) * 1e6 + Number((figures as number[])[1]),
      );
      expect(sizes).toEqual([...sizes].sort((one, other) => other - one));
    }
  });
});

const closeTo = (figures: Record<string, number | null>): object =>
  Object.fromEntries(
    Object.entries(figures).map(([key, value]) => [key, value === null ? null : expect.closeTo(value, 9)]),
  );
