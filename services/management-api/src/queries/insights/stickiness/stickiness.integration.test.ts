import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { runInsight } from '../testing/run-insight.ts';
import { w1 } from '../testing/worked-worlds.ts';
import { rowsOfWorld } from '../testing/world.ts';
import { stickiness } from './stickiness.ts';

let tenant: TestTenant;
beforeAll(async () => {
  tenant = await openTenant();
  await tenant.insert(rowsOfWorld(91, { events: w1 }));
});
afterAll(() => tenant?.close());

const dateRange = { date_from: '2025-01-06', date_to: '2025-01-10' };
const series = [{ kind: 'EventsNode', event: 'view' }];

describe('StickinessQuery', () => {
  test('worked example (contract/insights 9.3)', async () => {
    const { results } = await runInsight(tenant, 91, stickiness, { series, dateRange });
    expect(results).toEqual([
      {
        action: {
          id: 'view',
          name: 'view',
          type: 'events',
          order: 0,
          custom_name: null,
          math: null,
          math_property: null,
          math_hogql: null,
          math_group_type_index: null,
          properties: {},
          days: [6, 7, 8, 9, 10].map((day) => `2025-01-${String(day).padStart(2, '0')}T00:00:00Z`),
        },
        label: 'view',
        count: 4,
        data: [1, 2, 1, 0, 0],
        days: [1, 2, 3, 4, 5],
        labels: ['1 day', '2 days', '3 days', '4 days', '5 days'],
      },
    ]);
  });
});
