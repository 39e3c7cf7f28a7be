import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import type { ReplyBody } from '../../../test/test-request.ts';
import { readRawId } from './stack-frame.ts';
import { sweepStackFrames } from './sweep-stack-frames.ts';

// contract/orgs-errors 3.1, contract/decisions 110, 131.

interface Frame {
  id: string;
  raw_id: string;
}
type Shown = Omit<ReplyBody, 'results'> & Frame & { count: number; next: string | null; results: Frame[] };

let api: TestApi;
let acme: Seed;
let path: string;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  acme = await api.seed('Acme');
  path = `/api/projects/${acme.projectId}/error_tracking/stack_frames`;
});

const send = (method: 'get' | 'post' | 'patch' | 'put' | 'delete', rest = '', body?: object) => {
  const made = api.as(acme.key).send<Shown>(method, path + rest);
  return body === undefined ? made : made.send(body);
};
let minute = 0;
interface Given {
  part?: number;
  symbolSetId?: string;
  projectId?: number;
}
async function make(hash: string, { part = 0, projectId = acme.projectId, symbolSetId }: Given = {}): Promise<string> {
  const contents = { raw_id: `${hash}/${part}`, mangled_name: 'e', in_app: true, lang: 'javascript', resolved: true };
  const row = { id: crypto.randomUUID(), projectId, hash, part, contents, resolved: true };
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, minute++));
  await api.prisma.stackFrame.create({
    data: { ...row, createdAt, ...(symbolSetId !== undefined && { symbolSetId }) },
  });
  return row.id;
}
/** The id of a symbol set, with a release. */
async function makeSet(): Promise<string> {
  const release = { id: crypto.randomUUID(), projectId: acme.projectId, hashId: 'r1', version: '1.4', project: 'shop' };
  const set = { id: crypto.randomUUID(), projectId: acme.projectId, ref: 'chunk-1', releaseId: release.id };
  await api.prisma.errorTrackingRelease.create({ data: release });
  return (await api.prisma.symbolSet.create({ data: set })).id;
}
const namesOf = ({ results }: Pick<Shown, 'results'>): string[] => results.map((frame) => frame.raw_id);
const batch = async (body: object): Promise<string[]> => {
  const answer = await send('post', '/batch_get', body);
  expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['results']]);
  return namesOf(answer.body);
};
const refusalOf = ({ status, body }: { status: number; body: Pick<Shown, 'code' | 'attr'> }) => [
  status,
  body.code,
  body.attr,
];

describe('a frame', () => {
  test('has all its fields and no others', async () => {
    const context = { before: [{ number: 1, line: 'a\u0001' }], line: { number: 2, line: 'b' }, after: [] };
    const id = await make('abc');
    await api.prisma.stackFrame.update({ where: { id }, data: { context, symbolSetRef: 'chunk-1' } });
    expect((await send('get', `/${id}`)).body).toEqual({
      id,
      raw_id: 'abc/0',
      created_at: expect.stringMatching(/^2026-01-01T00:\d\d:00\.000Z$/),
      contents: { raw_id: 'abc/0', mangled_name: 'e', in_app: true, lang: 'javascript', resolved: true },
      resolved: true,
      context,
      symbol_set_ref: 'chunk-1',
      release: null,
    });
  });

  test('shows the release of its symbol set', async () => {
    const release = expect.objectContaining({
      hash_id: 'r1',
      version: '1.4',
      project: 'shop',
      team_id: acme.projectId,
    });
    const id = await make('abc', { symbolSetId: await makeSet() });
    expect((await send('get', `/${id}`)).body).toMatchObject({ release });
    expect((await send('post', '/batch_get', {})).body.results).toEqual([expect.objectContaining({ id, release })]);
  });

  test('texts that are no Unicode come back as they are', async () => {
    const id = await make('odd');
    const odd = '{"name":"\\u0000 \\ud800 12345678901234567890"}';
    await api.prisma.$executeRaw`UPDATE stack_frames SET contents = ${odd}::json WHERE id = ${id}::uuid`;
    expect((await send('get', `/${id}`)).body).toMatchObject({ contents: JSON.parse(odd) as object });
  });

  test('belongs to its project alone', async () => {
    const id = await make('mine');
    const other = await api.seed('Other');
    const theirs = `/api/projects/${other.projectId}/error_tracking/stack_frames`;
    const as = api.as(other.key);
    expect((await as.send('get', `${theirs}/${id}`)).status).toBe(404);
    expect((await as.send<Shown>('get', theirs)).body.count).toBe(0);
    const got = await as.send<Shown>('post', `${theirs}/batch_get`).send({ raw_ids: ['mine/0'] });
    expect(got.body.results).toEqual([]);
  });
});

describe('DELETE', () => {
  test.each(['a live one', 'an unknown id', 'no id'])('%s: 405 without a body', async (which) => {
    const id = which === 'a live one' ? await make('abc') : which === 'no id' ? 'abc' : crypto.randomUUID();
    const { status, text, headers } = await send('delete', `/${id}`);
    expect([status, text, headers['allow']]).toEqual([405, '', 'GET']);
    expect(await api.prisma.stackFrame.count({ where: { projectId: acme.projectId } })).toBe(
      which === 'a live one' ? 1 : 0,
    );
  });

  test('needs a key that can see the project, whatever its scopes; other methods are 405 too', async () => {
    const id = await make('abc');
    expect((await api.as(undefined).send('delete', `${path}/${id}`)).status).toBe(401);
    expect((await api.as((await api.seed('Other')).key).send('delete', `${path}/${id}`)).status).toBe(403);
    const { key } = await api.admin.createKey({ email: acme.email, label: 'Narrow', scopes: ['survey:read'] });
    expect((await api.as(key).send('delete', `${path}/${id}`)).status).toBe(405);
    for (const method of ['patch', 'put'] as const) {
      const { status, headers } = await send(method, `/${id}`, { deleted: true });
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
    }
  });
});

test('the list is newest first, and has pages', async () => {
  for (const hash of ['a', 'b', 'c']) await make(hash);
  const { body } = await send('get', '?limit=2');
  expect([body.count, namesOf(body)]).toEqual([3, ['c/0', 'b/0']]);
  const next = await api.as(acme.key).send<Shown>('get', new URL(body.next ?? '').href.replace(/^.*?\/api/, '/api'));
  expect([namesOf(next.body), next.body.next]).toEqual([['a/0'], null]);
});

describe('batch_get', () => {
  test('filters by names and by the id of a symbol set, both with AND; unknown names are absent', async () => {
    const set = await makeSet();
    await make('a');
    await make('a', { part: 1, symbolSetId: set });
    await make('b', { symbolSetId: set });
    expect(await batch({})).toEqual(['b/0', 'a/1', 'a/0']);
    expect(await batch({ raw_ids: [], symbol_set: null })).toEqual(['b/0', 'a/1', 'a/0']);
    expect(await batch({ raw_ids: ['a/1', 'b', 'unknown/0', 'a/7'] })).toEqual(['b/0', 'a/1']);
    expect(await batch({ symbol_set: set })).toEqual(['b/0', 'a/1']);
    expect(await batch({ raw_ids: ['a/0', 'a/1'], symbol_set: set.toUpperCase() })).toEqual(['a/1']);
    expect(await batch({ symbol_set: crypto.randomUUID() })).toEqual([]);
  });

  test.each<[string, string, number]>([
    ['a/0', 'a', 0],
    ['a/b/12', 'a/b', 12],
    ['a', 'a', 0],
    ['a/', 'a/', 0],
    ['a/x', 'a/x', 0],
    ['a/-1', 'a/-1', 0],
    ['a/1.5', 'a/1.5', 0],
    ['a/2147483648', 'a/2147483648', 0],
    ['', '', 0],
  ])('%j is the part of a hash', (rawId, hash, part) => expect(readRawId(rawId)).toEqual({ hash, part }));

  test.each<[object, string, string]>([
    [{ raw_ids: 'a/0' }, 'not_a_list', 'raw_ids'],
    [{ raw_ids: [7] }, 'invalid_input', 'raw_ids'],
    [{ raw_ids: Array.from({ length: 1001 }, () => 'a') }, 'max_length', 'raw_ids'],
    [{ symbol_set: 'chunk-1' }, 'invalid_input', 'symbol_set'],
  ])('%p is refused', async (body, code, attr) => {
    expect(refusalOf(await send('post', '/batch_get', body))).toEqual([400, code, attr]);
  });

  test('shows the thousand newest of all', async () => {
    await api.prisma.$executeRaw`
      INSERT INTO stack_frames (id, project_id, hash, contents, resolved, created_at)
      SELECT gen_random_uuid(), ${acme.projectId}, 'h' || n, '{}', true, now() + n * interval '1 s' FROM generate_series(1, 1005) AS n`;
    const names = await batch({});
    expect([names.length, names[0], names.at(-1)]).toEqual([1000, 'h1005/0', 'h6/0']);
  });
});

test('of the frames of a project those that events had last are kept, and those of others stay', async () => {
  const other = await api.seed('Other');
  const fill = (projectId: number, count: number) => api.prisma.$executeRaw`
    INSERT INTO stack_frames (id, project_id, hash, contents, resolved, last_used_at)
    SELECT gen_random_uuid(), ${projectId}, 'h' || n, '{}', true, now() - n * interval '1 s' FROM generate_series(1, ${count}::integer) AS n`;
  await fill(acme.projectId, 2_500);
  await fill(other.projectId, 900);
  await Promise.all([sweepStackFrames(api.prisma, 1_000), sweepStackFrames(api.prisma, 1_000)]);
  const left = await api.prisma.$queryRaw`
    SELECT project_id AS project, count(*)::integer AS count, min(substr(hash, 2)::integer) AS first, max(substr(hash, 2)::integer) AS last
    FROM stack_frames WHERE project_id IN (${acme.projectId}, ${other.projectId}) GROUP BY project_id ORDER BY count`;
  expect(left).toEqual([
    { project: other.projectId, count: 900, first: 1, last: 900 },
    { project: acme.projectId, count: 1_000, first: 1, last: 1_000 },
  ]);
});
