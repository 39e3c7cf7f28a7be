import type { ProjectNames } from '../../../queries/schema/project-names.ts';
import { noNames } from '@millrace/query-language/schema/learned-names.ts';
import { describe, expect, jest, test } from '@jest/globals';
import { createConcurrencyLimiter, type ConcurrencyLimiter } from '../../../queries/limits/concurrency-limiter.ts';
import { isKeyShareFull, type ConcurrencyLimits } from '../../../queries/limits/shares.ts';
import { prepareEndpointQuery } from '../../../queries/compile/compile-query.ts';
import type { TenantEngine } from '../../../queries/execute/tenant-engine.ts';
import { compactAnswer } from '../../../test/engine-answers.ts';
import { heldSlot } from '../../../test/held-slot.ts';
import { cacheKey } from './cache-key.ts';
import { getOrComputeResult, type GoodRun } from './get-or-compute-result.ts';
import { createMemoryResultCache } from '../../../queries/cache/result-cache.ts';
import { createSingleFlight } from '../../../queries/cache/single-flight.ts';

const answer = compactAnswer(1);

const knowsNothing: ProjectNames = {
  of: () => Promise.resolve(noNames),
  newest: () => Promise.resolve(noNames),
  haveCome: () => Promise.resolve(false),
  invalidate: () => undefined,
};

const run = (keyId: string): GoodRun => ({
  teamId: 1,
  organizationId: 'o',
  keyId,
  executionId: 'e',
  signal: new AbortController().signal,
  values: {},
  queryContext: { timeZone: 'UTC', testAccounts: [] },
  prepared: prepareEndpointQuery('SELECT 1', [], {}),
  request: { limit: undefined, offset: undefined, refresh: 'cache' },
  readTable: undefined,
  onPath: () => undefined,
  version: {
    id: 'v',
    version: 1,
    query: {},
    propertyTypes: {},
    bucketOverrides: null,
    isActive: true,
    createdAt: new Date(0),
    optionalBreakdownProperties: [],
    dataFreshnessSeconds: 60,
    materialization: null,
  },
});

/** Takes slots, and returns rows without an engine. The slot comes a turn later, as it does with Redis. */
const engineOver = (slots: ConcurrencyLimiter): Pick<TenantEngine, 'run'> => ({
  run: async ({ teamId, keyId, signal, wait }) => {
    await new Promise((resolve) => setImmediate(resolve));
    return await slots.run({ projectId: teamId, keyId }, () => Promise.resolve(answer), { signal, wait });
  },
});

/** Outcomes of the same run by all these keys at a time while `busy` holds a slot, and the number of attempts at a slot. */
async function served(limits: ConcurrencyLimits, keyIds: readonly string[], waitMsMax = 0) {
  const slots = createConcurrencyLimiter(limits, { counted: 'queries', waitMsMax });
  const held = heldSlot();
  const running = slots.run({ projectId: 1, keyId: 'busy' }, held.work);
  const asked = jest.spyOn(slots, 'run');
  const parts = {
    results: createMemoryResultCache(1_000_000),
    computations: createSingleFlight<never>(isKeyShareFull),
    tenantEngine: engineOver(slots) as TenantEngine,
    projectNames: knowsNothing,
    resultRowsMax: 10,
    clock: { nowMs: () => 0 },
    brokenTables: { report: () => undefined },
  };
  const outcomes = await Promise.allSettled(keyIds.map((keyId) => getOrComputeResult(parts, run(keyId))));
  held.end();
  await running;
  return { outcomes, asked: asked.mock.calls.length };
}

describe('concurrent runs of the same query (contract/endpoints 4.7)', () => {
  test.each([
    ['when nothing waits', 0],
    ['when they wait for their turn: nobody waits with the key of another', 600_000],
  ])('are not refused because of the limit of the first key, %s', async (_when, waitMsMax) => {
    const { outcomes } = await served(
      { max: 10, perOrganizationMax: 99, perProjectMax: 10, perKeyMax: 1 },
      ['busy', 'free', 'busy'],
      waitMsMax,
    );
    expect(outcomes).toMatchObject(
      Array(3).fill({ status: 'fulfilled', value: { isCached: false, result: { result: { rowCount: 1 } } } }),
    );
  });

  test('are refused together when their project has no slot left: none of them starts again', async () => {
    const { outcomes, asked } = await served({ max: 10, perOrganizationMax: 99, perProjectMax: 1, perKeyMax: 10 }, [
      'a',
      'b',
      'c',
      'd',
    ]);
    expect(outcomes).toMatchObject(Array(4).fill({ status: 'rejected', reason: { code: 'throttled', status: 429 } }));
    expect(asked).toBe(1);
  });
});

describe('the result of a run', () => {
  test('is cached for the freshness of its version, and no longer', async () => {
    const stored: object[] = [];
    const results = {
      get: () => undefined,
      set: (_key: string, _stored: object, options: object) => void stored.push(options),
    };
    const parts = {
      results,
      computations: createSingleFlight<never>(),
      tenantEngine: { run: () => Promise.resolve(answer) } as unknown as TenantEngine,
      projectNames: knowsNothing,
      resultRowsMax: 10,
      clock: { nowMs: () => 0 },
      brokenTables: { report: () => undefined },
    };
    await getOrComputeResult(parts, run('k'));
    await getOrComputeResult(parts, {
      ...run('k'),
      request: { limit: undefined, offset: undefined, refresh: 'force' },
    });
    expect(stored).toEqual(Array(2).fill({ ttlMs: 60_000, organizationId: 'o' }));
  });

  const identity = {
    versionId: 'v',
    values: { a: 1, b: null },
    limit: 5,
    offset: 0,
    asObjects: false,
    queryContext: { timeZone: 'UTC', testAccounts: [] },
  };

  test.each([
    { versionId: 'w' },
    { values: { a: 1 } },
    { values: { a: '1', b: null } },
    { values: { a: null, b: 1 } },
    { limit: undefined },
    { limit: 0, offset: 5 },
    { offset: 1 },
    { asObjects: true },
    { queryContext: { timeZone: 'Asia/Tokyo', testAccounts: [] } },
    { queryContext: { timeZone: 'UTC', testAccounts: [{ key: 'email' }] } },
  ])('is not used for a run with %j', (other) => {
    expect(cacheKey({ ...identity })).toBe(cacheKey(identity));
    expect(cacheKey({ ...identity, ...other })).not.toBe(cacheKey(identity));
  });
});
