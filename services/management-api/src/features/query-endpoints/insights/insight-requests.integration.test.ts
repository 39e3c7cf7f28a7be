import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Route } from '@millrace/http/define-route.ts';
import { insightKinds } from '../../../queries/insights/insight-kinds.ts';
import { typicalDefinitions } from '../../../queries/insights/testing/typical-definitions.ts';
import { rowsOfWorld } from '../../../queries/insights/testing/world.ts';
import { w1, w2 } from '../../../queries/insights/testing/worked-worlds.ts';
import { routes } from '../../../routes.ts';
import { someValues } from '../../../test/describe-field-values.ts';
import { createRouteSender, type SendToRoute } from '../../../test/route-sender.ts';
import { misfits, withValue } from '../../../test/schema-values.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// The requests of route-requests.integration.test.ts have a query of SQL. These have one of each kind of insight; every reply must be as it is
// documented for its route.
let api: TestApi;
let acme: Seed;
let send: SendToRoute;

beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  send = createRouteSender(api, acme);
  for (const [table, values] of Object.entries(rowsOfWorld(acme.projectId, { events: [...w1, ...w2] })))
    if (values.length > 0) await api.writer.insert({ table: `analytics.${table}`, format: 'JSONEachRow', values });
});
afterAll(() => api?.stop());

function routeOf(operationId: string): Route {
  const route = routes.find((one) => one.operationId === operationId);
  if (route === undefined) throw new Error(`there is no operation ${operationId}`);
  return route;
}

const kinds = [...insightKinds.values()].map((kind) => [kind.kind, kind] as const);
const typicalOf = (kind: string) => ({ kind, ...typicalDefinitions[kind] });

describe.each(kinds)('%s', (name, { schema }) => {
  const query = typicalOf(name);
  const params = { name: `of-${name.toLowerCase()}` };

  test('is saved, shown, changed, run and asked as documented', async () => {
    const { key } = acme;
    const statuses: Record<string, number> = {};
    const ask = async (operationId: string, more: Omit<Parameters<SendToRoute>[1], 'key'> = {}) => {
      const { status, body } = await send(routeOf(operationId), { key, params, ...more });
      statuses[operationId] = status;
      return body;
    };
    await ask('create_endpoint', { body: { name: params.name, query } });
    await ask('retrieve_endpoint');
    await ask('update_endpoint', { body: { query: { ...query, samplingFactor: 1 } } });
    await ask('list_endpoint_versions');
    const asked = await ask('run_query', { body: { query } });
    const run = await ask('run_endpoint', { body: { debug: true } });
    const byGet = await ask('run_endpoint_by_get');
    await ask('retrieve_endpoint_document');
    expect([...new Set(Object.values(statuses))].sort()).toEqual([200, 201]);
    expect(run.results).toEqual(asked.results);
    expect(byGet.results).toEqual(asked.results);
    expect(asked.results.length).toBeGreaterThan(0);
  });

  test('every field, nested ones too, with values that do not fit: 400 on the query', async () => {
    let fields = 0;
    for (const { path, values } of misfits(schema))
      // Null is the same as a field that is not given.
      for (const value of someValues(values, fields++).filter((one) => one !== null)) {
        const body = { query: withValue(schema, query, path, value) };
        const response = await send(routeOf('run_query'), { key: acme.key, body });
        expect([path, value, response.status, response.body.attr]).toEqual([path, value, 400, 'query']);
      }
    expect(fields).toBeGreaterThan(10);
  });
});
