import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '@millrace/runtime/config.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTcpProxy } from '@millrace/testkit/tcp-proxy.ts';
import { createApp } from './app.ts';
import { settings } from './config.ts';
import { startTestApi, type TestApi } from './test/test-api.ts';
import { requestTo } from './test/test-request.ts';

let api: TestApi;
let nowMs = Date.now();
beforeAll(async () => {
  api = await startTestApi({}, { clock: { nowMs: () => nowMs } });
});
afterAll(() => api?.stop());

describe('health', () => {
  test('ready with both engines; alive and measured always', async () => {
    for (const url of [api.api.url, api.api.operationsUrl()]) {
      expect((await fetch(`${url}/_readiness`)).status).toBe(200);
      expect((await fetch(`${url}/_liveness`)).status).toBe(200);
    }
    const metrics = await (await fetch(`${api.api.operationsUrl()}/metrics`)).text();
    const names = [...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? '');
    expect(names).toContain('millrace_api_request_seconds');
    expect(names.filter((name) => !/^(process|nodejs|millrace_api)_/.test(name))).toEqual([]);
  });

  test("the public port shows no metrics, and the operators' port no API", async () => {
    const reply = await fetch(`${api.api.url}/metrics`);
    expect([reply.status, await reply.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
    expect((await fetch(`${api.api.operationsUrl()}/api/schema`)).status).toBe(404);
    expect(api.api.operationsUrl()).not.toBe(api.api.url);
  });
});

test('a process whose secret the row policies do not know is not ready: its runs would all be refused', async () => {
  const stranger = await api.startProcess({ CLICKHOUSE_TOKEN_SECRET: 'another-secret-than-theirs' });
  const reply = await fetch(`${stranger.operationsUrl()}/_readiness`);
  expect([reply.status, await reply.text()]).toEqual([503, expect.stringContaining('clickhouse')]);
});

describe('an engine that is down', () => {
  test('ClickHouse: runs are 503 with Retry-After, everything else works', async () => {
    const broken = await startTestApi({ CLICKHOUSE_URL: 'http://127.0.0.1:1' });
    try {
      const { key, projectId } = await broken.seed('Broken');
      const path = `/api/projects/${projectId}/endpoints`;
      expect(
        (
          await broken
            .as(key)
            .send('post', path)
            .send({ name: 'a', query: { kind: 'HogQLQuery', query: 'SELECT 1' } })
        ).status,
      ).toBe(201);
      const run = await broken.as(key).send('get', `${path}/a/run`);
      expect([run.status, run.body.code, Number(run.headers['retry-after'])]).toEqual([
        503,
        'unavailable',
        expect.any(Number),
      ]);
      const reported = await fetch(`${broken.api.operationsUrl()}/_readiness`);
      expect([reported.status, await reported.json()]).toEqual([
        503,
        { status: 'not_ready', not_ready: { clickhouse: expect.any(String) } },
      ]);
      const stranger = await fetch(`${broken.api.url}/_readiness`);
      expect([stranger.status, await stranger.json()]).toEqual([503, { status: 'not_ready' }]);
    } finally {
      await broken.stop();
    }
  });

  test('Postgres: whatever needs a key is 503, not a fault of ours', async () => {
    const { url, tenant, tokenSecret } = api.clickhouse;
    const config = readConfig(settings, {
      LOG_LEVEL: 'fatal',
      DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x',
      CLICKHOUSE_URL: url,
      CLICKHOUSE_TENANT_PASSWORD: tenant.password,
      CLICKHOUSE_TOKEN_SECRET: tokenSecret,
    });
    const app = createApp(config);
    const response = await requestTo(app.express, 'get', '/api/projects/1/endpoints').set(
      'Authorization',
      'Bearer phx_x',
    );
    expect([response.status, response.body.code, response.headers['retry-after']]).toEqual([503, 'unavailable', '2']);
    const ready = await requestTo(app.express, 'get', '/_readiness');
    expect([ready.status, ready.body]).toEqual([503, { status: 'not_ready' }]);
    await app.stop();
  });
});

describe.each([
  ['postgres', 'DATABASE_URL', () => api.databaseUrl],
  ['clickhouse', 'CLICKHOUSE_URL', () => api.clickhouse.url],
] as const)('readiness, when %s', (engine, variable, urlOf) => {
  test.each(['silent', 'closed'] as const)(
    'is %s, says so within a second, and is ready again as soon as it is back',
    async (state) => {
      const url = new URL(urlOf());
      const proxy = await startTcpProxy(Number(url.port));
      url.port = String(proxy.port);
      const own = await api.startProcess({ [variable]: url.href });
      const readiness = async () => {
        nowMs += 1_000;
        const begunMs = performance.now();
        const reply = await fetch(`${own.operationsUrl()}/_readiness`);
        return { status: reply.status, body: await reply.json(), isPrompt: performance.now() - begunMs < 1_000 };
      };
      try {
        expect(await readiness()).toMatchObject({ status: 200 });
        proxy.state = state;
        // At first over a connection that there was, then over one that is to be made.
        for (let time = 0; time < 3; time++)
          expect(await readiness()).toEqual({
            status: 503,
            body: { status: 'not_ready', not_ready: { [engine]: expect.any(String) } },
            isPrompt: true,
          });
        proxy.state = 'open';
        await eventually(async () => expect(await readiness()).toMatchObject({ status: 200 }));
      } finally {
        proxy.cut();
        await proxy.close();
      }
    },
  );
});

describe('keys', () => {
  test('work in the body and in the query string too, and note their use once an hour', async () => {
    const { key, keyId, projectId } = await api.seed('Keys');
    const path = `/api/projects/${projectId}/endpoints`;
    const lastUsed = async () =>
      (await api.prisma.personalApiKey.findUniqueOrThrow({ where: { id: keyId } })).lastUsedAt;
    expect(await lastUsed()).toBeNull();
    expect((await api.as(undefined).send('get', `${path}?personal_api_key=${key}`)).status).toBe(200);
    const first = await lastUsed();
    expect(first).not.toBeNull();
    const body = { name: 'a', query: { kind: 'HogQLQuery', query: 'SELECT 1' }, personal_api_key: key };
    expect((await api.as(undefined).send('post', path).send(body)).status).toBe(201);
    expect(await lastUsed()).toEqual(first);
    nowMs += 3_599_000;
    await api.as(key).send('get', path);
    expect(await lastUsed()).toEqual(first);
    nowMs += 2_000;
    await api.as(key).send('get', path);
    expect(await lastUsed()).toEqual(new Date(nowMs));
  });

  test('the error of a wrong key names where it was found', async () => {
    const { projectId } = await api.seed('Wrong');
    const detail = async (sent: PromiseLike<{ body: { detail: string } }>) => (await sent).body.detail;
    const path = `/api/projects/${projectId}/endpoints`;
    expect(await detail(api.as('phx_no').send('get', path))).toBe(
      'Personal API key found in request Authorization header is invalid.',
    );
    expect(await detail(api.as(undefined).send('post', path).send({ personal_api_key: 'no' }))).toBe(
      'Personal API key found in request body is invalid.',
    );
    expect(await detail(api.as(undefined).send('get', `${path}?personal_api_key=no`))).toBe(
      'Personal API key found in request query string is invalid.',
    );
  });

  test('the key of another organization is refused, @current is the own project', async () => {
    const [one, two] = [await api.seed('One'), await api.seed('Two')];
    expect((await api.as(two.key).send('get', `/api/projects/${one.projectId}/endpoints`)).status).toBe(403);
    await api
      .as(one.key)
      .send('post', '/api/projects/@current/endpoints/')
      .send({ name: 'mine', query: { kind: 'HogQLQuery', query: 'SELECT 1' } });
    expect((await api.as(one.key).send('get', `/api/environments/${one.projectId}/endpoints/mine/`)).status).toBe(200);
  });
});

describe('paths and methods (contract/decisions 11)', () => {
  test.each([
    ['get', '/api/nothing', 404],
    ['get', '/api/projects/1/nothing', 404],
    ['get', '/nothing.php', 404],
    ['put', '/api/projects/1/endpoints', 401],
    ['post', '/api/schema', 405],
  ] as const)('%s %s without a key: %i', async (method, path, status) => {
    const response = await api.as(undefined).send(method, path);
    expect([response.status, response.headers['content-type'], response.body.detail]).toEqual([
      status,
      'application/json',
      expect.any(String),
    ]);
  });

  test('a valid key and a wrong method: 405', async () => {
    const { key, projectId } = await api.seed('Methods');
    const response = await api.as(key).send('put', `/api/projects/${projectId}/endpoints/`);
    expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
  });
});
