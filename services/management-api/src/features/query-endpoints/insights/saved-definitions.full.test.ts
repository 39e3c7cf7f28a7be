import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rowsOfWorld } from '../../../queries/insights/testing/world.ts';
import { w1, w2 } from '../../../queries/insights/testing/worked-worlds.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import { appDefinitions } from '../../../queries/insights/testing/app-definitions.ts';
import { savedDefinitions } from './testing/saved-definitions.ts';

// Definitions from PostHog's app, by the paths and with the fields that its CLI and its tools send (contract/clients B9).
let api: TestApi;
let acme: Seed;

beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  for (const [table, values] of Object.entries(rowsOfWorld(acme.projectId, { events: [...w1, ...w2] })))
    if (values.length > 0) await api.writer.insert({ table: `analytics.${table}`, format: 'JSONEachRow', values });
});
afterAll(() => api?.stop());

const send = (method: 'get' | 'post' | 'patch', path: string, body?: object) =>
  body === undefined ? api.as(acme.key).send(method, path) : api.as(acme.key).send(method, path).send(body);
const of = (place: string, path: string): string => `/api/${place}/${acme.projectId}/${path}`;
const definitions = Object.entries(savedDefinitions);

let made = 0;
const nameOf = (): string => `saved-${made++}`;

describe('a definition as the app saves it', () => {
  test.each(definitions)('%s is kept as it is, and runs', async (_, query) => {
    const name = nameOf();
    const created = await send('post', of('projects', 'endpoints/'), { name, query });
    expect([created.status, created.body]).toEqual([201, expect.objectContaining({ query })]);
    const run = await send('post', of('projects', `endpoints/${name}/run/`), { refresh: 'cache' });
    expect(run.status).toBe(200);
    expect(run.body.results?.length).toBeGreaterThan(0);
    // Fields of looks change no number: the definition without them answers the same.
    const { body: bare } = await send('post', of('projects', 'query/'), { query: withoutLooks(query) });
    expect(bare.results).toEqual(run.body.results);
  });

  const cohort = [{ key: 'id', type: 'cohort', value: 3 }];
  test.each(definitions)('%s with a cohort is refused by name', async (_, query) => {
    const reply = await send('post', of('projects', 'endpoints/'), {
      name: nameOf(),
      query: { ...query, properties: cohort },
    });
    expect([reply.status, reply.body]).toEqual([
      400,
      expect.objectContaining({ attr: 'query', detail: expect.stringMatching(/cohort/) }),
    ]);
  });

  const nodes: [node: object, says: RegExp][] = [
    [{ kind: 'ActionsNode', id: 3, name: 'Signed up' }, /query\.series\.0 .*ActionsNode.*write the events and filters/],
    [{ kind: 'DataWarehouseNode', id: 'x', table_name: 'x', id_field: 'id' }, /DataWarehouseNode.*Only events/],
    [{ kind: 'GroupNode', nodes: [], operator: 'OR' }, /GroupNode.*event_metadata/],
  ];
  const withSeries = definitions.filter(([, query]) => 'series' in query);
  test.each(withSeries.flatMap(([name, query]) => nodes.map(([node, says]) => [name, node, query, says] as const)))(
    '%s of %j is refused, with what to write instead',
    async (_name, node, query, says) => {
      const series = [node, ...(query['series'] as object[]).slice(1)];
      const reply = await send('post', of('projects', 'endpoints/'), {
        name: nameOf(),
        query: { ...query, series },
      });
      expect([reply.status, reply.body]).toEqual([
        400,
        expect.objectContaining({ attr: 'query', detail: expect.stringMatching(says) }),
      ]);
    },
  );
});

describe('what was chosen in the app', () => {
  test.each(appDefinitions)('%s: %s runs', async (_kind, _chosen, query) => {
    const reply = await send('post', of('projects', 'query/'), { query });
    expect([reply.status, reply.body]).toEqual([200, expect.objectContaining({ results: expect.anything() })]);
  });
});

function withoutLooks(query: object): object {
  const free = /^(show|hiddenLegend|resultCustomization|aggregationAxis)/;
  const kept = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(kept);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).filter(([name, member]) => member !== null && !free.test(name));
    return Object.fromEntries(members.map(([name, member]) => [name, kept(member)]));
  };
  return kept(query) as object;
}

describe.each(['projects', 'environments'])('what the CLI and the tools send to /api/%s', (place) => {
  const source = (query: object) => ({ kind: 'InsightVizNode', source: query, full: true });

  test.each(definitions)('query: %s', async (_, query) => {
    const body = { query, refresh: 'blocking', client_query_id: crypto.randomUUID() };
    for (const path of ['query', 'query/']) {
      const reply = await send('post', of(place, path), body);
      expect([reply.status, reply.body]).toEqual([
        200,
        expect.objectContaining({ results: expect.anything(), hasMore: false, client_query_id: body.client_query_id }),
      ]);
    }
  });

  test.each(definitions)('endpoint: %s is made, changed, run and deleted', async (_, query) => {
    const name = nameOf();
    const created = await send('post', of(place, 'endpoints/'), { name, query, description: '' });
    expect([created.status, created.body]).toEqual([
      201,
      expect.objectContaining({
        is_active: true,
        endpoint_path: expect.any(String),
        is_materialized: false,
        description: '',
        current_version: 1,
        versions_count: 1,
      }),
    ]);
    const changed = { ...query, dateRange: { date_from: '2025-01-06', date_to: '2025-01-09' } };
    expect((await send('patch', of(place, `endpoints/${name}/`), { query: changed })).body).toMatchObject({
      current_version: 2,
    });
    const run = await send('post', of(place, `endpoints/${name}/run/`), {
      refresh: 'cache',
      client_query_id: crypto.randomUUID(),
    });
    expect([run.status, run.body]).toEqual([200, expect.objectContaining({ endpoint_version: 2, name })]);
    expect((await send('get', of(place, `endpoints/${name}/openapi.json/`))).status).toBe(200);
    expect((await send('patch', of(place, `endpoints/${name}/`), { deleted: true })).status).toBe(200);
    expect((await send('get', of(place, `endpoints/${name}/`))).status).toBe(404);
  });

  test('a query in the node that shows it says what to write', async () => {
    const reply = await send('post', of(place, 'query/'), { query: source(savedDefinitions['trends'] ?? {}) });
    expect(reply.status).toBe(400);
  });

  test.each([
    [{ limit: 5 }, 400, 'limit', /no pages/],
    [{ variables_override: { x: 1 } }, 400, null, /variables/],
    [{ filters_override: { colour: 'red' } }, 400, 'filters_override', /colour/],
    [{ filters_override: { date_from: '2025-01-07' } }, 200, null, null],
    [{ refresh: 'force' }, 200, null, null],
    [{ debug: true }, 200, null, null],
  ])('run with %j', async (body, status, attr, detail) => {
    const name = nameOf();
    await send('post', of(place, 'endpoints/'), { name, query: savedDefinitions['trends'] });
    const reply = await send('post', of(place, `endpoints/${name}/run/`), body);
    expect(reply.status).toBe(status);
    if (detail !== null) expect(reply.body).toMatchObject({ detail: expect.stringMatching(detail) });
    if (attr !== null) expect(reply.body).toMatchObject({ attr });
  });

  test.each([
    ['filters_override', { date_from: '-7d' }, /An insight holds them as its dateRange and properties/],
    ['variables_override', { x: { code_name: 'x', value: 1 } }, /write the values into its filters and its dateRange/],
    ['limit', 5, /Insights have no pages/],
    ['format', 'csv', /The reply is JSON/],
  ])('query beside %s %j is refused, with what to write', async (attr, value, says) => {
    const reply = await send('post', of(place, 'query/'), { query: savedDefinitions['trends'], [attr]: value });
    expect([reply.status, reply.body]).toEqual([
      400,
      expect.objectContaining({ attr, detail: expect.stringMatching(says) }),
    ]);
  });
});
