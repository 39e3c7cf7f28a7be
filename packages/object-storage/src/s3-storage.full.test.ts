import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { delay } from '@millrace/runtime/clock.ts';
import { readConfig } from '@millrace/runtime/config.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { createStorage } from './create-storage.ts';
import { newObjectKey, type ObjectStorage } from './object-storage.ts';
import { describeObjectAddresses, describeObjects } from './contract-suite.ts';
import { storageSettings } from './storage-settings.ts';
import { startS3 } from './testing/start-s3.ts';

const clock = { nowMs: () => Date.now() };
const logger = createLogger('test', 'silent');
let s3: Awaited<ReturnType<typeof startS3>>;
let storage: ObjectStorage;

const settingsFor = (changes: Record<string, string> = {}) =>
  readConfig(storageSettings, { ...s3.environment, STORAGE_S3_PUBLIC_ENDPOINT: s3.endpoint, ...changes });

function open(changes?: Record<string, string>): ObjectStorage {
  const made = createStorage(settingsFor(changes), { clock, logger });
  if (made.storage === undefined || made.served !== undefined) throw new Error('clients must go to S3 by themselves');
  return made.storage;
}

beforeAll(async () => {
  s3 = await startS3();
  storage = open();
  await storage.start();
});
afterAll(() => {
  storage?.close();
  s3?.stop();
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

test('nothing of a stream stays on this machine', async () => {
  // A process that was killed between two calls may have left an empty one before.
  const names = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('millrace-object-'));
  const before = names();
  await storage.receive(newObjectKey('a', clock.nowMs()), Readable.from([Buffer.alloc(5)]), 5);
  await expect(storage.receive(newObjectKey('a', 0), Readable.from([Buffer.alloc(5)]), 4)).rejects.toThrow();
  expect(names().filter((name) => !before.includes(name))).toEqual([]);
});

test('addresses are of the API where clients reach no other, and need a secret then', async () => {
  const hidden = { STORAGE_S3_PUBLIC_ENDPOINT: '', STORAGE_SIGNING_SECRET: 'of this test' };
  const made = createStorage(settingsFor(hidden), { clock, logger });
  const limits = { lifetimeSeconds: 60, baseUrl: 'https://api.example.com' };
  expect(made.served?.storage).toBe(made.storage);
  expect((await made.storage?.presignPost('a/b', { bytesMax: 1, ...limits }))?.url).toBe(
    'https://api.example.com/objects',
  );
  expect(await made.storage?.presignPut('a/b', { contentLength: 1, ...limits })).toMatch(
    /^https:\/\/api\.example\.com\//,
  );
  made.storage?.close();
  expect(() => open({ STORAGE_S3_PUBLIC_ENDPOINT: '' })).toThrow(
    /STORAGE_SIGNING_SECRET or STORAGE_S3_PUBLIC_ENDPOINT/,
  );
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
