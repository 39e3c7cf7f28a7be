import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json as jsonOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from './test/test-api.ts';

// Mistakes of the first hour: each answer says what to write.
let api: TestApi;
let acme: Seed;

beforeAll(async () => {
  api = await startTestApi({ CAPTURE_PUBLIC_URL: 'http://127.0.0.1:8000/' });
  acme = await api.seed('Acme');
  const made = await call(
    'POST',
    'projects/ID/endpoints',
    JSON.stringify({
      name: 'by_plan',
      query: {
        kind: 'HogQLQuery',
        query: 'select {variables.plan}',
        variables: { a: { code_name: 'plan', value: 'free' } },
      },
    }),
  );
  expect(made.status).toBe(201);
});
afterAll(() => api?.stop());

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

async function call(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = { 'content-type': json },
): Promise<{ status: number; detail: string }> {
  const url = `${api.api.url}${path.startsWith('/') ? '' : '/api/'}${path}`.replace(
    'projects/ID',
    `projects/${acme.projectId}`,
  );
  const reply = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${acme.key}`, ...headers },
    ...(body !== undefined && { body }),
  });
  const { detail } = (await reply.json()) as { detail: string };
  return { status: reply.status, detail };
}

describe('an address that is not there is named, with the one that was meant', () => {
  test.each([
    ['POST', '/batch/', 'Events are sent to capture, at http://127.0.0.1:8000/batch/'],
    ['GET', 'projects/', 'Projects are listed at /api/organizations/@current/projects/.'],
    ['GET', 'projects/ID/events/', 'Events are read with SQL: POST /api/projects/ID/query/.'],
    ['GET', 'projects/ID/insights/', 'A query is saved as an endpoint: POST /api/projects/ID/endpoints/.'],
    ['GET', 'projects/ID/feature_flags/', 'Feature flags are not offered.'],
    ['GET', '/dashboard', 'Not found. There is no such address: GET /dashboard'],
    ['POST', 'projects/ID/endpoint/by_plan/run', 'Did you mean /api/projects/ID/endpoints/by_plan/run?'],
    ['POST', 'endpoints/by_plan/run', 'Did you mean /api/projects/@current/endpoints/by_plan/run?'],
    ['POST', 'nothing', 'Endpoint not found. There is no such address: POST /api/nothing'],
    ['POST', 'projects/ID/endpoints/by_plam/run', 'has no endpoint "by_plam". Did you mean "by_plan"?'],
    ['GET', 'projects/PROJECT_ID/endpoints', 'Project not found. Its id is a number, not "PROJECT_ID".'],
    ['GET', 'projects/%3Cid%3E/endpoints', 'Project not found. Its id is a number, not "<id>".'],
    ['GET', 'projects/99/endpoints', 'Project not found.'],
    ['GET', 'organizations/acme/members', 'Organization not found. Its id is a UUID, not "acme".'],
    ['GET', 'projects/ID/insight_variables/abc', 'Not found. This project has no variable with the id "abc".'],
    ['GET', 'personal_api_keys/abc', 'Not found. This key gives access to no key of yours with the id "abc".'],
    ['DELETE', 'projects/ID/endpoints/by_plan/tokens/abc', 'Not found. There is no token id "abc".'],
  ])('%s %s', async (method, path, detail) =>
    expect(await call(method, path, method === 'GET' ? undefined : '{}')).toEqual({
      status: 404,
      detail: expect.stringContaining(detail.replace('projects/ID', `projects/${acme.projectId}`)),
    }),
  );
});

describe('a body that is not what was meant', () => {
  const write = 'Write {"query": {"kind": "HogQLQuery", "query": "SELECT …"}}.';
  const send = 'Send JSON with the header "Content-Type: application/json".';
  const sql = '{"query":{"kind":"HogQLQuery","query":"select 1"}}';
  test.each([
    ['JSON as a form', 'projects/ID/query', sql, 400, send, form],
    [
      'JSON as a form, to a route that ignores what it does not know',
      'PATCH projects/ID',
      '{"name":"B"}',
      400,
      send,
      form,
    ],
    ['JSON as text', 'projects/ID/query', sql, 415, send, 'text/plain'],
    ['a query as a text', 'projects/ID/query', '{"query":"select 1"}', 400, write],
    ['the same of an endpoint', 'projects/ID/endpoints', '{"name":"x","query":"select 1"}', 400, write],
    ['a query without what is around it', 'projects/ID/query', '{"kind":"HogQLQuery","query":"select 1"}', 400, write],
    ['SQL in another field', 'projects/ID/query', '{"sql":"select 1"}', 400, write],
    ['SQL alone', 'projects/ID/query', 'select 1', 400, write],
    ['SQL as JSON', 'projects/ID/query', '"select 1"', 400, write],
    ['no body', 'projects/ID/query', '', 400, write],
    [
      'variables beside others',
      'projects/ID/endpoints/by_plan/run',
      '{"plan":"pro"}',
      400,
      '"plan" is not a known field. If it is a variable, write {"variables": {"plan": …}}.',
    ],
    [
      'the format beside variables',
      'projects/ID/endpoints/by_plan/run',
      '{"format":"csv"}',
      400,
      '"format" is not a known field. Write it in the URL: ?format=csv.',
    ],
    [
      'variables by another name',
      'projects/ID/endpoints/by_plan/run',
      '{"variables_values":{"plan":"pro"}}',
      400,
      '"variables_values" is not a known field. Write {"variables": {"plan": "pro"}}.',
    ],
    [
      'the same of other clients',
      'projects/ID/endpoints/by_plan/run',
      '{"variables_override":{"plan":"pro"}}',
      400,
      'Write {"variables": {"plan": "pro"}}.',
    ],
    [
      'the version by another name',
      'projects/ID/endpoints/by_plan/run',
      '{"endpoint_version":1}',
      400,
      '"endpoint_version" is not a known field. Write version.',
    ],
    [
      'variables as a list',
      'projects/ID/endpoints/by_plan/run',
      '{"variables":[{"plan":"pro"}]}',
      400,
      'Write each with its value: {"variables": {"plan": "pro"}}.',
    ],
    [
      'variables beside the query',
      'projects/ID/query',
      '{"query":{"kind":"HogQLQuery","query":"select 1"},"variables":{"plan":"pro"}}',
      400,
      'Write variables in the query, each with its name: {"query": {',
    ],
    [
      'variables beside the query of an endpoint',
      'projects/ID/endpoints',
      '{"name":"x","query":{"kind":"HogQLQuery","query":"select 1"},"variables":{"plan":"pro"}}',
      400,
      '"variables" is not a known field. Write variables in the query, each with its name: {"query": {',
    ],
    [
      'a variable without its prefix',
      'projects/ID/query',
      '{"query":{"kind":"HogQLQuery","query":"select {plan}","variables":{"1":{"code_name":"plan","value":"pro"}}}}',
      400,
      'No value in query.values for: {plan}. A variable is written {variables.plan}.',
    ],
    [
      'LIMIT beside the SQL',
      'projects/ID/query',
      '{"query":{"kind":"HogQLQuery","query":"select 1","limit":5}}',
      400,
      'query.limit is not a known field. Write LIMIT and OFFSET in the SQL.',
    ],
    [
      'the same of a change',
      'PATCH projects/ID/endpoints/by_plan',
      '{"variables":{"plan":"pro"}}',
      400,
      '"variables" is not a known field. Write variables in the query, each with its name: {"query": {',
    ],
  ])('%s', async (_, target, body, status, detail, type = json) => {
    const [path, method = 'POST'] = target.split(' ').reverse() as [string, string?];
    expect(await call(method, path, body, { 'content-type': type })).toEqual({
      status,
      detail: expect.stringContaining(detail),
    });
  });
});

describe('a field that would have no effect', () => {
  const sql = '"query":{"kind":"HogQLQuery","query":"select 1"}';
  test.each([
    ['personal_api_keys', '{"label":"x","scopes":["project:read"],"projects":[1]}', 'Write scoped_teams.'],
    ['personal_api_keys', '{"label":"x","scopes":["project:read"],"expires":"2100-12-01"}', 'Write expires_at.'],
    ['personal_api_keys', '{"label":"x","scopes":["project:read"],"scoped_team":[1]}', 'Write scoped_teams.'],
    ['projects/ID/endpoints/by_plan/tokens', '{"label":"x","variable":{"plan":"free"}}', 'Write variables.'],
    [
      'projects/ID/endpoints/by_plan/tokens',
      '{"label":"x","variables":{"plam":"free"}}',
      'Unknown variables: plam. Variables here: plan.',
    ],
    ['projects/ID/endpoints/by_plan/tokens', '{"label":"x","rows_maxx":5}', 'Write rows_max.'],
    ['projects/ID/endpoints/by_plan/tokens', '{"label":"x","runs_per_minut":5}', 'Write runs_per_minute.'],
    ['projects/ID/endpoints/by_plan/tokens', '{"label":"x","runs_per_min":5}', 'Write runs_per_minute.'],
    ['projects/ID/endpoints/by_plan/tokens', '{"label":"x","runs_per_hour":5}', 'Write runs_per_minute.'],
    ['projects/ID/endpoints/by_plan/tokens', '{"label":"x","requestsPerSecond":5}', 'Write runs_per_minute.'],
    ['projects/ID/endpoints/by_plan/tokens', '{"label":"x","endpoint_version":1}', 'Write version.'],
    ['projects/ID/endpoints/by_plan/tokens', '{"label":"x","expires":"2100-01-01"}', 'Write expires_at.'],
    ['projects/ID/insight_variables', '{"name":"x","type":"String","default":"a"}', 'Write default_value.'],
    [
      'projects/ID/endpoints',
      '{"name":"x","query":{"kind":"HogQLQuery","query":"select {variables.x}","variables":{"a":{"code_name":"x","default":"a"}}}}',
      '"default" is not a field of variable x. Write value.',
    ],
    ['PATCH projects/ID', '{"is_private":true}', 'Write access_control.'],
    ['PATCH projects/ID', '{"time_zone":"Europe/Berlin"}', 'Write timezone.'],
    ['organizations/@current/projects', '{"name":"P2","timezon":"Europe/Berlin"}', 'Write timezone.'],
    [
      'projects/ID/query',
      `{${sql},"filters":{"dateRange":{"date_from":"-7d"}}}`,
      'Filters belong in the query. Write {',
    ],
    ['projects/ID/query', `{${sql},"filters_override":{"date_from":"-7d"}}`, 'Filters belong in the query. Write {'],
    ['projects/ID/query', `{${sql},"dateRange":{"date_from":"-7d"}}`, 'Filters belong in the query. Write {'],
    ['projects/ID/query', `{${sql},"variables_override":{"plan":"pro"}}`, 'Write variables in the query'],
    ['projects/ID/query', `{${sql},"values":{"plan":"pro"}}`, 'It belongs in the query. Write {'],
    ['projects/ID/query', `{${sql},"limit":5}`, 'Write LIMIT and OFFSET in the SQL.'],
    ['projects/ID/query', `{${sql},"offset":5}`, 'Write LIMIT and OFFSET in the SQL.'],
    ['projects/ID/query?limit=5', `{${sql}}`, 'Write LIMIT and OFFSET in the SQL.'],
    ['projects/ID/query?format=csv', `{${sql}}`, 'save the query as an endpoint'],
  ])('%s %s', async (target, body, detail) => {
    const [path, method = 'POST'] = target.split(' ').reverse() as [string, string?];
    expect(await call(method, path, body)).toEqual({ status: 400, detail: expect.stringContaining(detail) });
  });

  test.each([
    ['projects/ID/query', `{${sql},"filters_override":null,"variables_override":{},"async":false,"limit_context":"x"}`],
    ['PATCH projects/ID', '{"app_urls":[],"session_recording_opt_in":false,"week_start_day":1,"is_demo":false}'],
  ])('what other clients send, and what holds nothing, is ignored: %s %s', async (target, body) => {
    const [path, method = 'POST'] = target.split(' ').reverse() as [string, string?];
    expect((await call(method, path, body)).status).toBe(200);
  });

  test.each([
    ['personal_api_keys', (id: string) => `/api/personal_api_keys/${id}/`],
    ['a project', () => `/api/projects/${acme.projectId}/`],
  ])('a body as it was read is taken back: %s', async (_, pathOf) => {
    const { body: made } = await api
      .as(acme.key)
      .send<{ id: string }>('post', '/api/personal_api_keys/')
      .send({ label: 'Mine', scopes: ['project:read'] });
    const { body: read } = await api.as(acme.key).send<object>('get', pathOf(made.id));
    const change = async (body: object) => (await api.as(acme.key).send('patch', pathOf(made.id)).send(body)).status;
    expect([await change(read), await change({ expiry: null, time_zone: 'UTC' })]).toEqual([200, 400]);
  });
});

describe('a key that is none', () => {
  test.each([
    ['Bearer phx_...', 'It is a placeholder.'],
    ['Bearer phx_…', 'It is a placeholder.'],
    ['Bearer <your-personal-api-key>', 'It is a placeholder.'],
    ['Bearer YOUR_API_KEY', 'It is a placeholder.'],
    ['Bearer phc_abc', 'It is a project token, which can only send events.'],
    ['Bearer phr_abc', 'It is a run token, which can only run one endpoint'],
    ['phx_abc', 'Write the header as "Authorization: Bearer phx_…"'],
    ['Token phx_abc', 'Write the header as "Authorization: Bearer phx_…"'],
  ])('%s', async (authorization, detail) => {
    // As curl sends it: fetch takes Latin-1 for the bytes of a header.
    const sent = Buffer.from(authorization).toString('latin1');
    expect(await call('GET', 'projects/ID/endpoints', undefined, { authorization: sent })).toEqual({
      status: 401,
      detail: expect.stringContaining(detail),
    });
  });

  test.each([
    ['in no place', '', {}],
    ['in another header', '', { 'x-api-key': 'phx_abc' }],
    ['in another parameter', '?api_key=phx_abc', {}],
  ])('%s: the reply says where it is looked for', async (_, query, headers) => {
    const { status, detail } = await call('GET', `projects/ID/endpoints${query}`, undefined, {
      authorization: '',
      ...headers,
    });
    expect([status, detail]).toEqual([
      401,
      expect.stringContaining('Write the header as "Authorization: Bearer phx_…"'),
    ]);
  });

  test('a placeholder of a run token', async () =>
    expect(
      await call('GET', 'projects/ID/endpoints/by_plan/run', undefined, { authorization: 'Bearer phr_...' }),
    ).toEqual({ status: 401, detail: expect.stringContaining('It is a placeholder. Write a run token') }));
});

test('a request without Host is a 400 that says so', async () => {
  const sent = request(`${api.api.url}/api/schema`, { setHost: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect([response.statusCode, await jsonOf(response)]).toEqual([
    400,
    expect.objectContaining({ code: 'malformed_request', detail: 'The request has no header Host.' }),
  ]);
});
