import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../../test/test-api.ts';
import { postFile, uploadClient, type UploadReply } from '../testing/upload-client.ts';

// contract/orgs-errors 4.3, contract/decisions 106, 107, 112 to 115, 118, 120, 123, 127.

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

const refusalOf = ({ status, body }: { status: number; body: UploadReply }) => [status, body.code, body.attr];
const rows = () =>
  api.prisma.symbolSet.findMany({
    where: { projectId: acme.projectId },
    orderBy: { ref: 'asc' },
    include: { uploads: true },
  });
const show = async (id: string): Promise<UploadReply> => (await client.send('get', `/${id}`)).body;

describe('an upload', () => {
  test('by form: pending until it is finished, then the file is given back', async () => {
    const bytes = randomBytes(200_000);
    const entry = await client.begin({ chunk_id: 'a', content_hash: 'h' });
    expect(Object.keys(entry)).toEqual(['symbol_set_id', 'presigned_url']);
    expect(entry.presigned_url.url).toMatch(new RegExp(`^${api.api.url}/`));
    const id = entry.symbol_set_id;
    expect(await show(id)).toMatchObject({ ref: 'a', has_uploaded_file: false, failure_reason: null, release: null });
    expect(await client.download(id)).toBeNull();
    expect(await postFile(entry.presigned_url, randomBytes(5))).toBe(204);
    expect(await postFile(entry.presigned_url, bytes)).toBe(204);
    expect((await show(id)).has_uploaded_file).toBe(false);
    const finished = await client.finish({ [id]: 'h' });
    expect([finished.status, finished.body]).toEqual([200, { success: true }]);
    expect((await show(id)).has_uploaded_file).toBe(true);
    expect((await client.download(id))?.equals(bytes)).toBe(true);
  });

  test('that is finished is no longer replaced by its address, which is good for minutes after that', async () => {
    const bytes = randomBytes(1000);
    const { symbol_set_id: id, presigned_url } = await client.begin({ chunk_id: 'a', content_hash: 'h' });
    await postFile(presigned_url, bytes);
    expect((await client.finish({ [id]: 'h' })).status).toBe(200);
    const [row] = await rows();
    expect(await postFile(presigned_url, randomBytes(500))).toBe(204);
    expect((await client.finish({ [id]: 'h' })).status).toBe(200);
    expect((await client.download(id))?.equals(bytes)).toBe(true);
    expect((await rows()).map(({ storageKey }) => storageKey)).toEqual([row?.storageKey]);
  });

  test('is not finished with the hash of other content than was uploaded last', async () => {
    const bytes = randomBytes(10);
    const id = await client.upload('a', bytes, 'h1');
    expect(refusalOf(await client.finish({ [id]: 'h2' }))).toEqual([400, 'file_not_found', null]);
    expect((await rows()).map(({ contentHash }) => contentHash)).toEqual(['h1']);
    expect((await client.finish({ [id]: 'h1' })).status).toBe(200);
  });

  test('by PUT, of the length that was announced', async () => {
    const bytes = new Uint8Array(randomBytes(1000));
    const entry = await client.begin({ chunk_id: 'a', content_hash: 'h', content_length: 1000 });
    const put = (body: Uint8Array<ArrayBuffer>) => fetch(entry.presigned_put_url ?? '', { method: 'PUT', body });
    expect((await put(bytes.subarray(1))).status).toBe(403);
    expect((await put(bytes)).ok).toBe(true);
    expect((await client.finish({ [entry.symbol_set_id]: 'h' })).status).toBe(200);
    expect((await client.download(entry.symbol_set_id))?.equals(bytes)).toBe(true);
  });

  test('is not finished without its file, and may be afterwards', async () => {
    const [first, second] = [await client.begin({ chunk_id: 'a' }), await client.begin({ chunk_id: 'b' })];
    await postFile(first.presigned_url, randomBytes(5));
    const hashes = { [first.symbol_set_id]: 'h1', [second.symbol_set_id]: 'h2' };
    const refused = await client.finish(hashes);
    expect([...refusalOf(refused), refused.body.detail]).toEqual([
      400,
      'file_not_found',
      null,
      expect.stringContaining('"b"'),
    ]);
    expect((await rows()).map(({ storageKey, contentHash }) => [storageKey, contentHash])).toEqual([
      [null, null],
      [null, null],
    ]);
    await postFile(second.presigned_url, randomBytes(5));
    expect((await client.finish(hashes)).status).toBe(200);
    expect((await client.finish(hashes)).status).toBe(200);
    expect((await rows()).map(({ contentHash }) => contentHash)).toEqual(['h1', 'h2']);
  });

  test('of nothing is refused, and its row is gone; a set that has a file keeps it', async () => {
    const bytes = randomBytes(10);
    const id = await client.upload('old', bytes, 'h1');
    const again = await client.begin({ chunk_id: 'old', content_hash: 'h2' }, { force: true });
    const empty = await client.begin({ chunk_id: 'new', content_hash: 'h' });
    for (const { presigned_url } of [again, empty]) await postFile(presigned_url, Buffer.alloc(0));
    const refused = await client.finish({ [id]: 'h2', [empty.symbol_set_id]: 'h' });
    expect([...refusalOf(refused), refused.body.detail]).toEqual([
      400,
      'file_too_large',
      null,
      expect.stringContaining('"new"'),
    ]);
    expect((await rows()).map(({ ref, uploads }) => [ref, uploads.length])).toEqual([['old', 0]]);
    expect((await client.download(id))?.equals(bytes)).toBe(true);
  });

  test('of nothing does not end the upload of another build', async () => {
    const bytes = randomBytes(10);
    const empty = await client.begin({ chunk_id: 'a', content_hash: 'h1' });
    const other = await client.begin({ chunk_id: 'a', content_hash: 'h2' });
    await postFile(empty.presigned_url, Buffer.alloc(0));
    expect(refusalOf(await client.finish({ [empty.symbol_set_id]: 'h1' }))[1]).toBe('file_too_large');
    await postFile(other.presigned_url, bytes);
    expect((await client.finish({ [other.symbol_set_id]: 'h2' })).status).toBe(200);
    expect((await client.download(other.symbol_set_id))?.equals(bytes)).toBe(true);
  });

  test('ends for ids that are no sets of the project, all of which are named', async () => {
    const other = await api.seed('Other');
    const theirs = await uploadClient(api, other).upload('a', randomBytes(5), 'h');
    const mine = await client.begin({ chunk_id: 'a' });
    await postFile(mine.presigned_url, randomBytes(5));
    const { status, body } = await client.finish({ [mine.symbol_set_id]: 'h', [theirs]: 'h', 'no-id': 'h' });
    expect([status, body.code]).toEqual([400, 'symbol_set_not_found']);
    expect([theirs, 'no-id', mine.symbol_set_id].map((id) => body.detail.includes(id))).toEqual([true, true, false]);
    expect((await rows()).map(({ contentHash }) => contentHash)).toEqual([null]);
  });

  test.each([{}, { content_hashes: {} }])('%j finishes nothing', async (body) => {
    const { status, body: answer } = await client.send('post', '/bulk_finish_upload', body);
    expect([status, answer]).toEqual([200, { success: true }]);
  });

  test('its hash may not be null', async () => {
    expect(refusalOf(await client.send('post', '/bulk_finish_upload', { content_hashes: null }))).toEqual([
      400,
      'null',
      'content_hashes',
    ]);
  });

  test('of other content leaves the file in place until it is finished', async () => {
    const [old, next] = [randomBytes(10), randomBytes(20)];
    const id = await client.upload('a', old, 'h1');
    const entry = await client.begin({ chunk_id: 'a', content_hash: 'h2' }, { force: true });
    await postFile(entry.presigned_url, next);
    expect([(await show(id)).has_uploaded_file, (await client.download(id))?.equals(old)]).toEqual([true, true]);
    expect((await client.finish({ [id]: 'h2' })).status).toBe(200);
    expect((await client.download(id))?.equals(next)).toBe(true);
    const [row] = await rows();
    expect(row?.uploads.map(({ replacedAt }) => replacedAt)).toEqual([expect.any(Date)]);
  });
});

test('a file that is new is noted for exceptions that came before it; the same again is not', async () => {
  const noted = async () =>
    (await api.prisma.lateMap.findMany({ where: { projectId: acme.projectId } })).map(({ ref }) => ref);
  const id = await client.upload('a', randomBytes(10), 'h');
  const [row] = await api.prisma.lateMap.findMany({ where: { projectId: acme.projectId } });
  expect(row?.ref).toBe('a');
  expect((row?.dueAt.getTime() ?? 0) - (row?.notedAt.getTime() ?? 0)).toBe(30_000);
  await api.prisma.lateMap.deleteMany({ where: { projectId: acme.projectId } });
  expect((await client.finish({ [id]: 'h' })).status).toBe(200);
  expect(await noted()).toEqual([]);
  const entry = await client.begin({ chunk_id: 'a', content_hash: 'h2' }, { force: true });
  expect(await noted()).toEqual([]);
  await postFile(entry.presigned_url, randomBytes(11));
  expect((await client.finish({ [id]: 'h2' })).status).toBe(200);
  expect(await noted()).toEqual(['a']);
});

test('without an object storage nothing can be uploaded', async () => {
  const bare = await api.startProcess({ STORAGE_DIR: '' });
  const post = (path: string, body: object) =>
    api
      .as(acme.key, bare)
      .send('post', client.path + path)
      .send(body);
  const { status, body } = await post('/bulk_start_upload', { symbol_sets: [{ chunk_id: 'a' }] });
  expect([status, body.code, body.attr]).toEqual([400, 'object_storage_required', null]);
  expect((await post('/bulk_finish_upload', { content_hashes: { a: 'h' } })).body.code).toBe('object_storage_required');
});

test('uploads are in the activity log, and finished ones on the bus', async () => {
  const id = await client.upload('chunk-1', randomBytes(5), 'h');
  await client.send('delete', `/${id}`);
  const logged = await api.prisma.activityLogEntry.findMany({
    where: { projectId: acme.projectId, itemType: 'symbol_set', itemId: id },
    orderBy: { id: 'asc' },
    select: { activity: true, before: true, after: true },
  });
  const made = { ref: 'chunk-1', release_id: null, has_uploaded_file: false };
  expect(logged).toEqual([
    { activity: 'created', before: null, after: made },
    {
      activity: 'updated',
      before: { has_uploaded_file: false, content_hash: null },
      after: { has_uploaded_file: true, content_hash: 'h' },
    },
    { activity: 'deleted', before: { ...made, has_uploaded_file: true }, after: null },
  ]);
  const news = await api.prisma
    .$queryRaw`SELECT keys FROM changes WHERE topic = 'symbol_set' AND project_id = ${acme.projectId} ORDER BY id`;
  expect(news).toEqual([{ keys: ['chunk-1'] }, { keys: ['chunk-1'] }]);
});
