import { afterEach, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { readConfig } from '../config.ts';
import { createHealth, type Health } from './health.ts';
import { createOperationsServer, operationsSettings, type OperationsServer } from './operations-server.ts';
import { leastOf } from '../testing/least-of.ts';
import { createPublicHealth } from './operations.ts';

const metrics = { contentType: 'text/plain', metrics: () => Promise.resolve('figures 1\n') };
const config = { host: '127.0.0.1', port: 0 };
let server: OperationsServer | undefined;
afterEach(() => server?.stop?.());

async function start(health: Health, exposition = metrics): Promise<string> {
  server = createOperationsServer(config, health, exposition);
  await server.start?.();
  return server.url();
}

/** A check of Postgres, whose address has a password. */
function unready(): Health {
  const health = createHealth();
  health.check('postgres', () => Promise.reject(new Error('no response from postgres://a:S3cr3t@10.0.0.1')));
  return health;
}

describe("operators' port", () => {
  test('shows metrics, and which parts are not ready and why, without passwords', async () => {
    const url = await start(unready());
    expect(await (await fetch(`${url}/metrics`)).text()).toBe('figures 1\n');
    const reply = await fetch(`${url}/_readiness/`);
    expect([reply.status, await reply.json()]).toEqual([
      503,
      { status: 'not_ready', not_ready: { postgres: 'no response from postgres://…@10.0.0.1' } },
    ]);
    expect((await fetch(`${url}/_liveness?x=1`)).status).toBe(200);
    const other = await fetch(`${url}/i/v0/e/`, { method: 'POST', body: '{"event":"e"}' });
    expect([other.status, await other.text()]).toEqual([
      404,
      expect.stringContaining("Events go to capture's address"),
    ]);
  });

  test('a check that hangs fails within a second, and the others run all the same', async () => {
    const health = unready();
    health.check('clickhouse', () => new Promise(() => undefined));
    const url = await start(health);
    const tookMs = await leastOf(5, 1_000, async () => {
      const begunMs = performance.now();
      const reply = await fetch(`${url}/_readiness`);
      expect([reply.status, await reply.json()]).toEqual([
        503,
        { status: 'not_ready', not_ready: { postgres: expect.any(String), clickhouse: 'no response for 0.8 s' } },
      ]);
      return performance.now() - begunMs;
    });
    expect(tookMs).toBeLessThan(1_000);
  });

  test('metrics that cannot be had are a 503', async () => {
    const url = await start(createHealth(), {
      ...metrics,
      metrics: () => Promise.reject(new Error('not now, postgres://a:S3cr3t@h')),
    });
    const reply = await fetch(`${url}/metrics`);
    expect([reply.status, await reply.text()]).toEqual([503, 'not now, postgres://…@h\n']);
  });

  test('that is taken: the service does not start, and the error names port and setting', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const refused = createOperationsServer({ ...config, port }, createHealth(), metrics);
    await expect(refused.start?.()).rejects.toThrow(
      `the operators' port ${port} of 127.0.0.1 (OPERATIONS_PORT, OPERATIONS_HOST) cannot be had`,
    );
    other.close();
  });

  test('is on this machine only by default, and each service has its own', () => {
    expect(readConfig(operationsSettings(8010), {})).toEqual({ host: '127.0.0.1', port: 8010 });
    expect(readConfig(operationsSettings(8010), { OPERATIONS_HOST: '0.0.0.0', OPERATIONS_PORT: '9100' })).toEqual({
      host: '0.0.0.0',
      port: 9100,
    });
  });
});

test('a public port shows only whether the service is ready', async () => {
  const result = createPublicHealth(unready());
  const listener = createServer((request, response) => {
    if (!result(request, response)) response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const reply = await fetch(`${url}/_readiness`);
  expect([reply.status, await reply.text()]).toEqual([503, '{"status":"not_ready"}']);
  expect((await fetch(`${url}/_liveness`)).status).toBe(200);
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
  listener.close();
});
