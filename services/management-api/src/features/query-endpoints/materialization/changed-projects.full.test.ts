import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// A table is made of a project's settings too. It never answers a run under other ones (contract/endpoints 6.5).
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());

interface Body extends Record<string, unknown> {
  results: unknown[][];
  path: string;
}

const send = (seed: Seed, method: 'get' | 'post' | 'patch', path: string, body: object = {}) =>
  api.as(seed.key).send<Body>(method, `/api/projects/${seed.projectId}${path}`).send(body);

/** A project with events of two people near the end of a day in UTC, and a materialized endpoint with its table. */
async function projectWith(
  query: string,
  more: object = {},
): Promise<{ seed: Seed; run: () => Promise<[string, unknown[][]]> }> {
  const seed = await api.seed('Acme');
  await api.insertEvents(
    ['own@acme.com', 'a@example.com', 'b@example.com'].map((email) => ({
      team_id: seed.projectId,
      event: 'paid',
      timestamp: '2026-01-02 20:00:00.000000',
      properties: { email, price: '5.0' },
    })),
  );
  const definition = {
    kind: 'HogQLQuery',
    query,
    variables: { event: { code_name: 'event', value: 'paid' } },
    ...more,
  };
  const made = await send(seed, 'post', '/endpoints', { name: 'stored', query: definition, is_materialized: true });
  expect([made.status, made.body]).toEqual([201, made.body]);
  const run = async (): Promise<[string, unknown[][]]> => {
    const body = { variables: { event: 'paid' }, debug: true };
    const ran = await send(seed, 'post', '/endpoints/stored/run', body);
    expect([ran.status, ran.body]).toEqual([200, ran.body]);
    return [ran.body.path, ran.body.results];
  };
  // The first build of a process may take longer than its request waits.
  await eventually(async () => expect((await run())[0]).toBe('materialized'), { deadlineMs: 20_000 });
  return { seed, run };
}

const builtAgain = (run: () => Promise<unknown>, expected: unknown): Promise<void> =>
  eventually(async () => expect(await run()).toEqual(expected), { deadlineMs: 20_000 });

test('another time zone: the query runs, and the table is built of its days', async () => {
  const { seed, run } = await projectWith(
    'SELECT toDate(timestamp) AS day, count() AS total FROM events WHERE event = {variables.event} GROUP BY day',
  );
  expect(await run()).toEqual(['materialized', [['2026-01-02', 3]]]);
  expect((await send(seed, 'patch', '', { timezone: 'Asia/Tokyo' })).status).toBe(200);
  const first = await run();
  expect(first).toEqual(['inline', [['2026-01-03', 3]]]);
  await builtAgain(run, ['materialized', [['2026-01-03', 3]]]);
});

test('another filter of test accounts: the query runs, and the table is built of whom it leaves', async () => {
  const { seed, run } = await projectWith(
    'SELECT count() AS total FROM events WHERE {filters} AND event = {variables.event}',
    { filters: { filterTestAccounts: true } },
  );
  expect(await run()).toEqual(['materialized', [[3]]]);
  const filters = [{ key: 'email', value: 'acme.com', operator: 'not_icontains', type: 'event' }];
  expect((await send(seed, 'patch', '', { test_account_filters: filters })).status).toBe(200);
  expect(await run()).toEqual(['inline', [[2]]]);
  await builtAgain(run, ['materialized', [[2]]]);
});

test('another filter of test accounts leaves the table of a query without it', async () => {
  const { seed, run } = await projectWith('SELECT count() AS total FROM events WHERE event = {variables.event}');
  const filters = [{ key: 'email', value: 'acme.com', operator: 'not_icontains', type: 'event' }];
  expect((await send(seed, 'patch', '', { test_account_filters: filters })).status).toBe(200);
  expect(await run()).toEqual(['materialized', [[3]]]);
});

test('a property that got another type leaves version and table with theirs', async () => {
  const { seed, run } = await projectWith(
    "SELECT count() AS total FROM events WHERE event = {variables.event} AND properties.price = '5'",
  );
  expect(await run()).toEqual(['materialized', [[0]]]);
  const times = { firstSeenAt: new Date(), lastSeenAt: new Date() };
  await api.prisma.propertyDefinition.create({
    data: { projectId: seed.projectId, type: 'event', name: 'price', propertyType: 'Numeric', ...times },
  });
  expect(await run()).toEqual(['materialized', [[0]]]);
});
