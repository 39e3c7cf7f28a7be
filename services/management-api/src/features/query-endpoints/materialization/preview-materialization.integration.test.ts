import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rules } from '@millrace/query-language/materialization/rules/rules.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// Which queries can be materialized, and how, is told before anything is built (contract/endpoints 6.7, 6.8).
let api: TestApi;
let acme: Seed;
let base: string;
let created = 0;

beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  base = `/api/projects/${acme.projectId}/endpoints`;
});
afterAll(() => api?.stop());

const send = (method: 'get' | 'post' | 'patch', path: string, body?: object) => {
  const made = api.as(acme.key).send<Record<string, unknown>>(method, `${base}${path}`);
  return body === undefined ? made : made.send(body);
};

async function create(query: string, values: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const name = `preview-${++created}`;
  const variables = Object.fromEntries(Object.entries(values).map(([id, value]) => [id, { code_name: id, value }]));
  const { status, body } = await send('post', '', { name, query: { kind: 'HogQLQuery', query, variables } });
  expect([status, body]).toEqual([201, expect.anything()]);
  return name;
}

const preview = (name: string, body: object = {}) => send('post', `/${name}/materialization_preview`, body);

const byDay = `SELECT toDate(timestamp) AS day, count() AS total FROM events
  WHERE event = {variables.event} AND timestamp >= {variables.from} AND timestamp < {variables.to}
  GROUP BY day ORDER BY day`;
const window = { event: 'paid', from: '2026-01-01', to: '2026-02-01' };

describe('the preview', () => {
  test('shows the query that fills the table, that of a run, and what becomes of ranges and aggregates', async () => {
    const name = await create(byDay, window);
    const { status, body } = await preview(name);
    expect(status).toBe(200);
    expect(body).toEqual({
      can_materialize: true,
      reason: null,
      reason_code: null,
      transformed_query: expect.stringMatching(/^SELECT .* FROM events GROUP BY /),
      execution_query: expect.stringContaining(`FROM \`${name}_v1\``),
      display_execution_query: expect.stringContaining(`FROM \`${name}\``),
      range_pairs: [{ column: 'timestamp', variables: ['from', 'to'], bucket_fn: 'toStartOfDay' }],
      aggregates: [{ expression: 'total', reaggregate_fn: 'sum' }],
      volatile_functions: [],
      optional_variables: [],
    });
    expect(body['transformed_query']).not.toContain('{variables');
    for (const variable of Object.keys(window)) expect(body['execution_query']).toContain(`{variables.${variable}}`);
  });

  test('takes buckets that it is asked for, and saves nothing', async () => {
    const name = await create(byDay, window);
    const { body } = await preview(name, { bucket_overrides: { timestamp: 'hour', nothing: 'week' } });
    expect(body['range_pairs']).toEqual([
      { column: 'timestamp', variables: ['from', 'to'], bucket_fn: 'toStartOfHour' },
    ]);
    expect((await send('get', `/${name}`)).body).toMatchObject({ bucket_overrides: null, is_materialized: false });
  });

  test.each([['quarter'], [1], [null], ['constructor']])('a bucket %j is 400 on bucket_overrides', async (size) => {
    const { status, body } = await preview(await create('SELECT 1'), { bucket_overrides: { timestamp: size } });
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        attr: 'bucket_overrides',
        detail: expect.stringContaining('minute, fifteen_minutes, hour, day, week, month'),
      }),
    ]);
  });

  test('says which rule refuses a query, with nothing beside it', async () => {
    const name = await create('SELECT count() FROM events WHERE event != {variables.event}', { event: 'paid' });
    expect((await preview(name)).body).toEqual({
      can_materialize: false,
      reason: expect.stringContaining('!='),
      reason_code: 'unsupported_operator',
      transformed_query: null,
      execution_query: null,
      display_execution_query: null,
      range_pairs: [],
      aggregates: [],
      volatile_functions: [],
      optional_variables: [],
    });
  });

  test('names functions whose values would be those of the build', async () => {
    const name = await create('SELECT count() FROM events WHERE timestamp > now() - INTERVAL 7 DAY');
    expect((await preview(name)).body).toMatchObject({ can_materialize: true, volatile_functions: ['now'] });
  });

  test('is of the version that is named, also of an inactive one; another is not found', async () => {
    const name = await create('SELECT 1 AS one');
    await send('patch', `/${name}`, { query: { kind: 'HogQLQuery', query: 'SELECT 2 AS two' } });
    await send('patch', `/${name}`, { version: 1, is_active: false });
    expect((await preview(name, { version: 1 })).body['transformed_query']).toBe('SELECT 1 AS one');
    expect((await preview(name, { version: null })).body['transformed_query']).toBe('SELECT 2 AS two');
    const { status, body } = await preview(name, { version: 7 });
    expect([status, body]).toEqual([
      404,
      expect.objectContaining({ error: expect.stringContaining('Version 7'), current_version: 2 }),
    ]);
  });

  test('of a large query is made in the thread', async () => {
    const where = Array.from({ length: 1_000 }, (_, index) => `event = 'e${index}'`).join(' OR ');
    const name = await create(`SELECT count() FROM events WHERE event = {variables.event} AND (${where})`, {
      event: 'e1',
    });
    expect((await preview(name)).body['can_materialize']).toBe(true);
  });
});

test('docs/contract lists the same rules, in the same order', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../../../docs/contract/endpoints.md'), 'utf8');
  const section = page.slice(page.indexOf('### 6.2 '), page.indexOf('### 6.3 '));
  const listed = [...section.matchAll(/^\| (\d+) \| `(\w+)` \|/gm)].map(([, number, code]) => [Number(number), code]);
  expect(listed).toEqual(Object.values(rules).map(({ number, code }) => [number, code]));
});

test('the conditions name every rule with its code, and what a rewrite must keep', async () => {
  const { status, body } = await send('get', '/materialization_conditions');
  expect(status).toBe(200);
  for (const { code } of Object.values(rules)) expect(body['conditions_source']).toContain(`${code}: `);
  expect(body['conditions_source']).toContain('{variables.<code_name>}');
  expect(body['rewrite_contract']).toContain('{variables.<code_name>}');
});
