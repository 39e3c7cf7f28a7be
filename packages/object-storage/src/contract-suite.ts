import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import {
  keyMadeAtMs,
  newObjectKey,
  TooManyBytesError,
  type ObjectStorage,
  type PresignedPost,
} from './object-storage.ts';

/** A storage whose addresses are served. */
export interface ServedStorage {
  storage: ObjectStorage;
  /** Address of the service that serves the objects, when that is one of ours. */
  baseUrl: string;
  /** Addresses that were given out before are for the past. */
  advanceClock: (seconds: number) => Promise<void>;
}

const key = (): string => newObjectKey('symbolsets', Date.now());

async function storedIn(storage: ObjectStorage, name: string): Promise<Buffer | undefined> {
  const content = await storage.get(name);
  return content && (await buffer(content));
}

/** Services may rely on this, whatever keeps the objects. */
export function describeObjects(name: string, open: () => ObjectStorage): void {
  describe(`objects in ${name}`, () => {
    test('are what was put, replaced by what is put again, and gone when deleted', async () => {
      const storage = open();
      const [name, bytes] = [key(), randomBytes(100_000)];
      expect([await storage.head(name), await storage.get(name)]).toEqual([undefined, undefined]);
      await storage.put(name, bytes);
      expect(await storage.head(name)).toEqual({ sizeBytes: 100_000 });
      expect((await storedIn(storage, name))?.equals(bytes)).toBe(true);
      await storage.put(name, new Uint8Array());
      expect([await storage.head(name), (await storedIn(storage, name))?.length]).toEqual([{ sizeBytes: 0 }, 0]);
      await storage.delete(name);
      await storage.delete(name);
      expect(await storage.get(name)).toBeUndefined();
    });

    test('have a copy under another key, which stays as it is when the first is replaced or deleted', async () => {
      const storage = open();
      const [first, second, bytes] = [key(), key(), randomBytes(1_000)];
      expect(await storage.copy(first, second)).toBe(false);
      await storage.put(first, bytes);
      expect(await storage.copy(first, second)).toBe(true);
      await storage.put(first, randomBytes(10));
      expect((await storedIn(storage, second))?.equals(bytes)).toBe(true);
      await storage.delete(first);
      expect((await storedIn(storage, second))?.equals(bytes)).toBe(true);
    });

    test('arrive as a stream: whole, or not at all when it fails or is too long', async () => {
      const storage = open();
      const name = key();
      const chunks = Array.from({ length: 20 }, () => randomBytes(50_000));
      await storage.receive(name, Readable.from(chunks), 1_000_000);
      expect((await storedIn(storage, name))?.equals(Buffer.concat(chunks))).toBe(true);
      const broken = async function* () {
        yield randomBytes(10);
        await Promise.reject(new Error('gone'));
      };
      await expect(storage.receive(name, Readable.from(broken()), 1_000_000)).rejects.toThrow('gone');
      await expect(storage.receive(name, Readable.from(chunks), 999_999)).rejects.toThrow(TooManyBytesError);
      expect(await storage.head(name)).toEqual({ sizeBytes: 1_000_000 });
      await storage.receive(name, Readable.from([]), 0);
      expect(await storage.head(name)).toEqual({ sizeBytes: 0 });
    });

    test('are listed by folder, in the order in which their keys were made', async () => {
      const storage = open();
      const keysOf = async (folder: string): Promise<string[]> => {
        const keys: string[] = [];
        for await (const name of storage.list(folder)) keys.push(name);
        return keys;
      };
      expect(await keysOf('listed')).toEqual([]);
      const times = [30, 10, 20].map((days) => days * 86_400_000);
      for (const time of times) await storage.put(newObjectKey('listed', time), randomBytes(1));
      await storage.put(newObjectKey('listed_too', 1), randomBytes(1));
      expect((await keysOf('listed')).map(keyMadeAtMs)).toEqual(times.toSorted((one, other) => one - other));
      for (const folder of ['', '..', 'a/b', '.arriving']) await expect(keysOf(folder)).rejects.toThrow(/no key/);
    });

    test.each(['', 'a', '../secret', 'a/../b', '/etc/passwd', 'a/b/c', 'a/.b', 'a/b\0'])(
      'no key leads elsewhere: %j is refused',
      async (name) => {
        const storage = open();
        await expect((async () => storage.put(name, randomBytes(1)))()).rejects.toThrow(/no key/);
        await expect((async () => storage.receive(name, Readable.from([]), 1))()).rejects.toThrow(/no key/);
        await expect((async () => storage.get(name))()).rejects.toThrow(/no key/);
        await expect((async () => storage.delete(name))()).rejects.toThrow(/no key/);
        await expect((async () => storage.copy(key(), name))()).rejects.toThrow(/no key/);
        await expect((async () => storage.copy(name, key()))()).rejects.toThrow(/no key/);
        await expect(
          (async () => storage.presignPut(name, { contentLength: 1, lifetimeSeconds: 300, baseUrl: '' }))(),
        ).rejects.toThrow(/no key/);
      },
    );
  });
}

/** Clients may rely on this with every storage. */
export function describeObjectAddresses(name: string, open: () => ServedStorage): void {
  const limits = () => ({ lifetimeSeconds: 300, baseUrl: open().baseUrl });
  const stored = (key: string): Promise<Buffer | undefined> => storedIn(open().storage, key);

  describe(`forms into ${name}`, () => {
    const post = (
      { url, fields }: PresignedPost,
      bytes: Uint8Array<ArrayBuffer>,
      changes: Record<string, string> = {},
    ) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...fields, ...changes })) form.append(name, value);
      form.append('file', new Blob([bytes]), 'file');
      return fetch(url, { method: 'POST', body: form });
    };

    test('store the file, and again with the same fields', async () => {
      const name = key();
      const presigned = await open().storage.presignPost(name, { bytesMax: 200_000, ...limits() });
      for (const size of [200_000, 5, 0]) {
        const bytes = randomBytes(size);
        const reply = await post(presigned, bytes);
        expect([size, reply.status, await reply.text()]).toEqual([size, 204, '']);
        expect((await stored(name))?.equals(bytes)).toBe(true);
      }
    });

    test('hold so many bytes and no more, and what is refused leaves what was there', async () => {
      const name = key();
      const presigned = await open().storage.presignPost(name, { bytesMax: 10, ...limits() });
      await post(presigned, randomBytes(10));
      expect((await post(presigned, randomBytes(11))).status).toBeGreaterThanOrEqual(400);
      expect(await open().storage.head(name)).toEqual({ sizeBytes: 10 });
    });

    test('are for one object, and for nothing that was changed in them', async () => {
      const [name, others] = [key(), key()];
      const presigned = await open().storage.presignPost(name, { bytesMax: 10, ...limits() });
      const named = (pattern: RegExp): string =>
        Object.keys(presigned.fields).find((field) => pattern.test(field)) ?? '';
      const [signature, policy] = [named(/signature/i), named(/^policy$/i)];
      const spoilt = [
        { key: others },
        { [signature]: '0'.repeat(64) },
        { [signature]: '' },
        { [policy]: Buffer.from('{}').toString('base64') },
      ];
      for (const changes of spoilt) {
        const { status } = await post(presigned, randomBytes(5), changes);
        expect([changes, status]).toEqual([changes, 403]);
      }
      expect([await open().storage.head(name), await open().storage.head(others)]).toEqual([undefined, undefined]);
    });

    test('are for a time', async () => {
      const { storage, baseUrl, advanceClock } = open();
      const presigned = await storage.presignPost(key(), { bytesMax: 10, lifetimeSeconds: 1, baseUrl });
      await advanceClock(2);
      expect((await post(presigned, randomBytes(5))).status).toBe(403);
    });
  });

  describe(`raw uploads into ${name}`, () => {
    const put = (url: string, bytes: Uint8Array<ArrayBuffer>) => fetch(url, { method: 'PUT', body: bytes });

    test('are for exactly so many bytes', async () => {
      const name = key();
      const url = await open().storage.presignPut(name, { contentLength: 50_000, ...limits() });
      for (const size of [49_999, 50_001])
        expect([size, (await put(url, randomBytes(size))).status]).toEqual([size, 403]);
      expect(await open().storage.head(name)).toBeUndefined();
      const bytes = randomBytes(50_000);
      expect((await put(url, bytes)).ok).toBe(true);
      expect((await stored(name))?.equals(bytes)).toBe(true);
    });

    test('are for one object, unchanged, and for a time', async () => {
      const { storage, baseUrl, advanceClock } = open();
      const [name, others] = [key(), key()];
      const url = await storage.presignPut(name, { contentLength: 5, ...limits() });
      expect((await put(url.replace(name, others), randomBytes(5))).status).toBe(403);
      expect((await fetch(url)).status).toBe(403);
      const brief = await storage.presignPut(name, { contentLength: 5, lifetimeSeconds: 1, baseUrl });
      await advanceClock(2);
      expect((await put(brief, randomBytes(5))).status).toBe(403);
      expect([await storage.head(name), await storage.head(others)]).toEqual([undefined, undefined]);
    });
  });

  describe(`downloads from ${name}`, () => {
    const file = () => ({ contentType: 'application/pdf', fileName: 'Auftrag "für" Ärzte\r\nX: y.pdf', ...limits() });

    test('are the object, as a file of the given type and name', async () => {
      const { storage } = open();
      const [name, bytes] = [key(), randomBytes(30_000)];
      await storage.put(name, bytes);
      const reply = await fetch(await storage.presignGet(name, file()));
      expect([reply.status, reply.headers.get('content-type'), reply.headers.get('content-length')]).toEqual([
        200,
        'application/pdf',
        '30000',
      ]);
      expect(reply.headers.get('content-disposition')).toMatch(
        /^attachment; filename="[^"]+"; filename\*=UTF-8''Auftrag%20%22f%C3%BCr%22/,
      );
      expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true);
    });

    test('are of one object, unchanged, and for a time; of what is not there 404', async () => {
      const { storage, baseUrl, advanceClock } = open();
      const [name, others] = [key(), key()];
      for (const one of [name, others]) await storage.put(one, randomBytes(5));
      const url = await storage.presignGet(name, file());
      expect((await fetch(url.replace(name, others))).status).toBe(403);
      expect((await fetch(url.replace('pdf', 'html'))).status).toBe(403);
      expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403);
      const brief = await storage.presignGet(name, { ...file(), lifetimeSeconds: 1, baseUrl });
      await advanceClock(2);
      expect((await fetch(brief)).status).toBe(403);
      await storage.delete(name);
      expect((await fetch(url)).status).toBe(404);
    });
  });
}
