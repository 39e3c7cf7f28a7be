import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isNeverAllowed, successStatus, type Route } from '@millrace/http/define-route.ts';
import { routes } from './routes.ts';
import { describeFieldValues, someValues } from './test/describe-field-values.ts';
import { asForm, asMultipart, type SchemaParts } from './test/schema-values.ts';
import { createRouteSender, goodBody, goodParams, parametersOf, type SendToRoute } from './test/route-sender.ts';
import {
  goodStatus,
  pathFixtures,
  resetOrganizations,
  statusOfUnknownParameter,
} from './test/fixtures/route-fixtures.ts';
import { startTestApi, type Seed, type TestApi } from './test/test-api.ts';
import {
  keyRoutes,
  makePrivateProject,
  makeTestKeys,
  scopeOfOthers,
  type PrivateProject,
  type TestKeys,
} from './test/test-keys.ts';

// Every route of the list gets the same requests; a new route needs nothing here. Its body is made of its schema, and
// test/route-fixtures.ts says how there is something that its path names. What is special about a route has tests of
// its own.
let api: TestApi;
let acme: Seed;
let other: Seed;
/** Another project of the same organization, with the same owner. */
let sibling: Seed;
let keys: TestKeys;
let closed: PrivateProject;
let send: SendToRoute;
let document: { paths: Record<string, Record<string, Record<string, unknown>>> };

beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  other = await api.seed('Other');
  const { organizationId } = acme;
  sibling = { ...acme, projectId: (await api.admin.createProject({ organizationId, name: 'Sibling' })).projectId };
  keys = await makeTestKeys(api, acme, other);
  closed = await makePrivateProject(api);
  send = createRouteSender(api, acme);
  document = (await api.as(undefined).send<typeof document>('get', '/api/schema')).body;
});
beforeEach(() => resetOrganizations(api));
afterAll(() => api?.stop());

type Named = readonly [name: string, route: Route];
const named = (list: readonly Route[]): Named[] => list.map((route) => [route.operationId, route]);
const scopeOf = ({ access }: Route): string => (typeof access === 'object' ? (access.scope ?? '') : '');
const levelOf = ({ access }: Route): number => (typeof access === 'object' ? (access.level ?? 0) : 0);
const isOf = (kind: 'project' | 'organization', { path }: Route): boolean => path.includes(`/:${kind}_id`);
const isJson = (route: Route): boolean => {
  const schema = route.responses[successStatus(route)];
  return schema !== null && schema !== undefined && !('contentMediaType' in schema);
};

const withScope = keyRoutes.filter((route) => scopeOf(route) !== '');
const targeted = keyRoutes.filter((route) => isOf('project', route) || isOf('organization', route));
const withBody = keyRoutes.filter(({ body }) => body);

async function expectAllowed(route: Route, key: string): Promise<void> {
  expect((await send(route, { key })).status).toBe(goodStatus(route));
}

/** The one sentence for everybody who may not see it (contract/decisions 39). */
async function expectOutOfReach(route: Route, key: string): Promise<void> {
  const target = isOf('project', route) ? `project ${acme.projectId}` : `organization ${acme.organizationId}`;
  const { status, body } = await send(route, { key, body: { broken: true } });
  expect([status, body]).toEqual([
    403,
    {
      type: 'authentication_error',
      code: 'permission_denied',
      attr: null,
      detail: `This API key has no access to ${target}.`,
    },
  ]);
}

describe('every route', () => {
  test.each(named(routes))(
    '%s answers a good request with its declared success, with a slash and by the alias too',
    async (_name, route) => {
      await expectAllowed(route, acme.key);
      expect((await send(route, { key: acme.key, query: '/' })).status).toBe(goodStatus(route));
      expect((await send(route, { key: acme.key, query: '?unknown=1' })).status).toBe(statusOfUnknownParameter(route));
      expect((await send(route, { key: acme.key, alias: true })).status).toBe(goodStatus(route));
    },
  );

  test.each(named(routes))('%s is in the document', (name, route) => {
    expect(document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]?.[route.method]).toMatchObject({
      operationId: name,
      summary: route.summary,
    });
  });

  test('operation ids are unique, and named like what they do', () => {
    const names = routes.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
  });

  test.each(named(routes.filter(isJson)))('%s: 406 for clients that take no JSON', async (_name, route) => {
    const response = await send(route, { key: acme.key, headers: { Accept: 'text/html' } });
    expect([response.status, response.body.code]).toEqual([406, 'not_acceptable']);
  });

  test.each(named(routes.filter(({ otherTypes }) => otherTypes)))(
    '%s: in each of its media types, for clients that take nothing else',
    async (_name, route) => {
      for (const type of Object.keys(route.otherTypes ?? {})) {
        const response = await send(route, { key: acme.key, headers: { Accept: type } });
        expect([response.status, response.headers['content-type']?.split(';')[0]]).toEqual([200, type]);
        const operation = document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]?.[route.method] as {
          responses: Record<string, { content: object }>;
        };
        expect(operation.responses['200']?.content).toHaveProperty([type]);
      }
    },
  );

  test.each(named(routes))(
    '%s: a method that the path has not is 405, without a key 401 (contract/decisions 11)',
    async (_name, route) => {
      const methods = routes.filter(({ path }) => path === route.path).map(({ method }) => method);
      const method = (['put', 'patch', 'delete'] as const).find((one) => !methods.includes(one));
      if (method === undefined) return;
      const response = await send(route, { key: acme.key, method });
      expect([response.status, response.body.code, response.headers['allow']]).toEqual([
        405,
        'method_not_allowed',
        expect.stringContaining(isNeverAllowed(route) ? 'GET' : route.method.toUpperCase()),
      ]);
      if (keyRoutes.some((one) => one === route)) expect((await send(route, { method })).status).toBe(401);
    },
  );
});

describe('authorization (contract/orgs-errors 1.3)', () => {
  test.each(named(keyRoutes))('%s: no key, and keys that are worth nothing: 401', async (_name, route) => {
    const none = await send(route, {});
    expect([none.status, none.body.code, none.headers['www-authenticate']]).toEqual([
      401,
      'not_authenticated',
      'Bearer',
    ]);
    for (const key of keys.worthless) {
      const response = await send(route, { key });
      expect([key, response.status, response.body.code, response.headers['www-authenticate']]).toEqual([
        key,
        401,
        'authentication_failed',
        'Bearer',
      ]);
    }
  });

  test.each(named(withScope))(
    '%s: its scope is enough, writing includes reading, and nothing else will do',
    async (_name, route) => {
      const scope = scopeOf(route);
      await expectAllowed(route, await keys.holding(scope));
      await expectAllowed(route, await keys.holding(scope.replace(/:read$/, ':write')));
      const without = [scopeOfOthers(scope), ...(scope.endsWith(':write') ? [scope.replace(/:write$/, ':read')] : [])];
      for (const held of without) {
        const response = await send(route, { key: await keys.holding(held), body: { broken: true } });
        expect([held, response.status, response.body.detail]).toEqual([
          held,
          403,
          `API key missing required scope '${scope}'`,
        ]);
      }
    },
  );

  test.each(named(keyRoutes))(
    '%s: a run token opens the run of its endpoint, and nothing else',
    async (_name, route) => {
      const { status, body } = await send(route, { key: keys.runToken, body: { broken: true } });
      const takesIt = typeof route.access === 'object' && route.access.runTokens === true;
      expect([status, body.code]).toEqual(takesIt ? [403, 'permission_denied'] : [401, 'authentication_failed']);
    },
  );

  test.each(named(targeted))(
    '%s: strangers, and keys limited to something else, read one sentence',
    async (_name, route) => {
      for (const key of [keys.stranger, keys.limited.toOtherProject, keys.limited.toOtherOrganization])
        await expectOutOfReach(route, key);
    },
  );

  test.each(named(targeted))(
    '%s: a key limited to this will do; one limited to a project opens no organization',
    async (_name, route) => {
      await expectAllowed(route, keys.limited.toOrganization);
      if (isOf('project', route)) await expectAllowed(route, keys.limited.toProject);
      else await expectOutOfReach(route, keys.limited.toProject);
    },
  );

  test.each(named(targeted.filter((route) => isOf('project', route))))(
    '%s: of a private project only for whom somebody let in',
    async (_name, route) => {
      const sendClosed = createRouteSender(api, closed.seed);
      const refused = await sendClosed(route, { key: closed.outsider, body: { broken: true } });
      expect([refused.status, refused.body.detail]).toEqual([
        403,
        `This API key has no access to project ${closed.seed.projectId}.`,
      ]);
      const stranger = await sendClosed(route, { key: keys.stranger, body: { broken: true } });
      expect([stranger.status, stranger.body]).toEqual([refused.status, refused.body]);
      expect((await sendClosed(route, { key: closed.guest })).status).toBe(
        levelOf(route) > 1 ? 403 : goodStatus(route),
      );
    },
  );

  test('routes that require a level refuse plain members', async () => {
    for (const route of keyRoutes.filter((one) => levelOf(one) > 1)) {
      const { status, body } = await send(route, { key: keys.member, body: { broken: true } });
      expect([route.operationId, status, body.detail]).toEqual([
        route.operationId,
        403,
        'You do not have permission to perform this action.',
      ]);
    }
  });
});

describe('what a path names', () => {
  const ids = [
    'abc',
    '0',
    '-1',
    '1.5',
    '1e3',
    '99999999999999999999',
    '2147483648',
    '%00',
    '@me',
    '%F0%9F%98%80',
    "1'--",
    '01900000-0000-4000-8000-000000000000',
  ];

  test.each(named(targeted))(
    '%s: an id that cannot be one is an unknown one; @current is the own',
    async (_name, route) => {
      const [name, detail] = isOf('project', route)
        ? ['project_id', /^Project not found\./]
        : ['organization_id', /^Organization not found\./];
      for (const id of ids) {
        const response = await send(route, { key: acme.key, params: { [name]: id } });
        expect([id, response.status, response.body.detail]).toEqual([id, 404, expect.stringMatching(detail)]);
      }
      expect((await send(route, { key: acme.key, params: { [name]: '@current' } })).status).toBe(goodStatus(route));
    },
  );

  const named404 = keyRoutes.filter(
    (route) =>
      !isNeverAllowed(route) &&
      parametersOf(route.path).some(({ name }) => !/^(?:project|organization)_id$/.test(name)),
  );

  test.each(named(named404))('%s: what is unknown, malformed or of another project is 404', async (_name, route) => {
    const theirs = await goodParams(api, other, route.path);
    for (const { name, place } of parametersOf(route.path).filter(
      (parameter) => !/^(?:project|organization)_id$/.test(parameter.name),
    )) {
      if (pathFixtures[place]?.unknownTo404 === false) continue;
      const values = [
        'no-such',
        '%00',
        'x'.repeat(3000),
        '..%2f..',
        "'",
        '%ED%A0%80',
        '%E0%A4%A',
        randomUUID(),
        '0',
        '-1',
        '2147483648',
      ];
      if (!pathFixtures[place]?.ownedByNobody) {
        values.push(theirs[name] ?? '');
        if (isOf('project', route)) values.push((await pathFixtures[place]?.make(api, sibling)) ?? '');
      }
      for (const value of values) {
        const response = await send(route, { key: acme.key, params: { [name]: value }, body: { broken: true } });
        expect([value, response.status, response.body.code]).toEqual([value, 404, 'not_found']);
      }
    }
  });
});

// Every value with every field: route-values.full.test.ts.
describeFieldValues(() => ({ send, key: acme.key }), someValues);

describe('bodies and queries', () => {
  test.each(named(withBody))('%s: bodies that are no objects, or not of their media type', async (_name, route) => {
    for (const body of ['{', '[]', '"x"', '5', 'null', '{"a":', '\u0000', `{"a":${'['.repeat(50_000)}`, '\ufeff{}x']) {
      expect([body.slice(0, 20), (await send(route, { key: acme.key, body })).status]).toEqual([
        body.slice(0, 20),
        400,
      ]);
    }
    for (const type of ['text/xml', 'text/plain'])
      expect([type, (await send(route, { key: acme.key, type })).status]).toEqual([type, 415]);
    expect(
      (await send(route, { key: acme.key, body: { a: 'x'.repeat(route.unparsed ? 17_000_000 : 2_000_000) } })).status,
    ).toBe(413);
  });

  test.each(named(withBody))('%s: a form will do where it may (contract/orgs-errors 1.1)', async (_name, route) => {
    const form = await send(route, {
      key: acme.key,
      body: asForm(goodBody(route)),
      type: 'application/x-www-form-urlencoded',
    });
    expect(form.status).toBe(route.jsonOnly ? 415 : goodStatus(route));
    const multipart = await send(route, {
      key: acme.key,
      body: asMultipart(goodBody(route), 'x'),
      type: 'multipart/form-data; boundary=x',
    });
    expect(multipart.status).toBe(route.jsonOnly ? 415 : goodStatus(route));
    const empty = await send(route, { key: acme.key, body: '--x--', type: 'multipart/form-data; boundary=x' });
    expect([goodStatus(route), 400, 415]).toContain(empty.status);
  });

  const lists = keyRoutes.filter(
    ({ query }) =>
      (query as SchemaParts | undefined)?.properties?.['offset'] &&
      (query as SchemaParts).properties?.['limit']?.type === 'string',
  );

  test.each(named(lists))(
    '%s: pages are lenient, and their links absolute (contract/orgs-errors 1.5)',
    async (_name, route) => {
      const page = async (query: string) =>
        (await send(route, { key: acme.key, query })).body as unknown as {
          count: number;
          next: string | null;
          previous: string | null;
          results: unknown[];
        };
      const whole = await page('?limit=abc&offset=-1');
      expect([whole.previous, whole.results.length]).toEqual([null, Math.min(whole.count, 100)]);
      const beyond = await page('?limit=2&offset=2000000000&z=1&a=2');
      expect([beyond.count, beyond.next, beyond.results]).toEqual([whole.count, null, []]);
      expect(beyond.previous).toMatch(/^https?:\/\/[^/]+\/api\/[^?]*\?a=2&limit=2&offset=1999999998&z=1$/);
    },
  );
});
