import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { runInsight } from '../testing/run-insight.ts';
import { w1 } from '../testing/worked-worlds.ts';
import { rowsOfWorld } from '../testing/world.ts';
import { lifecycle } from './lifecycle.ts';

let tenant: TestTenant;
beforeAll(async () => {
  tenant = await openTenant();
  await tenant.insert(rowsOfWorld(81, { events: w1 }));
});
afterAll(() => tenant?.close());

const dateRange = { date_from: '2025-01-06', date_to: '2025-01-10' };

describe('LifecycleQuery', () => {
  test('worked example (contract/insights 8.3)', async () => {
    const series = [{ kind: 'EventsNode', event: 'view' }];
    const { results } = await runInsight(tenant, 81, lifecycle, { series, dateRange });
    const days = ['2025-01-06', '2025-01-07', '2025-01-08', '2025-01-09', '2025-01-10'];
    const labels = ['6-Jan-2025', '7-Jan-2025', '8-Jan-2025', '9-Jan-2025', '10-Jan-2025'];
    const action = { id: 'view', name: 'view', type: 'events', order: 0, math: 'total' };
    const more = { action, days, labels };
    expect(results).toEqual([
      { status: 'new', label: 'view - new', data: [2, 1, 0, 0, 0], count: 3, ...more },
      { status: 'returning', label: 'view - returning', data: [0, 1, 0, 0, 0], count: 1, ...more },
      { status: 'resurrecting', label: 'view - resurrecting', data: [0, 0, 1, 2, 1], count: 4, ...more },
      { status: 'dormant', label: 'view - dormant', data: [0, -1, -2, -1, -2], count: -6, ...more },
    ]);
  });
});
