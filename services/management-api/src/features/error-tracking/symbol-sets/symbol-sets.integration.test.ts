import { randomBytes } from 'node:crypto';
import { symbolIndexKey } from '@millrace/contracts/symbol-objects.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import { postFile, uploadClient, type UploadReply } from './testing/upload-client.ts';

// contract/orgs-errors 3.3, contract/decisions 115, 121, 127.

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
const refsOf = async (query: string): Promise<string[]> => {
  const { body } = await client.send('get', query);
  return body.results.map(({ ref }) => ref);
};
const objects = async (): Promise<number> => {
  let count = 0;
  for await (const key of api.storage.list('symbolsets')) count += key === '' ? 0 : 1;
  return count;
};
const makeRelease = async (hashId: string, more: object = {}): Promise<string> => {
  const data = { id: crypto.randomUUID(), projectId: acme.projectId, hashId, version: '1.4', project: 'shop', ...more };
  return (await api.prisma.errorTrackingRelease.create({ data })).id;
};

describe('a symbol set', () => {
  test('has all its fields and no others, with its release', async () => {
    const releaseId = await makeRelease('r1');
    const { symbol_set_id: id } = await client.begin({ chunk_id: 'a', release_id: releaseId });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { body } = await client.send('get', `/${id}`);
    expect(body).toEqual({
      id,
      ref: 'a',
      team_id: acme.projectId,
      created_at: time,
      last_used: time,
      failure_reason: null,
      has_uploaded_file: false,
      release: {
        id: releaseId,
        hash_id: 'r1',
        team_id: acme.projectId,
        created_at: time,
        metadata: null,
        version: '1.4',
        project: 'shop',
      },
    });
    expect((await client.send('get')).body.results).toEqual([body]);
  });

  test('is deleted with its file: an address that was given out before is dead at once', async () => {
    const before = await objects();
    const id = await client.upload('a', randomBytes(10), 'h');
    const { storageKey } = await api.prisma.symbolSet.findUniqueOrThrow({ where: { id } });
    const indexKey = symbolIndexKey(storageKey ?? '');
    await api.storage.put(indexKey, randomBytes(10));
    const { url } = (await client.send('get', `/${id}/download`)).body;
    expect((await fetch(url)).status).toBe(200);
    expect((await client.send('delete', `/${id}`)).status).toBe(204);
    expect([(await fetch(url)).status, await api.storage.head(indexKey)]).toEqual([404, undefined]);
    expect([(await client.send('delete', `/${id}`)).status, await objects()]).toEqual([404, before]);
  });

  test('is deleted with all files that were uploaded for it', async () => {
    const before = await objects();
    const id = await client.upload('a', randomBytes(10), 'h1');
    await client.upload('a', randomBytes(10), 'h2', { force: true });
    const { presigned_url } = await client.begin({ chunk_id: 'a', content_hash: 'h3' }, { force: true });
    await postFile(presigned_url, randomBytes(10));
    expect(await objects()).toBe(before + 3);
    await client.send('delete', `/${id}`);
    expect(await objects()).toBe(before);
  });

  test('is deleted with its unresolved frames; resolved ones stay without it', async () => {
    const symbolSetId = await client.upload('a', randomBytes(10), 'h');
    const frame = { projectId: acme.projectId, contents: {}, symbolSetId, symbolSetRef: 'a' };
    const rows = [true, false].map((resolved) => ({
      ...frame,
      id: crypto.randomUUID(),
      hash: `${resolved}`,
      resolved,
    }));
    await api.prisma.stackFrame.createMany({ data: rows });
    await client.send('delete', `/${symbolSetId}`);
    const left = await api.prisma.stackFrame.findMany({ where: { projectId: acme.projectId } });
    expect(left).toEqual([expect.objectContaining({ hash: 'true', symbolSetId: null, symbolSetRef: 'a' })]);
  });

  test('the address of its file is that of the API as the client sees it, and good for an hour', async () => {
    const behind = await api.startProcess({ PUBLIC_URL: 'https://millrace.example.com/' });
    const id = await client.upload('a', randomBytes(10), 'h');
    const send = (rest: string) => api.as(acme.key, behind).send<UploadReply>('get', `${client.path}/${id}${rest}`);
    const url = new URL((await send('/download')).body.url);
    expect(url.origin).toBe('https://millrace.example.com');
    const seconds = (Number(url.searchParams.get('expiresMs')) - Date.now()) / 1000;
    expect([seconds > 3590, seconds <= 3600]).toEqual([true, true]);
  });

  test('many are deleted at once; those of others are not', async () => {
    const other = await api.seed('Other');
    const theirs = await uploadClient(api, other).upload('a', randomBytes(5), 'h');
    const ids = [await client.upload('a', randomBytes(5), 'h'), await client.upload('b', randomBytes(5), 'h')];
    await client.upload('c', randomBytes(5), 'h');
    const { status, body } = await client.send('post', '/bulk_delete', {
      ids: [...ids, ids[0], theirs, crypto.randomUUID()],
    });
    expect([status, body]).toEqual([200, { deleted: 2 }]);
    expect(await refsOf('')).toEqual(['c']);
    expect(await uploadClient(api, other).download(theirs)).not.toBeNull();
  });

  test.each<[string, object]>([
    ['required', {}],
    ['empty', { ids: [] }],
    ['not_a_list', { ids: 'x' }],
    ['invalid_input', { ids: ['x'] }],
    ['null', { ids: null }],
  ])('no ids: %s', async (code, body) => {
    expect(refusalOf(await client.send('post', '/bulk_delete', body))).toEqual([400, code, 'ids']);
  });

  test('belongs to its project alone', async () => {
    const id = await client.upload('a', randomBytes(5), 'h');
    const theirs = uploadClient(api, await api.seed('Other'));
    const answers = [
      await theirs.send('get', `/${id}`),
      await theirs.send('get', `/${id}/download`),
      await theirs.send('delete', `/${id}`),
      await theirs.send('put', `/${id}/finish_upload`, { content_hash: 'h' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await theirs.send('get')).body.count).toBe(0);
    expect((await theirs.start([{ chunk_id: 'a' }])).status).toBe(201);
  });
});

describe('the list', () => {
  beforeEach(async () => {
    await makeRelease('r0');
    const releaseId = await makeRelease('r1', {
      version: '2.0',
      project: 'Web',
      metadata: { git: { commit_id: 'c0ffee' } },
    });
    const make = (ref: string, day: number, more: object = {}) => ({
      id: crypto.randomUUID(),
      projectId: acme.projectId,
      ref,
      createdAt: new Date(Date.UTC(2026, 0, day)),
      ...more,
    });
    await api.prisma.symbolSet.createMany({
      data: [
        make('b-50%', 1, {
          lastUsedAt: new Date(Date.UTC(2026, 1, 2)),
          storageKey: `symbolsets/${crypto.randomUUID()}`,
        }),
        make('a', 2, { releaseId }),
        make('c', 3, { lastUsedAt: new Date(Date.UTC(2026, 1, 1)), failureReason: 'no map' }),
      ],
    });
  });

  test.each<[string, string[]]>([
    ['', ['c', 'a', 'b-50%']],
    ['?status=all&order_by=', ['c', 'a', 'b-50%']],
    ['?status=valid', ['b-50%']],
    ['?status=invalid', ['c', 'a']],
    ['?ref=a&limit=1', ['a']],
    ['?ref=A', []],
    ['?search=A', ['a']],
    ['?search=50%25', ['b-50%']],
    ['?search=%25', ['b-50%']],
    ['?search=C0FF', ['a']],
    ['?search=web', ['a']],
    ['?search=2.0', ['a']],
    ['?search=c&status=valid', []],
    ['?order_by=created_at', ['b-50%', 'a', 'c']],
    ['?order_by=ref', ['a', 'b-50%', 'c']],
    ['?order_by=-ref', ['c', 'b-50%', 'a']],
    ['?order_by=last_used', ['a', 'c', 'b-50%']],
    ['?order_by=-last_used', ['b-50%', 'c', 'a']],
    ['?order_by=-last_used&search=%20&unknown=1', ['b-50%', 'c', 'a']],
  ])('%s finds %j', async (query, refs) => expect(await refsOf(query)).toEqual(refs));

  test('has pages, of at most 100, and a count unless nobody wants it', async () => {
    const { body } = await client.send('get', '/?limit=2');
    expect([body.count, body.results.length, body.next]).toEqual([3, 2, expect.stringContaining('limit=2&offset=2')]);
    const uncounted = (await client.send('get', '/?limit=2&include_count=false')).body;
    expect([uncounted.count, uncounted.results.length, uncounted.next]).toEqual([
      null,
      2,
      expect.stringContaining('include_count=false&limit=2&offset=2'),
    ]);
    const last = (await client.send('get', '/?limit=2&offset=2&include_count=false')).body;
    expect([last.results.length, last.next]).toEqual([1, null]);
    const data = Array.from({ length: 101 }, (_, at) => ({
      id: crypto.randomUUID(),
      projectId: acme.projectId,
      ref: `r${at}`,
    }));
    await api.prisma.symbolSet.createMany({ data });
    expect((await client.send('get', '/?limit=1000')).body.results).toHaveLength(100);
  });

  test.each([
    ['?order_by=id', 'order_by'],
    ['?order_by=--ref', 'order_by'],
    ['?status=x', 'status'],
  ])('%s is no choice', async (query, attr) => {
    expect(refusalOf(await client.send('get', query))).toEqual([400, 'invalid_choice', attr]);
  });
});

describe('uploads of old clients', () => {
  const postForm = async (query: string, bytes: Buffer, name = 'file') => {
    const form = new FormData();
    form.append(name, new Blob([new Uint8Array(bytes)]), 'x');
    const url = `${api.api.url}${client.path}${query}`;
    const reply = await fetch(url, { method: 'POST', body: form, headers: { authorization: `Bearer ${acme.key}` } });
    return { status: reply.status, body: (await reply.json()) as UploadReply };
  };

  test('by form, whole: once is enough, and other content is refused', async () => {
    const before = await objects();
    const bytes = randomBytes(300_000);
    const releaseId = await makeRelease('r1');
    const first = await postForm(`?chunk_id=a&multipart=true&release_id=${releaseId}`, bytes);
    expect([first.status, first.body]).toEqual([201, { ok: true }]);
    expect((await postForm('?chunk_id=a&multipart=true', bytes)).status).toBe(201);
    expect(refusalOf(await postForm('?chunk_id=a&multipart=true', randomBytes(5)))).toEqual([
      400,
      'content_hash_mismatch',
      null,
    ]);
    const [set] = (await client.send('get')).body.results;
    expect(set).toMatchObject({ ref: 'a', has_uploaded_file: true, release: { id: releaseId } });
    expect((await client.download(set?.id ?? ''))?.equals(bytes)).toBe(true);
    expect(await objects()).toBe(before + 1);
  });

  test('by form: errors leave nothing', async () => {
    const before = await objects();
    expect(refusalOf(await postForm('?multipart=true', randomBytes(5)))).toEqual([400, 'required', 'chunk_id']);
    expect(refusalOf(await postForm('?chunk_id=a', randomBytes(5), 'other'))).toEqual([400, 'required', 'file']);
    expect(refusalOf(await postForm('?chunk_id=a', Buffer.alloc(0)))).toEqual([400, 'file_too_large', null]);
    expect(refusalOf(await postForm('?chunk_id=a&release_id=x', randomBytes(5)))).toEqual([
      400,
      'invalid_release_id',
      null,
    ]);
    expect([await objects(), (await client.send('get')).body.count]).toEqual([before, 0]);
  });

  test('by a presigned form, one set at a time', async () => {
    const bytes = randomBytes(10);
    const started = await client.send('post', '/start_upload?chunk_id=a');
    const { presigned_url, symbol_set_id: id } = started.body as unknown as Awaited<ReturnType<typeof client.begin>>;
    expect([started.status, Object.keys(started.body)]).toEqual([201, ['symbol_set_id', 'presigned_url']]);
    await postFile(presigned_url, bytes);
    for (const body of [{}, { content_hash: null }, { content_hash: '' }])
      expect(refusalOf(await client.send('put', `/${id}/finish_upload`, body))).toEqual([
        400,
        'content_hash_required',
        null,
      ]);
    const finished = await client.send('put', `/${id}/finish_upload`, { content_hash: 'h' });
    expect([finished.status, finished.body]).toEqual([200, { success: true }]);
    expect((await client.download(id))?.equals(bytes)).toBe(true);
    expect(refusalOf(await client.send('post', '/start_upload?chunk_id=a'))).toEqual([
      400,
      'content_hash_required',
      null,
    ]);
    expect(refusalOf(await client.send('post', '/start_upload'))).toEqual([400, 'required', 'chunk_id']);
  });
});
