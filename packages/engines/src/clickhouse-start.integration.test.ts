import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '@clickhouse/client';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { query, canaryOptions, canaryPasswords, startCanary, temporaryFolder } from './canary-setup.ts';
import { clickhouseLibrary } from './clickhouse-library.ts';
import { startClickhouse, type ClickhouseEngine } from './clickhouse.ts';
import { endsWithin, identifyProcess } from '@millrace/runtime/process-identity.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: ClickhouseEngine;

beforeAll(async () => {
  folder = await temporaryFolder();
  engine = await startCanary(folder.path);
});
afterAll(async () => {
  await engine.stop();
  await folder.remove();
});

describe('the local ClickHouse', () => {
  test('is a ClickHouse server to its own client', async () => {
    const client = createClient({ url: engine.url, username: 'admin', password: canaryPasswords.admin });
    expect(await client.ping({ select: true })).toEqual({ success: true });
    const rows = await client.query({ query: 'SELECT {x:UInt32} AS x', query_params: { x: 7 }, format: 'JSONEachRow' });
    expect(await rows.json()).toEqual([{ x: 7 }]);
    await client.close();
  });

  test('lets nobody in without the password', async () => {
    for (const user of Object.keys(canaryPasswords)) {
      const reply = await fetch(`${engine.url}/?user=${user}&query=SELECT+1`);
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(await reply.text()).toContain('AUTHENTICATION_FAILED');
    }
  });

  test('leaves the user without a password nothing but constants: no files, no tables, no statements, no way out', async () => {
    const refusal = /ACCESS_DENIED|TOO_BIG_AST|QUOTA_EXCEEDED|SETTING_CONSTRAINT_VIOLATION/;
    for (const statement of [
      "SELECT file('/etc/hostname')",
      "SELECT file('/etc/hostname') SETTINGS max_ast_elements = 1000",
      "INSERT INTO FUNCTION file('/tmp/x') VALUES (1)",
      'SELECT * FROM system.users',
      'SYSTEM STOP LISTEN HTTP',
      'CREATE DATABASE x',
      'CREATE TEMPORARY TABLE x (x Int8)',
      'SET max_ast_elements = 1000',
    ]) {
      const reply = await fetch(engine.url, { method: 'POST', body: statement });
      expect([statement, await reply.text()]).toEqual([statement, expect.stringMatching(refusal)]);
    }
    const overridden = await fetch(`${engine.url}/?max_ast_elements=1000`, {
      method: 'POST',
      body: "SELECT file('/etc/hostname')",
    });
    expect(await overridden.text()).toContain('SETTING_CONSTRAINT_VIOLATION');
  });

  test('listens on the loopback interface only', async () => {
    expect(engine.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(
      await query(
        engine.url,
        'admin',
        "SELECT value FROM system.server_settings WHERE name = 'max_server_memory_usage'",
      ),
    ).toBe('2000000000');
  });

  test('one process owns the data folder: a second start is a clear error, and the first keeps running', async () => {
    await expect(startCanary(folder.path)).rejects.toThrow(/process \d+ runs it on .* already/);
    expect(await query(engine.url, 'admin', 'SELECT 1')).toBe('1');
  });

  test('the engine itself refuses a second server on its folder', async () => {
    const script = join(import.meta.dirname, 'clickhouse-child.ts');
    const child = spawn(process.execPath, [
      script,
      clickhouseLibrary(),
      join(folder.path, 'clickhouse/millrace-config.xml'),
    ]);
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'exit');
    expect(output).toContain('CANNOT_OPEN_FILE');
    expect(await query(engine.url, 'admin', 'SELECT 1')).toBe('1');
  });

  test('a port that another program has is a clear error with what to do', async () => {
    const other = createServer((socket) => void socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const start = startClickhouse({ dataDir: join(folder.path, 'other'), ...canaryOptions, port });
    await expect(start).rejects.toThrow(new RegExp(`clickhouse did not start: .* the port ${port} is taken`));
    other.close();
  });
});

describe('the end of an engine', () => {
  test('comes with the end of its starter, even by kill -9', async () => {
    const program = `
      import { startClickhouse } from ${JSON.stringify(join(import.meta.dirname, 'clickhouse.ts'))};
      const engine = await startClickhouse({ dataDir: process.argv[1], ...${JSON.stringify(canaryOptions)} });
      console.log(engine.pid);
    `;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', program, join(folder.path, 'abandoned')]);
    const [line] = (await once(starter.stdout, 'data')) as [Buffer];
    const engine = await identifyProcess(Number(line.toString()));
    if (engine === undefined) throw new Error('the engine did not run');
    starter.kill('SIGKILL');
    expect(await endsWithin(engine, 5_000)).toBe(true);
  });

  test('is reported when it was not requested', async () => {
    const doomed = await startClickhouse({ dataDir: join(folder.path, 'doomed'), ...canaryOptions });
    process.kill(doomed.pid, 'SIGKILL');
    expect(await doomed.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });
});
