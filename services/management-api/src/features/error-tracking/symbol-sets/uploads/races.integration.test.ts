import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../../test/test-api.ts';
import { postFile, uploadClient } from '../testing/upload-client.ts';

let api: TestApi;
let acme: Seed;
let client: ReturnType<typeof uploadClient>;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  acme = await api.seed('Acme');
  client = uploadClient(api, acme);
});

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const sets = () => api.prisma.symbolSet.findMany({ where: { projectId: acme.projectId }, include: { uploads: true } });

test('of two builds that upload the same chunk at once both succeed, with the same content', async () => {
  const bytes = randomBytes(1000);
  const set = { chunk_id: 'a', content_hash: 'h' };
  const [first, second] = await Promise.all([client.begin(set, { force: true }), client.begin(set, { force: true })]);
  expect(first.symbol_set_id).toBe(second.symbol_set_id);
  // The one that began first is also the first to be done: the object of the other is not there yet.
  for (const { presigned_url, symbol_set_id } of [first, second]) {
    expect(await postFile(presigned_url, bytes)).toBe(204);
    expect((await client.finish({ [symbol_set_id]: 'h' })).status).toBe(200);
    expect((await client.download(symbol_set_id))?.equals(bytes)).toBe(true);
  }
  expect(await sets()).toHaveLength(1);
});

test('with other content the file and the hash are of one build, whoever is first', async () => {
  const files = times(2, (at) => ({ hash: `h${at}`, bytes: randomBytes(1000 + at) }));
  const begun = await Promise.all(
    files.map(({ hash }) => client.begin({ chunk_id: 'a', content_hash: hash }, { force: true })),
  );
  await Promise.all(begun.map(({ presigned_url }, at) => postFile(presigned_url, files[at]?.bytes ?? Buffer.alloc(0))));
  const id = begun[0]?.symbol_set_id ?? '';
  const answers = await Promise.all(files.map(({ hash }) => client.finish({ [id]: hash })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const [row] = await sets();
  const file = files.find(({ hash }) => hash === row?.contentHash);
  expect((await client.download(id))?.equals(file?.bytes ?? Buffer.alloc(0))).toBe(true);
});

test('many starts and finishes of the same chunks at once, in any order, neither fail nor double', async () => {
  const refs = times(30, (at) => `c${at}`);
  const starts = await Promise.all(
    times(6, (at) =>
      client.start((at % 2 ? refs : refs.toReversed()).map((chunk_id) => ({ chunk_id, content_hash: 'h' }))),
    ),
  );
  expect(starts.map(({ status }) => status)).toEqual(times(6, () => 201));
  expect(await sets()).toHaveLength(30);
  const [begun] = starts;
  const entries = Object.values(begun?.body.id_map ?? {});
  await Promise.all(entries.map(({ presigned_url }) => postFile(presigned_url, randomBytes(5))));
  const hashes = entries.map(({ symbol_set_id }) => [symbol_set_id, 'h'] as const);
  const finishes = await Promise.all(
    times(6, (at) => client.finish(Object.fromEntries(at % 2 ? hashes : hashes.toReversed()))),
  );
  expect(finishes.map(({ status, body }) => [status, body.detail])).toEqual(times(6, () => [200, undefined]));
  expect((await sets()).every(({ storageKey, contentHash }) => storageKey !== null && contentHash === 'h')).toBe(true);
});

test('a set that is deleted during its upload: the upload ends well, the finish does not, and nothing is left', async () => {
  const { symbol_set_id: id, presigned_url } = await client.begin({ chunk_id: 'a', content_hash: 'h' });
  expect((await client.send('delete', `/${id}`)).status).toBe(204);
  expect(await postFile(presigned_url, randomBytes(5))).toBe(204);
  const { status, body } = await client.finish({ [id]: 'h' });
  expect([status, body.code]).toEqual([400, 'symbol_set_not_found']);
  expect(await sets()).toEqual([]);
});

test('a delete and a finish at once: one set with its file, or none', async () => {
  for (const at of times(8, (index) => index)) {
    const { symbol_set_id: id, presigned_url } = await client.begin({ chunk_id: `c${at}`, content_hash: 'h' });
    await postFile(presigned_url, randomBytes(5));
    const [gone, finished] = await Promise.all([client.send('delete', `/${id}`), client.finish({ [id]: 'h' })]);
    expect(gone.status).toBe(204);
    expect([200, 400]).toContain(finished.status);
    expect(await sets()).toEqual([]);
  }
});

test('starts, deletions and that of their release at once: each is done or refused', async () => {
  const refs = times(40, (at) => `c${at}`);
  for (const round of times(4, (index) => index)) {
    const release = {
      id: crypto.randomUUID(),
      projectId: acme.projectId,
      hashId: `r${round}`,
      version: '1',
      project: 'shop',
    };
    await api.prisma.errorTrackingRelease.create({ data: release });
    const start = (order: readonly string[], release_id: string | null) =>
      client.start(order.map((chunk_id) => ({ chunk_id, content_hash: 'h', release_id })));
    expect((await start(refs, release.id)).status).toBe(201);
    const ids = (await sets()).map(({ id }) => id);
    const answers = await Promise.all([
      start(refs.toReversed(), release.id),
      start(refs, null),
      client.send('post', '/bulk_delete', { ids: ids.toSorted() }),
      api.as(acme.key).send('delete', `/api/projects/${acme.projectId}/error_tracking/releases/${release.id}`),
      start(refs.toReversed(), null),
    ]);
    const [first, ...others] = answers.map(({ status }) => status);
    expect([201, 400]).toContain(first);
    expect(others).toEqual([201, 200, 204, 201]);
    const rest = (await sets()).map(({ id }) => id);
    if (rest.length > 0) expect((await client.send('post', '/bulk_delete', { ids: rest })).status).toBe(200);
  }
});
