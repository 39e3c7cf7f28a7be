import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { temporaryFolder } from './canary-setup.ts';
import { startPostgres, type PostgresEngine } from './postgres.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const superuserPassword = 'p@ss w%rd/#?';

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const result = await client.query({ text: sql, rowMode: 'array' }).finally(() => client.end());
  return result.rows.flat() as unknown[];
}

function start(name: string): Promise<PostgresEngine> {
  // Only the first folder is written as in real life: forcing a new one to disk takes seconds on a busy machine.
  return startPostgres({ dataDir: join(folder.path, name), superuserPassword, durable: name === 'kept' });
}

describe('the local Postgres', () => {
  test('is there after its start, durable, UTF-8 and the same on every machine; its data outlives a stop', async () => {
    const first = await start('kept');
    await query(first.url, 'CREATE TABLE t AS SELECT 1 AS x');
    expect(
      await query(
        first.url,
        "SELECT current_setting('fsync'), current_setting('server_encoding'), current_setting('TimeZone')",
      ),
    ).toEqual(['on', 'UTF8', 'UTC']);
    expect(
      await query(first.url, "SELECT array_agg(x ORDER BY x)::text FROM unnest(ARRAY['b', 'B', 'ä', 'a']) AS x"),
    ).toEqual(['{B,a,b,ä}']);
    await first.stop();
    expect(await first.exited).toEqual({ code: 0, signal: null });
    const second = await start('kept');
    expect(await query(second.url, 'SELECT x FROM t')).toEqual([1]);
    await second.stop();
  });

  test('lets nobody in without the password, and listens on the loopback interface only', async () => {
    const engine = await start('kept');
    const url = new URL(engine.url);
    url.password = 'wrong';
    await expect(query(url.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(
      await query(
        engine.url,
        "SELECT current_setting('listen_addresses'), current_setting('unix_socket_directories'), current_setting('password_encryption')",
      ),
    ).toEqual(['127.0.0.1', '', 'scram-sha-256']);
    await engine.stop();
  });

  test('starts at once after kill -9, with what was committed', async () => {
    let engine = await start('kept');
    await query(engine.url, 'CREATE TABLE crashed (x int)');
    for (const value of [1, 2, 3]) {
      await query(engine.url, `INSERT INTO crashed VALUES (${value})`);
      process.kill(engine.pid, 'SIGKILL');
      engine = await start('kept');
    }
    expect(await query(engine.url, 'SELECT x FROM crashed ORDER BY x')).toEqual([1, 2, 3]);
    await engine.stop();
  });

  test('ends with its starter, even by kill -9, and the next start does not wait for anything', async () => {
    const dataDir = join(folder.path, 'kept');
    const program = `
      import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, 'postgres.ts'))};
      const engine = await startPostgres({ dataDir: process.argv[1], superuserPassword: ${JSON.stringify(superuserPassword)} });
      console.log(engine.pid);
    `;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir]);
    await once(starter.stdout, 'data');
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    const engine = await start('kept');
    expect(await query(engine.url, 'SELECT 1')).toEqual([1]);
    await engine.stop();
  });

  test('a second start on the folder of a running one is a clear error', async () => {
    const engine = await start('kept');
    await expect(start('kept')).rejects.toThrow(/process \d+ runs it on .* already/);
    expect(await query(engine.url, 'SELECT 1')).toEqual([1]);
    await engine.stop();
  });

  test('a start that cannot be noted leaves no process behind', async () => {
    const inTheWay = join(folder.path, 'unnoted.claim.json.next');
    await mkdir(inTheWay);
    await expect(start('unnoted')).rejects.toThrow('EISDIR');
    // Nobody knows of a process that still runs: it would have the folder.
    expect(existsSync(join(folder.path, 'unnoted', 'postmaster.pid'))).toBe(false);
    await rmdir(inTheWay);
    await (await start('unnoted')).stop();
  });

  test('what an interrupted start left is thrown away; what is not its own is left alone', async () => {
    await mkdir(join(folder.path, 'half.new'));
    await writeFile(join(folder.path, 'half.new/PG_VERSION'), '18');
    const engine = await start('half');
    await engine.stop();
    await mkdir(join(folder.path, 'foreign'));
    await writeFile(join(folder.path, 'foreign/letter.txt'), 'dear');
    await expect(start('foreign')).rejects.toThrow('holds other things than its data');
    expect((await stat(join(folder.path, 'foreign/letter.txt'))).size).toBe(4);
  });
});

describe('as whom it runs', () => {
  test('never as root; below a folder that only its owner may enter it starts too, and its data outlives kill -9', async () => {
    await mkdir(join(folder.path, 'closed'), { mode: 0o700 });
    const first = await start('closed/data');
    await query(first.url, 'CREATE TABLE t AS SELECT 7 AS x');
    expect((await stat(`/proc/${first.pid}`)).uid).not.toBe(0);
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const second = await start('closed/data');
    expect(await query(second.url, 'SELECT x FROM t')).toEqual([7]);
    await second.stop();
  });

  // When root runs the tests, somebody else is tried; who cannot reach the checkout cannot be.
  const asRoot = process.getuid?.() === 0;
  const triable = !asRoot || isOpenToOthers(import.meta.dirname);
  (triable ? test : test.skip)('as an ordinary user when one starts it', async () => {
    const dataDir = join(folder.path, 'ordinary/data');
    await mkdir(join(folder.path, 'ordinary'));
    await chmod(join(folder.path, 'ordinary'), 0o777);
    const uid = asRoot ? 65_534 : process.getuid?.();
    const program = `
      import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, 'postgres.ts'))};
      import { existsSync, statSync } from 'node:fs';
      const engine = await startPostgres({ dataDir: process.argv[1], superuserPassword: 'x', durable: false });
      console.log(statSync('/proc/' + engine.pid).uid);
      await engine.stop();
    `;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(asRoot ? { uid: 65_534, gid: 65_534 } : {}),
    });
    let output = '';
    starter.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    expect(await once(starter, 'close')).toEqual([0, null]);
    expect(Number(output)).toBe(uid);
  });
});

function isOpenToOthers(path: string): boolean {
  const open = (statSync(path).mode & 0o001) !== 0;
  return open && (dirname(path) === path || isOpenToOthers(dirname(path)));
}
