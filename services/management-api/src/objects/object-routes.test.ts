import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeObjectAddresses } from '@millrace/object-storage/contract-suite.ts';
import { createDirectoryStorage } from '@millrace/object-storage/directory-storage.ts';
import { newObjectKey } from '@millrace/object-storage/object-storage.ts';
import { createObjectSigner } from '@millrace/object-storage/object-signatures.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { serveObjects } from './testing/serve-objects.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-objects-'));
const clock = { aheadMs: 0, nowMs: () => Date.now() + clock.aheadMs };
const signer = createObjectSigner('of this test');
const storage = createDirectoryStorage(folder, { signer, clock, logger: createLogger('test', 'silent') });
let server: Awaited<ReturnType<typeof serveObjects>>;
let baseUrl: string;

beforeAll(async () => {
  server = await serveObjects({ storage, signer, clock });
  baseUrl = server.baseUrl;
});
afterAll(() => {
  server?.stop();
  rmSync(folder, { recursive: true });
});

describeObjectAddresses('a directory', () => ({
  storage,
  baseUrl,
  advanceClock: (seconds) => {
    clock.aheadMs += seconds * 1000;
    return Promise.resolve();
  },
}));

const arriving = (): string[] => readdirSync(join(folder, '.arriving'));

describe('the addresses of a directory', () => {
  test('keep nothing of an upload that breaks off', async () => {
    const key = newObjectKey('symbolsets', clock.nowMs());
    const { url, fields } = await storage.presignPost(key, { bytesMax: 1000, lifetimeSeconds: 60, baseUrl });
    const upload = httpRequest(url, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 5000 },
    });
    const broken = once(upload, 'error');
    for (const [name, value] of Object.entries(fields))
      upload.write(`--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
    upload.write('--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nhalf');
    await eventually(() => expect(arriving()).toHaveLength(1));
    upload.destroy(new Error('gone'));
    await broken;
    await eventually(() => expect(arriving()).toEqual([]));
    expect(await storage.head(key)).toBeUndefined();
  });

  test('name the error of a form', async () => {
    const post = async (body: string | FormData, type?: string) => {
      const reply = await fetch(`${baseUrl}/objects`, {
        method: 'POST',
        body,
        ...(type && { headers: { 'content-type': type } }),
      });
      return [reply.status, ((await reply.json()) as { code: string }).code];
    };
    expect(await post('{}', 'application/json')).toEqual([415, 'unsupported_media_type']);
    expect(await post('x', 'multipart/form-data')).toEqual([400, 'parse_error']);
    expect(await post('x', 'multipart/form-data; boundary=x')).toEqual([400, 'parse_error']);
    const noFile = new FormData();
    noFile.append('key', 'a/b');
    expect(await post(noFile)).toEqual([400, 'required']);
  });

  test('answer 413 before an upload is at its end, once it is too large', async () => {
    const key = newObjectKey('symbolsets', clock.nowMs());
    const { url, fields } = await storage.presignPost(key, { bytesMax: 10, lifetimeSeconds: 60, baseUrl });
    const upload = httpRequest(url, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x' } });
    for (const [name, value] of Object.entries(fields))
      upload.write(`--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
    upload.write(`--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n${'x'.repeat(100)}`);
    const [reply] = (await once(upload, 'response')) as [{ statusCode: number; headers: Record<string, string> }];
    expect([reply.statusCode, reply.headers['connection']]).toEqual([413, 'close']);
    upload.destroy();
    expect(arriving()).toEqual([]);
  });
});
