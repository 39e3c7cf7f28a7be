import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// A table keeps the series of folded values, which no variable picks (contract/insights 5.5, 13).
let api: TestApi;
let acme: Seed;

const plans = Array.from({ length: 10_004 }, (_, at) => `plan ${at}`);

interface Body extends Record<string, unknown> {
  results: { breakdown_value: string | null }[];
  hasMore: boolean;
}

const send = (method: 'get' | 'post', path: string, body: object = {}) =>
  api.as(acme.key).send<Body>(method, `/api/projects/${acme.projectId}/endpoints${path}`).send(body);

beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  const event = (plan: string | null) => ({
    team_id: acme.projectId,
    event: 'view',
    timestamp: '2025-01-06 10:00:00.000000',
    properties: { plan },
  });
  await api.insertEvents([...plans, 'Other', 'Other', null, null, null].map(event));
});
afterAll(() => api?.stop());

const dateRange = { date_from: '2025-01-06', date_to: '2025-01-06' };
const breakdownFilter = { breakdown: 'plan' };
const trends = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'view' }],
  trendsFilter: { display: 'ActionsTable' },
  breakdownFilter,
  dateRange,
};
const retention = {
  kind: 'RetentionQuery',
  retentionFilter: { targetEntity: { id: 'view' }, returningEntity: { id: 'view' }, totalIntervals: 2 },
  breakdownFilter,
  dateRange,
};

test.each([trends, retention])('a table of %j has the results of the query', async (query) => {
  const name = `folded-${query.kind.toLowerCase()}`;
  const made = { name, query, is_materialized: true, optional_breakdown_properties: ['plan'] };
  expect((await send('post', '', made)).status).toBe(201);
  const status = async () => (await send('get', `/${name}/materialization_status`)).body;
  await eventually(async () => expect(await status()).toMatchObject({ ready: true }), { deadlineMs: 20_000 });
  const run = (body: object) => send('post', `/${name}/run`, { debug: true, ...body });
  const [stored, direct] = [await run({}), await run({ refresh: 'direct' })];
  expect([stored.body['path'], stored.body.hasMore, direct.body.hasMore]).toEqual(['materialized', true, true]);
  expect(stored.body.results.length).toBeGreaterThanOrEqual(10_001);
  expect(JSON.stringify(stored.body.results)).toBe(JSON.stringify(direct.body.results));
  const kept = new Set(stored.body.results.map(({ breakdown_value: value }) => value));
  const folded = plans.filter((plan) => !kept.has(plan));
  expect(folded.length).toBeGreaterThan(3);
  for (const plan of folded)
    expect((await run({ variables: { plan } })).body).toMatchObject({ results: [], path: 'materialized' });
  const other = await run({ variables: { plan: 'Other' } });
  expect(other.body).toMatchObject({ path: 'materialized', hasMore: false });
  expect(JSON.stringify(other.body.results)).toBe(
    JSON.stringify((await run({ variables: { plan: 'Other' }, refresh: 'direct' })).body.results),
  );
});
