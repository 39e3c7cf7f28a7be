import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { symbolIndexKey } from '@millrace/contracts/symbol-objects.ts';
import { newObjectKey } from '@millrace/object-storage/object-storage.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { startTestApi, type Seed, type TestApi } from '../../../../test/test-api.ts';
import { postFile, uploadClient } from '../testing/upload-client.ts';
import { sweepSymbolSets } from './sweep-symbol-sets.ts';

// contract/decisions 114, 123.

const hourMs = 3_600_000;
let api: TestApi;
let acme: Seed;
let client: ReturnType<typeof uploadClient>;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  client = uploadClient(api, acme);
});
afterAll(() => api?.stop());

const sweepIn = (hours: number) =>
  sweepSymbolSets({
    prisma: api.prisma,
    storage: api.storage,
    clock: { nowMs: () => Date.now() + hours * hourMs },
    logger: createLogger('test', 'silent'),
  });
const refs = async () =>
  (await api.prisma.symbolSet.findMany({ where: { projectId: acme.projectId }, orderBy: { ref: 'asc' } })).map(
    ({ ref }) => ref,
  );
const objects = () => readdirSync(join(api.objectsFolder, 'symbolsets')).length;

test('after a day what was not finished is gone, and what is in use stays', async () => {
  const [file, next] = [randomBytes(10), randomBytes(20)];
  const kept = await client.upload('kept', file, 'h');
  const replaced = await client.upload('replaced', file, 'h1');
  await client.upload('replaced', next, 'h2', { force: true });
  const begun = await client.begin({ chunk_id: 'kept', content_hash: 'h2' }, { force: true });
  for (const { presigned_url } of [begun, await client.begin({ chunk_id: 'pending' })])
    await postFile(presigned_url, file);
  const failed = { id: crypto.randomUUID(), projectId: acme.projectId, ref: 'failed', failureReason: 'no map' };
  await api.prisma.symbolSet.create({ data: failed });
  const keptSet = await api.prisma.symbolSet.findUniqueOrThrow({ where: { id: kept } });
  const indexes = [symbolIndexKey(keptSet.storageKey ?? ''), newObjectKey('symbolindexes', Date.now())];
  for (const key of indexes) await api.storage.put(key, file);
  await api.storage.put(newObjectKey('symbolsets', Date.now()), file);
  const another = newObjectKey('legal_documents', 0);
  await api.storage.put(another, file);

  await sweepIn(23);
  expect(await refs()).toEqual(['failed', 'kept', 'pending', 'replaced']);
  expect(objects()).toBe(6);

  await sweepIn(25);
  expect(await refs()).toEqual(['failed', 'kept', 'replaced']);
  expect(await api.prisma.symbolSetUpload.count()).toBe(0);
  expect(objects()).toBe(2);
  expect(await api.storage.head(another)).toBeDefined();
  expect(await Promise.all(indexes.map((key) => api.storage.head(key)))).toEqual([{ sizeBytes: 10 }, undefined]);
  expect((await client.download(kept))?.equals(file)).toBe(true);
  expect((await client.download(replaced))?.equals(next)).toBe(true);
});

test('a set whose upload began again stays as long as that upload', async () => {
  await client.begin({ chunk_id: 'again' });
  const where = { symbolSet: { projectId: acme.projectId, ref: 'again' } };
  await api.prisma.symbolSetUpload.updateMany({ where, data: { startedAt: new Date(Date.now() - 30 * hourMs) } });
  await api.prisma.symbolSet.updateMany({
    where: { projectId: acme.projectId, ref: 'again' },
    data: { lastUsedAt: new Date(Date.now() - 30 * hourMs) },
  });
  await client.begin({ chunk_id: 'again' });
  await sweepIn(0);
  expect(await refs()).toContain('again');
  expect(await api.prisma.symbolSetUpload.count({ where })).toBe(1);
});

test('many objects that no row names are gone, in steps', async () => {
  for (let at = 0; at < 1100; at++) await api.storage.put(newObjectKey('symbolsets', at), new Uint8Array(1));
  const before = objects();
  await sweepIn(0);
  expect(objects()).toBe(before - 1100);
});

test('an index of another version is gone after a day, and the one of its file stays', async () => {
  const kept = await client.upload('compiled', randomBytes(10), 'h');
  const { storageKey } = await api.prisma.symbolSet.findUniqueOrThrow({ where: { id: kept } });
  const current = symbolIndexKey(storageKey ?? '');
  const unversioned = current.replace(/_\d+$/, '');
  const indexes = [unversioned, `${unversioned}_1`, current, symbolIndexKey(newObjectKey('symbolsets', Date.now()))];
  for (const key of indexes) await api.storage.put(key, new Uint8Array(3));
  const there = async () =>
    (await Promise.all(indexes.map((key) => api.storage.head(key)))).map((object) => object !== undefined);
  await sweepIn(23);
  expect(await there()).toEqual([true, true, true, true]);
  await sweepIn(25);
  expect(await there()).toEqual([false, false, true, false]);
  expect(await api.storage.head(storageKey ?? '')).toBeDefined();
});
