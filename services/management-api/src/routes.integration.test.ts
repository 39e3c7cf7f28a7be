import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { successStatus, type Route } from '@millrace/http/define-route.ts';
import { ErrorReply } from '@millrace/http/error-schema.ts';
import { validator } from '@millrace/http/validator.ts';
import type { TSchema } from 'typebox';
import type { Context } from './context.ts';
import { routes } from './routes.ts';
import { referenceFileNames } from './features/schema/reference-files.ts';
import { startTestApi, type TestApi } from './test-api.ts';
import type { Reply } from './test-request.ts';

// Every route of the list is asked the same questions. A new route needs nothing here but a body that it accepts.
const goodBodies: Record<string, () => Record<string, unknown>> = {
  create_endpoint: () => ({ name: `made${made++}`, query: { kind: 'HogQLQuery', query: 'SELECT 1' } }),
  run_endpoint: () => ({ limit: 1 }),
};
const goodParams: Record<string, string> = { name: 'sample', file: referenceFileNames[0] ?? '' };

let made = 0;
let api: TestApi;
let acme: Awaited<ReturnType<TestApi['seed']>>;
let other: Awaited<ReturnType<TestApi['seed']>>;
const keys: Record<string, string> = {};
let document: { paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>> };

beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  other = await api.seed('Other');
  const second = await api.admin.createProject({ organizationId: acme.organizationId, name: 'Second' });
  const make = async (email: string, scopes: string[], limits: { projects?: number[]; organizations?: string[] } = {}) =>
    (await api.admin.createKey({ email, scopes, ...limits })).key;
  keys['elsewhere'] = await make(acme.email, ['*'], { projects: [second.projectId] });
  keys['otherOrganization'] = await make(acme.email, ['*'], { organizations: [other.organizationId] });
  const revoked = await api.admin.createKey({ email: acme.email, scopes: ['*'] });
  await api.admin.revokeKey({ id: revoked.id });
  keys['revoked'] = revoked.key;
  const inactive = await api.seed('Inactive');
  await api.prisma.user.update({ where: { id: inactive.userId }, data: { isActive: false } });
  keys['inactive'] = inactive.key;
  for (const { access } of routes) {
    if (typeof access !== 'object') continue;
    const object = access.scope.split(':')[0];
    keys[`only ${access.scope}`] ??= await make(acme.email, [access.scope]);
    keys[`without ${access.scope}`] ??= await make(acme.email, [object === 'survey' ? 'query:read' : 'survey:write']);
    if (access.scope.endsWith(':write')) keys[`read for ${access.scope}`] ??= await make(acme.email, [`${object}:read`]);
  }
  document = (await api.as(undefined).send<typeof document>('get', '/api/schema')).body;
});
afterAll(() => api?.stop());

interface Ask {
  key?: string | undefined;
  params?: Record<string, string | number>;
  query?: string;
  body?: unknown;
  alias?: boolean;
}

async function ask(route: Route<Context>, { key, params = {}, query = '', body, alias = false }: Ask): Promise<Reply> {
  await ensureSample();
  const values: Record<string, string | number> = { project_id: acme.projectId, organization_id: acme.organizationId, ...goodParams, ...params };
  const path = route.path.replaceAll(/:(\w+)/g, (_all, name: string) => String(values[name]));
  const request = api.as(key).send(route.method, (alias ? path.replace('/api/projects/', '/api/environments/') : path) + query);
  if (route.body) request.send((body ?? goodBodies[route.operationId]?.() ?? {}));
  const response = await request;
  expectDocumented(route, response);
  return response;
}

async function ensureSample(): Promise<void> {
  const path = `/api/projects/${acme.projectId}/endpoints`;
  if ((await api.as(acme.key).send('get', `${path}/sample`)).status === 200) return;
  const response = await api.as(acme.key).send('post', path).send({ name: 'sample', query: { kind: 'HogQLQuery', query: 'SELECT 1 AS one' } });
  expect(response.status).toBe(201);
}

const checkError = validator(ErrorReply);

/** No 5xx ever; every reply has a status that the document names, and the form that is declared for it. */
function expectDocumented(route: Route<Context>, response: Reply): void {
  expect(response.status).toBeLessThan(500);
  const operation = document?.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]?.[route.method];
  if (document !== undefined) expect([route.operationId, Object.keys(operation?.responses ?? {})]).toEqual([route.operationId, expect.arrayContaining([String(response.status)])]);
  if (response.status >= 400) {
    checkError(response.body);
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    return;
  }
  const schema = route.responses[response.status];
  if (schema === null) expect(response.text).toBe('');
  else if (schema !== undefined && !('contentMediaType' in schema)) validator(schema)(response.body);
}

const all = routes.map((route) => [route.operationId, route] as const);
const scoped = all.filter(([, { access }]) => typeof access === 'object');

describe('every route', () => {
  test.each(all)('%s answers a good request with its declared success, also with a slash and by the alias', async (_name, route) => {
    if (route.body) expect(Object.keys(goodBodies)).toContain(route.operationId);
    const success = successStatus(route);
    expect((await ask(route, { key: acme.key })).status).toBe(success);
    expect((await ask(route, { key: acme.key, query: '/?unknown=1' })).status).toBe(success);
    expect((await ask(route, { key: acme.key, alias: true })).status).toBe(success);
  });

  test.each(all)('%s is in the document', (name, route) => {
    const operation = document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]?.[route.method];
    expect(operation).toMatchObject({ operationId: name, summary: route.summary });
  });

  test('operation ids are unique, and named like what they do', () => {
    const names = routes.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
  });
});

describe('who may call (contract/orgs-errors 1.3)', () => {
  test.each(scoped)('%s: no key, bad keys, keys that are worth nothing any more: 401', async (_name, route) => {
    const none = await ask(route, {});
    expect([none.status, none.body.code, none.headers['www-authenticate']]).toEqual([401, 'not_authenticated', 'Bearer']);
    for (const key of ['phx_unknown', 'x'.repeat(5000), `${acme.key}x`, keys['revoked'], keys['inactive'], 'phx_é']) {
      const response = await ask(route, { key: key && encodeURI(key) });
      expect([key, response.status, response.body.code]).toEqual([key, 401, 'authentication_failed']);
    }
  });

  test.each(scoped)('%s: the scope is enough, without it 403', async (_name, route) => {
    const { scope } = route.access as { scope: string };
    expect((await ask(route, { key: keys[`only ${scope}`] })).status).toBe(successStatus(route));
    const without = await ask(route, { key: keys[`without ${scope}`] });
    expect([without.status, without.body.detail]).toEqual([403, `API key missing required scope '${scope}'`]);
    if (!scope.endsWith(':write')) return;
    expect((await ask(route, { key: keys[`read for ${scope}`] })).status).toBe(403);
  });

  test.each(scoped)('%s: keys of others, and limited to others, read one sentence', async (_name, route) => {
    for (const key of [other.key, keys['elsewhere'], keys['otherOrganization']]) {
      const response = await ask(route, { key, body: { broken: true } });
      expect([response.status, response.body]).toEqual([
        403,
        { type: 'authentication_error', code: 'permission_denied', attr: null, detail: `This API key has no access to project ${acme.projectId}.` },
      ]);
    }
  });
});

describe('malformed requests', () => {
  const withParams = scoped.filter(([, { path }]) => path.includes(':'));

  test.each(withParams)('%s: an id that cannot be one is an unknown one', async (_name, route) => {
    for (const id of ['abc', '0', '-1', '1.5', '1e3', '99999999999999999999', '2147483648', '%00', '@me', '%F0%9F%98%80', "1'--"]) {
      const response = await ask(route, { key: acme.key, params: { project_id: id } });
      expect([id, response.status, response.body.detail]).toEqual([id, 404, 'Project not found.']);
    }
    expect((await ask(route, { key: acme.key, params: { project_id: '@current' } })).status).toBe(successStatus(route));
    for (const name of route.path.matchAll(/:(?!project_id)(\w+)/g)) {
      for (const value of ['no-such', '%00', 'x'.repeat(3000), '..%2f..', "'", '%ED%A0%80', '%E0%A4%A']) {
        const response = await ask(route, { key: acme.key, params: { [name[1] ?? '']: value } });
        expect([value, response.status, response.body.code]).toEqual([value, 404, 'not_found']);
      }
    }
  });

  const withBody = scoped.filter(([, { body }]) => body);

  test.each(withBody)('%s: every field with every wrong value is a 400 on that field', async (_name, route) => {
    const good = goodBodies[route.operationId] ?? (() => ({}));
    for (const [field, schema] of Object.entries(propertiesOf(route.body))) {
      const fits = validator(schema);
      for (const value of wrongValues) {
        const response = await ask(route, { key: acme.key, body: { ...good(), [field]: value } });
        if (passes(fits, value)) continue; // not wrong by form: only that it is no 5xx and documented
        expect([field, value, response.status, String(response.body.attr).split('__')[0]]).toEqual([field, value, 400, field]);
      }
    }
  });

  test.each(withBody)('%s: bodies that are no objects', async (_name, route) => {
    for (const body of ['{', '[]', '"x"', '5', 'null', '{"a":', '\u0000', `{"a":${'['.repeat(50_000)}`, '{"__proto__": 1}', '\ufeff{}x']) {
      const response = await sendRaw(route, body, 'application/json');
      expect([body.slice(0, 20), response.status]).toEqual([body.slice(0, 20), 400]);
    }
    expect((await sendRaw(route, '<a/>', 'text/xml')).status).toBe(415);
    expect((await sendRaw(route, JSON.stringify({ a: 'x'.repeat(2_000_000) }), 'application/json')).status).toBe(413);
  });

  test.each(scoped.filter(([, { query }]) => query))('%s: odd query values are never a fault of ours', async (_name, route) => {
    for (const name of Object.keys(propertiesOf(route.query))) {
      for (const value of ['', 'x', '-1', '0', '1e999', '99999999999999999999', '%00', 'null', '[]', '{}', '%F0%9F%98%80', "';--", 'true', '%E0%A4%A']) {
        const response = await ask(route, { key: acme.key, query: `?${name}=${value}&${name}=${value}` });
        expect([200, 204, 400, 404]).toContain(response.status);
        if (response.status === 400) expect(response.body.attr).not.toBeNull();
      }
    }
  });

  async function sendRaw(route: Route<Context>, body: string, type: string): Promise<Reply> {
    await ensureSample();
    const path = route.path.replace(':project_id', String(acme.projectId)).replaceAll(/:(\w+)/g, (_all, name: string) => goodParams[name] ?? '');
    const response = await api.as(acme.key).send(route.method, path).set('Content-Type', type).send(body);
    expectDocumented(route, response);
    return response;
  }
});

const wrongValues = [null, 5, -1, 1.5, 1e300, 2 ** 53, '', 'x', '\ud800', "'; DROP TABLE endpoints", true, [], [null], [{}], {}, { a: { b: null } }, { __proto__x: 1 }, 'x'.repeat(100_000)];

function propertiesOf(schema: TSchema | undefined): Record<string, TSchema> {
  return (schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};
}

function passes(check: (value: unknown) => void, value: unknown): boolean {
  try {
    check(value);
    return true;
  } catch {
    return false;
  }
}
