import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@millrace/engines/ports.ts';
import { delay } from '@millrace/runtime/clock.ts';
import { readConfig } from '@millrace/runtime/config.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createStorage } from './create-storage.ts';
import { newObjectKey, type ObjectStorage } from './object-storage.ts';
import { describeObjectAddresses, describeObjects } from './contract-suite.ts';
import { storageSettings } from './storage-settings.ts';

// Against versitygw, a real S3 server that checks signatures, policies and expiry; infra/ci/prepare builds it.
const installed = join(import.meta.dirname, '../../../.tools/bin/versitygw');
const keys = { access: 'millrace', secret: 'secret-of-the-tests' };
const clock = { nowMs: () => Date.now() };
const logger = createLogger('test', 'silent');
const folder = mkdtempSync(join(tmpdir(), 'millrace-s3-'));
let server: ChildProcess;
let endpoint: string;
let storage: ObjectStorage;

const settingsFor = (changes: Record<string, string> = {}) =>
  readConfig(storageSettings, {
    STORAGE_S3_BUCKET: 'millrace-tests',
    STORAGE_S3_ENDPOINT: endpoint,
    STORAGE_S3_ACCESS_KEY: keys.access,
    STORAGE_S3_SECRET_KEY: keys.secret,
    ...changes,
  });

function open(changes?: Record<string, string>): ObjectStorage {
  const made = createStorage(settingsFor(changes), { clock, logger });
  if (made.storage === undefined || made.served !== undefined) throw new Error('clients must go to S3 by themselves');
  return made.storage;
}

beforeAll(async () => {
  const port = await freePort();
  endpoint = `http://127.0.0.1:${port}`;
  mkdirSync(join(folder, 'objects'));
  const settings = [
    '--port',
    `127.0.0.1:${port}`,
    '--access',
    keys.access,
    '--secret',
    keys.secret,
    '--health',
    '/health',
  ];
  server = spawn(
    existsSync(installed) ? installed : 'versitygw',
    [...settings, 'posix', '--nometa', join(folder, 'objects')],
    { stdio: 'ignore' },
  );
  await once(server, 'spawn');
  await eventually(async () => expect((await fetch(`${endpoint}/health`)).status).toBe(200));
  storage = open();
  await storage.start();
});
afterAll(() => {
  storage?.close();
  server?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

describeObjects('S3', () => storage);
describeObjectAddresses('S3', () => ({ storage, baseUrl: '', advanceClock: (seconds) => delay(seconds * 1000 + 500) }));

test('the bucket is created once, by the first process that starts', async () => {
  const both = [1, 2].map(() => open({ STORAGE_S3_BUCKET: 'made-by-two' }));
  await Promise.all(both.map((one) => one.start()));
  const key = newObjectKey('a', clock.nowMs());
  await both[0]?.put(key, new Uint8Array(3));
  expect(await both[1]?.head(key)).toEqual({ sizeBytes: 3 });
  for (const one of both) one.close();
});

test('addresses are of the host that clients see', async () => {
  const seen = open({ STORAGE_S3_PUBLIC_ENDPOINT: 'https://files.example.com' });
  const limits = { lifetimeSeconds: 60, baseUrl: '' };
  const { url } = await seen.presignPost('a/b', { bytesMax: 1, ...limits });
  expect(url).toBe('https://files.example.com/millrace-tests');
  expect(await seen.presignGet('a/b', { contentType: 'text/plain', fileName: 'b', ...limits })).toMatch(
    /^https:\/\/files\.example\.com\/millrace-tests\/a\/b\?/,
  );
  seen.close();
});

test('a storage that is away lets the service start, and fails what needs it', async () => {
  const away = open({ STORAGE_S3_ENDPOINT: 'http://127.0.0.1:1' });
  await away.start();
  await expect(away.put('a/b', new Uint8Array())).rejects.toThrow(/ECONNREFUSED/);
  away.close();
});

test('a wrong secret: the log names the setting, and neither the secret nor the signed text', async () => {
  let line = '';
  const watched = createLogger('tested', 'warn', { destination: { write: (text) => void (line += text) } });
  const { storage: refused } = createStorage(
    settingsFor({ STORAGE_S3_BUCKET: 'of-nobody', STORAGE_S3_SECRET_KEY: 'S3cr3t-of-nobody' }),
    { clock, logger: watched },
  );
  await refused?.start();
  refused?.close();
  const { err } = JSON.parse(line) as { err: object };
  expect(Object.keys(err).filter((name) => !['type', 'message', 'code', 'stack', 'cause'].includes(name))).toEqual([]);
  expect(line).toContain('could not be checked');
  expect(line).not.toMatch(/S3cr3t|StringToSign|AWS4-HMAC|X-Amz/);
});
