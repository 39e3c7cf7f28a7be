import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// A materialized version demands the same variables with its table and without: before the first build, after a change, while it hibernates
// (contract/endpoints 0.5, 4.3).
let api: TestApi;
let acme: Seed;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  await api.insertEvents(
    ['paid', 'paid', 'opened'].map((event) => ({ team_id: acme.projectId, event, properties: { plan: 'pro' } })),
  );
});
afterAll(() => api?.stop());

const send = (method: 'get' | 'post', path: string, body: object = {}) =>
  api.as(acme.key).send<Record<string, unknown>>(method, `/api/projects/${acme.projectId}/endpoints${path}`).send(body);

const query =
  "SELECT count() AS total FROM events WHERE properties.plan = {variables.plan} AND (coalesce({variables.event}, '') = '' OR event = {variables.event})";

test('which variables a run needs does not depend on whether there is a table', async () => {
  const variables = {
    plan: { code_name: 'plan', value: 'pro' },
    event: { code_name: 'event', value: 'paid' },
  };
  const made = await send('post', '', {
    name: 'stored',
    query: { kind: 'HogQLQuery', query, variables },
    is_materialized: true,
  });
  expect(made.status).toBe(201);
  const run = async (given: object) => (await send('post', '/stored/run', { variables: given, debug: true })).body;
  const expectDemands = async (path: string): Promise<void> => {
    await eventually(
      async () => expect(await run({ plan: 'pro', event: 'paid' })).toMatchObject({ results: [[2]], path }),
      {
        deadlineMs: 20_000,
      },
    );
    expect(await run({ plan: 'pro' })).toMatchObject({ results: [[2]], path });
    expect(await run({ plan: 'pro', event: null })).toMatchObject({ results: [[3]], path });
    expect(await run({ event: 'paid' })).toMatchObject({ attr: 'variables', detail: expect.stringContaining('plan') });
    const document = (await send('get', '/stored/openapi.json')).body;
    expect(document).toMatchObject({ components: { schemas: { Variables: { required: ['plan'] } } } });
  };
  await expectDemands('materialized');
  await api.prisma.materialization.updateMany({
    where: { projectId: acme.projectId },
    data: { tableName: null, layout: null, status: 'Modified', nextBuildAt: null },
  });
  await expectDemands('inline');
});
