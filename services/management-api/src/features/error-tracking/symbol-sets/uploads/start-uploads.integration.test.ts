import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../../test/test-api.ts';
import { uploadClient, type UploadReply } from '../testing/upload-client.ts';

// contract/orgs-errors 4.3, contract/decisions 106, 118.

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
const makeRelease = async (hash: string): Promise<string> => {
  const id = crypto.randomUUID();
  const data = { id, projectId: acme.projectId, hashId: hash, version: '1', project: 'shop' };
  return (await api.prisma.errorTrackingRelease.create({ data })).id;
};
const show = async (id: string): Promise<UploadReply> => (await client.send('get', `/${id}`)).body;

describe('a start', () => {
  const refusedWith = async (sets: Parameters<typeof client.start>[0], more: object = {}) => {
    const before = await rows();
    const { status, body } = await client.start(sets, more);
    expect(await rows()).toEqual(before);
    return [status, body.code, body.attr, body.detail];
  };

  test('with one bad set changes nothing, and names it', async () => {
    await client.upload('old', randomBytes(5), 'h1');
    const named = (...texts: string[]) => expect.stringMatching(texts.join('.*'));
    const some = { chunk_id: 'new', content_hash: 'h' };
    expect(await refusedWith([some, { chunk_id: 'old', content_hash: 'h2' }])).toEqual([
      400,
      'content_hash_mismatch',
      null,
      named('"old"'),
    ]);
    expect(await refusedWith([some, { chunk_id: 'old' }])).toEqual([
      400,
      'content_hash_required',
      null,
      named('"old"'),
    ]);
    expect(await refusedWith([some, some])).toEqual([400, 'invalid_chunk_ids', null, named('"new"')]);
    const unknown = crypto.randomUUID();
    expect(await refusedWith([some, { chunk_id: 'b', release_id: unknown }])).toEqual([
      400,
      'invalid_release_id',
      null,
      named(unknown),
    ]);
    expect(await refusedWith([some, { chunk_id: 'b', release_id: 'x' }])).toEqual([
      400,
      'invalid_release_id',
      null,
      named('x'),
    ]);
    expect(await refusedWith([some, { chunk_id: 'large', content_length: 104_857_601 }])).toEqual([
      400,
      'file_too_large',
      null,
      named('"large"'),
    ]);
    expect(await refusedWith([some], { force: true, skip_on_conflict: true })).toEqual([
      400,
      'invalid_conflict_handling',
      null,
      expect.any(String),
    ]);
  });

  test('names the field of a set that is no set', async () => {
    const of = async (...sets: object[]) =>
      refusalOf(await client.start(sets as unknown as Parameters<typeof client.start>[0]));
    expect(await of({ chunk_id: 'a' }, {})).toEqual([400, 'required', 'symbol_sets__1__chunk_id']);
    expect(await of({ chunk_id: '' })).toEqual([400, 'blank', 'symbol_sets__0__chunk_id']);
    expect(await of({ chunk_id: 'ä'.repeat(1025) })).toEqual([400, 'max_length', 'symbol_sets__0__chunk_id']);
    expect(await of({ chunk_id: 'a', content_length: -1 })).toEqual([
      400,
      'min_value',
      'symbol_sets__0__content_length',
    ]);
    const many = Array.from({ length: 1001 }, (_, at) => ({ chunk_id: `c${at}` }));
    expect(await of(...many)).toEqual([400, 'max_length', 'symbol_sets']);
    expect((await client.start([{ chunk_id: 'ä'.repeat(1024) }])).status).toBe(201);
  });

  test('binds a release to a set that has none, whatever its content, and never another', async () => {
    const [first, second] = [await makeRelease('r1'), await makeRelease('r2')];
    const id = await client.upload('a', randomBytes(5), 'h');
    const same = { chunk_id: 'a', content_hash: 'h' };
    expect((await client.check([{ ...same, release_id: first }])).body).toEqual({ chunk_ids_to_upload: ['a'] });
    expect((await client.start([{ ...same, release_id: first }])).body).toEqual({ id_map: {} });
    expect((await show(id)).release).toMatchObject({ id: first, hash_id: 'r1' });
    expect((await client.check([{ ...same, release_id: first }])).body).toEqual({ chunk_ids_to_upload: [] });
    expect((await client.start([same])).body).toEqual({ id_map: {} });
    expect((await show(id)).release).toMatchObject({ id: first });
    for (const more of [{}, { force: true }, { skip_on_conflict: true }])
      expect((await refusedWith([{ ...same, release_id: second }], more))[1]).toBe('release_id_mismatch');
    const { status, body } = await client.check([{ ...same, release_id: second }]);
    expect([status, body.code]).toEqual([400, 'release_id_mismatch']);
  });

  test('takes a release of this project alone', async () => {
    const other = await api.seed('Other');
    const data = { id: crypto.randomUUID(), projectId: other.projectId, hashId: 'r', version: '1', project: 'shop' };
    const { id } = await api.prisma.errorTrackingRelease.create({ data });
    expect((await refusedWith([{ chunk_id: 'a', release_id: id }]))[1]).toBe('invalid_release_id');
  });

  test('takes over a row that a failed look-up made', async () => {
    const data = { id: crypto.randomUUID(), projectId: acme.projectId, ref: 'a', failureReason: 'no map' };
    await api.prisma.symbolSet.create({ data });
    expect(await client.upload('a', randomBytes(5), 'h')).toBe(data.id);
    expect(await show(data.id)).toMatchObject({ failure_reason: null, has_uploaded_file: true });
  });

  test('of old clients, with chunk ids and one release', async () => {
    const release = await makeRelease('r1');
    const { status, body } = await client.send('post', '/bulk_start_upload', {
      chunk_ids: ['a', 'b'],
      release_id: release,
    });
    expect([status, Object.keys(body.id_map)]).toEqual([201, ['a', 'b']]);
    expect((await rows()).map(({ releaseId }) => releaseId)).toEqual([release, release]);
  });

  test('marks all its sets as used, a check those that it does not name, at most every 12 hours', async () => {
    await client.upload('a', randomBytes(5), 'h');
    await client.upload('b', randomBytes(5), 'h');
    const used = async () => (await rows()).map(({ lastUsedAt }) => Number(lastUsedAt));
    const set = (hoursAgo: number) =>
      api.prisma.symbolSet.updateMany({
        where: { projectId: acme.projectId },
        data: { lastUsedAt: new Date(Date.now() - hoursAgo * 3_600_000) },
      });
    await set(11);
    const before = await used();
    await client.start([{ chunk_id: 'a', content_hash: 'h' }]);
    expect(await used()).toEqual(before);
    await set(13);
    const sets = [
      { chunk_id: 'a', content_hash: 'h' },
      { chunk_id: 'b', content_hash: 'other' },
    ];
    await client.check(sets, { force: true });
    expect((await used()).map((ms) => ms > Date.now() - 60_000)).toEqual([true, false]);
    await client.start(sets, { skip_on_conflict: true });
    expect((await used()).map((ms) => ms > Date.now() - 60_000)).toEqual([true, true]);
  });

  test('is JSON alone, and ignores what it does not know', async () => {
    const sent = api
      .as(acme.key)
      .send('post', `${client.path}/bulk_start_upload`)
      .set('Content-Type', 'multipart/form-data; boundary=x');
    expect((await sent.send('--x--')).status).toBe(415);
    const { status } = await client.start([{ chunk_id: 'a' }], {
      upload_attempt_id: 'x',
      upload_run_id: 'y',
      fallback: null,
    });
    expect(status).toBe(201);
  });
});
