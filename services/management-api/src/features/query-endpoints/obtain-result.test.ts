import { describe, expect, test } from '@jest/globals';
import { createRunSlots, isOwnShareFull, type RunSlots } from '../../querying/run-slots.ts';
import { prepareEndpointQuery } from '../../querying/compile-query.ts';
import type { TenantEngine } from '../../querying/tenant-engine.ts';
import { heldSlot } from '../../test/held-slot.ts';
import { obtainResult, type GoodRun } from './obtain-result.ts';
import { createMemoryResultCache } from './result-cache.ts';
import { createSharedWork } from './shared-work.ts';

const answer = Buffer.from(`{
	"meta":
	[
		{
			"name": "1",
			"type": "UInt8"
		}
	],

	"data":
	[
		[1]
	],

	"rows": 1,

	"statistics":
	{
		"elapsed": 0.001,
		"rows_read": 1,
		"bytes_read": 1
	}
}
`);

const run = (keyId: string): GoodRun => ({
  teamId: 1, keyId, executionId: 'e', signal: new AbortController().signal, values: {}, surroundings: { timeZone: 'UTC', testAccounts: [] },
  prepared: prepareEndpointQuery('SELECT 1', [], {}),
  request: { limit: undefined, offset: undefined, refresh: 'cache' },
  version: { id: 'v', version: 1, query: {}, isActive: true, createdAt: new Date(0), dataFreshnessSeconds: 60 },
});

/** Takes slots, and answers without an engine. Slots may be counted in Redis, which answers a turn later. */
const engineOver = (slots: RunSlots): Pick<TenantEngine, 'run'> => ({
  run: async ({ teamId, keyId }) => {
    await new Promise((resolve) => setImmediate(resolve));
    return await slots.within({ projectId: teamId, keyId }, () => Promise.resolve(answer));
  },
});

describe('runs that ask the same at a time (contract/endpoints 4.7)', () => {
  test('are not refused for what the key that asked first runs already', async () => {
    const slots = createRunSlots({ max: 10, perProjectMax: 10, perKeyMax: 1 });
    const held = heldSlot();
    const running = slots.within({ projectId: 1, keyId: 'busy' }, held.work);
    const parts = { results: createMemoryResultCache(1_000_000), computations: createSharedWork<never>(isOwnShareFull), tenantEngine: engineOver(slots) as TenantEngine, resultRowsMax: 10, clock: { nowMs: () => 0 } };
    const [refused, answered] = await Promise.allSettled([obtainResult(parts, run('busy')), obtainResult(parts, run('free'))]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'throttled' } });
    expect(answered).toMatchObject({ status: 'fulfilled', value: { isCached: false, result: { result: { rowCount: 1 } } } });
    held.end();
    await running;
  });
});
