import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { runInsight } from '../testing/run-insight.ts';
import { rowsOfWorld } from '../testing/world.ts';
import { w1, w2 } from '../testing/worked-worlds.ts';
import { webOverview } from './web-overview.ts';
import { webTable } from './web-table.ts';

const team = randomTeamId();
let tenant: TestTenant;

beforeAll(async () => {
  tenant = await openTenant();
  const { person_overrides: _none, ...rows } = rowsOfWorld(team, { events: [...w1, ...w2] });
  await tenant.insert(rows);
});
afterAll(() => tenant?.close());

const dateRange = { date_from: '2025-01-06', date_to: '2025-01-10' };

describe('the worked example of contract/insights 11.4', () => {
  test('the overview', async () => {
    const { results } = await runInsight(tenant, team, webOverview, { dateRange, properties: [] });
    const item = (key: string, kind: string, value: number) => ({
      key,
      kind,
      value,
      previous: null,
      changeFromPreviousPct: null,
      isIncreaseBad: key === 'bounce rate' ? true : null,
    });
    expect(results).toEqual([
      item('visitors', 'unit', 3),
      item('views', 'unit', 7),
      item('sessions', 'unit', 4),
      item('session duration', 'duration_s', 50),
      item('bounce rate', 'percentage', 50),
    ]);
  });

  test('the table by page, with bounces of those that entered there', async () => {
    const { results, table, hasMore } = await runInsight(tenant, team, webTable, {
      dateRange,
      properties: [],
      breakdownBy: 'Page',
      includeBounceRate: true,
    });
    expect(results).toEqual([
      ['/pricing', [2, null], [4, null], [1, null], 0.4, ''],
      ['/', [2, null], [2, null], [0, null], 0.4, ''],
      ['/blog', [1, null], [1, null], [1, null], 0.2, ''],
    ]);
    expect({ hasMore, ...table }).toMatchObject({
      hasMore: false,
      limit: 100,
      offset: 0,
      columns: ['breakdown_value', 'visitors', 'views', 'bounce_rate', 'ui_fill_fraction', 'cross_sell'].map(
        (name) => `context.columns.${name}`,
      ),
    });
  });
});

describe('a table', () => {
  const runTable = async (more: object) =>
    await runInsight(tenant, team, webTable, { dateRange, properties: [], breakdownBy: 'Page', ...more });

  test('has its own limit and offset, and an order that goes before the usual one', async () => {
    const { results, hasMore } = await runTable({ limit: 1, offset: 1, orderBy: ['Views', 'ASC'] });
    expect([hasMore, (results as unknown[][]).map(([value]) => value)]).toEqual([true, ['/']]);
  });

  test('of conversions has their columns', async () => {
    const { results, table } = await runTable({
      conversionGoal: { customEventName: 'signed up' },
      breakdownBy: 'InitialPage',
    });
    expect(table?.columns.map((name) => name.replace('context.columns.', ''))).toEqual([
      'breakdown_value',
      'visitors',
      'total_conversions',
      'unique_conversions',
      'conversion_rate',
      'ui_fill_fraction',
      'cross_sell',
    ]);
    expect((results as unknown[])[0]).toEqual(['/', [2, null], [1, null], [1, null], [0.5, null], 0.5, '']);
  });

  test.each([
    [{ breakdownBy: 'Language' }, /query\.breakdownBy.*Language/],
    [{ includeScrollDepth: true }, /query\.includeScrollDepth/],
    [{ conversionGoal: { actionId: 3 } }, /actions do not exist/],
    [{ orderBy: ['ConversionRate', 'ASC'] }, /conversionGoal/],
    [{ limit: 1_001 }, /query\.limit/],
    [{ colour: 1 }, /query\.colour/],
  ])('%j is refused by the name of its field', async (more, message) => {
    await expect(runTable(more)).rejects.toThrow(message);
  });
});

test('the visitor of a session is the person of its first row, also where a table has no value of that row', async () => {
  const id = randomTeamId();
  const page = { session: 's1', event: '$pageview' };
  const events = [
    { ...page, at: '2025-01-06 09:00:00', who: 'ann' },
    { ...page, at: '2025-01-06 09:01:00', who: 'bob', properties: { $pathname: '/x' } },
    { ...page, at: '2025-01-06 10:00:00', who: 'bob', session: 's2', properties: { $pathname: '/x' } },
  ];
  const { person_overrides: _none, ...rows } = rowsOfWorld(id, { events });
  await tenant.insert(rows);
  const { results } = await runInsight(tenant, id, webTable, { dateRange, properties: [], breakdownBy: 'Page' });
  expect(results).toEqual([['/x', [2, null], [2, null], 1, '']]);
});
