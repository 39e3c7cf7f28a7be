import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { buildUsersXml } from '@millrace/clickhouse/users/users-document.ts';
import { temporaryFolder } from '@millrace/engines/canary-setup.ts';
import { type ClickhouseEngine, startClickhouse } from '@millrace/engines/clickhouse.ts';
import { checkClickhouse } from './check-clickhouse.ts';
import { GivenEngineError } from './given-engine-error.ts';

const names = ['admin', 'writer', 'tenant', 'materializer', 'maintainer', 'recorder', 'tokenSecret'] as const;
const secretsOf = (end: string) =>
  Object.fromEntries(names.map((name) => [name, `${name}-hush-hush-${end}`])) as Record<(typeof names)[number], string>;
const ours = secretsOf('1');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: ClickhouseEngine;
beforeAll(async () => {
  folder = await temporaryFolder();
  engine = await startClickhouse({
    dataDir: join(folder.path, 'clickhouse'),
    // `operator` sees all users.
    usersDocument: [
      buildUsersXml({ secrets: ours, from: 'loopback' }),
      `<clickhouse><users><operator><password>hush</password><networks><ip>::/0</ip></networks><profile>default</profile>
       <quota>default</quota><access_management>1</access_management></operator></users></clickhouse>`,
    ],
    login: { user: 'admin', password: ours.admin },
  });
});
afterAll(async () => {
  await engine.stop();
  await folder.remove();
});

async function refusal(url: string, login: { user: string; password: string }, secrets = ours): Promise<string> {
  const error: unknown = await checkClickhouse({ url, ...login }, secrets).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(GivenEngineError);
  expect((error as Error).message).not.toContain('hush');
  return (error as Error).message;
}
const admin = { user: 'admin', password: ours.admin };
const operator = { user: 'operator', password: 'hush' };

test('an empty ClickHouse, and one with the users of this data folder, are accepted', async () => {
  for (const login of [admin, operator])
    await expect(checkClickhouse({ url: engine.url, ...login }, ours)).resolves.toBeUndefined();
});

test('a wrong password, and an address without a ClickHouse, have different messages', async () => {
  expect(await refusal(engine.url, { user: 'admin', password: 'hush' })).toMatch(/does not let user "admin" in/);
  expect(await refusal('http://127.0.0.1:1', admin)).toMatch(
    /^No ClickHouse answers at http:\/\/127\.0\.0\.1:1 \(.*ECONNREFUSED/,
  );
});

test('users of another system are left as they are', async () => {
  expect(await refusal(engine.url, operator, secretsOf('2'))).toMatch(
    /has a user "writer" whose password this data folder does not know: .*DROP USER writer, tenant, definer, materializer/,
  );
});

test('a database "analytics" with other tables is refused and left as it is; our own is accepted', async () => {
  const client = createClickhouse({ url: engine.url, ...admin });
  for (const query of ['CREATE DATABASE analytics', 'CREATE TABLE analytics.visits (x Int8) ENGINE = Memory'])
    await client.command({ query });
  expect(await refusal(engine.url, admin)).toMatch(/"analytics" with tables that are not Millrace's \(visits\)/);
  await client.command({ query: 'CREATE TABLE analytics.schema_migrations (name String) ENGINE = Memory' });
  await checkClickhouse({ url: engine.url, ...admin }, ours);
  await client.close();
});

test('an older release is refused with the needed one', async () => {
  const server = createServer((_, response) => response.end('{"value":"25.8.2.29"}\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await refusal(url, admin)).toBe(`The ClickHouse at ${url} is 25.8.2.29, and Millrace needs 26.7 or newer.`);
  server.close();
});
