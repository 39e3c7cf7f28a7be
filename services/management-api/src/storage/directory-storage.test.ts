import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import { mountRoutes } from '@millrace/http/mount.ts';
import { readConfig } from '@millrace/runtime/config.ts';
import { createLogger } from '@millrace/runtime/logger.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createStorage } from './create-storage.ts';
import { newObjectKey, type ObjectStorage } from './object-storage.ts';
import { describeObjectStorage } from './contract-suite.ts';
import { storageSettings } from './storage-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-objects-'));
const clock = { aheadMs: 0, nowMs: () => Date.now() + clock.aheadMs };
const logger = createLogger('test', 'silent');
let server: Server;
let storage: ObjectStorage;
let baseUrl: string;

beforeAll(async () => {
  const made = createStorage(readConfig(storageSettings, { STORAGE_DIR: folder, STORAGE_SIGNING_SECRET: 'of this test' }), { clock, logger });
  const app = express();
  const nobody = () => Promise.reject(new Error('no key is asked for'));
  const others = made.routes ?? (() => undefined);
  mountRoutes(app, [], { context: {}, authorize: nobody, authenticate: nobody, others, bodyBytesMax: 1, log: logger, unsent: { hold: () => ({ sent: () => undefined }) }, onFinish: () => undefined });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (made.storage === undefined) throw new Error('there is no storage');
  storage = made.storage;
  await storage.start();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

describeObjectStorage('a directory', () => ({
  storage,
  baseUrl,
  letPass: (seconds) => {
    clock.aheadMs += seconds * 1000;
    return Promise.resolve();
  },
}));

const arriving = (): string[] => readdirSync(join(folder, '.arriving'));

describe('a directory', () => {
  test('keeps its objects for its owner alone', async () => {
    const key = newObjectKey('private', clock.nowMs());
    await storage.put(key, new Uint8Array(5));
    expect(statSync(join(folder, key)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'private')).mode & 0o777).toBe(0o700);
  });

  test('keeps nothing of an upload that breaks off', async () => {
    const key = newObjectKey('symbolsets', clock.nowMs());
    const { url, fields } = await storage.presignPost(key, { bytesMax: 1000, lifetimeSeconds: 60, baseUrl });
    const upload = httpRequest(url, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 5000 } });
    const broken = once(upload, 'error');
    for (const [name, value] of Object.entries(fields)) upload.write(`--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
    upload.write('--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nhalf');
    await eventually(() => expect(arriving()).toHaveLength(1));
    upload.destroy(new Error('gone'));
    await broken;
    await eventually(() => expect(arriving()).toEqual([]));
    expect(await storage.head(key)).toBeUndefined();
  });

  test('says what is wrong with a form', async () => {
    const post = async (body: string | FormData, type?: string) => {
      const reply = await fetch(`${baseUrl}/objects`, { method: 'POST', body, ...(type && { headers: { 'content-type': type } }) });
      return [reply.status, ((await reply.json()) as { code: string }).code];
    };
    expect(await post('{}', 'application/json')).toEqual([415, 'unsupported_media_type']);
    expect(await post('x', 'multipart/form-data')).toEqual([400, 'parse_error']);
    expect(await post('x', 'multipart/form-data; boundary=x')).toEqual([400, 'parse_error']);
    const noFile = new FormData();
    noFile.append('key', 'a/b');
    expect(await post(noFile)).toEqual([400, 'required']);
  });

  test('answers 413 before an upload is at its end, once it is too large', async () => {
    const key = newObjectKey('symbolsets', clock.nowMs());
    const { url, fields } = await storage.presignPost(key, { bytesMax: 10, lifetimeSeconds: 60, baseUrl });
    const upload = httpRequest(url, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x' } });
    for (const [name, value] of Object.entries(fields)) upload.write(`--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
    upload.write(`--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n${'x'.repeat(100)}`);
    const [reply] = (await once(upload, 'response')) as [{ statusCode: number; headers: Record<string, string> }];
    expect([reply.statusCode, reply.headers['connection']]).toEqual([413, 'close']);
    upload.destroy();
    expect(arriving()).toEqual([]);
  });

  test('clears away at its start what dead processes left', async () => {
    mkdirSync(join(folder, '.arriving'), { recursive: true });
    for (const name of ['old', 'new']) writeFileSync(join(folder, '.arriving', name), 'half');
    utimesSync(join(folder, '.arriving', 'old'), 0, 0);
    await storage.start();
    expect(arriving()).toEqual(['new']);
    rmSync(join(folder, '.arriving', 'new'));
  });

  test('needs a secret for its addresses', () => {
    expect(() => createStorage(readConfig(storageSettings, { STORAGE_DIR: folder }), { clock, logger })).toThrow(/STORAGE_SIGNING_SECRET must be set/);
  });
});
