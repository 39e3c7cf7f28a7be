import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import type { ReplyBody } from '../../../test/test-request.ts';

// contract/orgs-errors 4.5. Requests as posthog-cli 0.19 sends them.

interface Shown extends Omit<ReplyBody, 'results'> {
  hash_id: string;
  count: number;
  next: string | null;
  results: Shown[];
}

let api: TestApi;
let acme: Seed;
let path: string;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  acme = await api.seed('Acme');
  path = `/api/projects/${acme.projectId}/error_tracking/releases`;
});

const send = (method: 'get' | 'post' | 'patch' | 'put' | 'delete', rest = '', body?: object) => {
  const made = api.as(acme.key).send<Shown>(method, path + rest);
  return body === undefined ? made : made.send(body);
};
const refusalOf = ({ status, body }: { status: number; body: Pick<Shown, 'code' | 'attr'> }) => [
  status,
  body.code,
  body.attr,
];
const metadata = { git: { remote_url: 'git@x', repo_name: 'shop', branch: 'main', commit_id: 'c0ffee' } };
const given = { metadata, hash_id: 'a'.repeat(128), version: '1.0+42', project: 'shop' };

describe('a release', () => {
  test('has all its fields and no others, by its id and by its hash', async () => {
    const { status, body } = await send('post', '', given);
    const { id } = body;
    expect([status, body]).toEqual([
      201,
      {
        ...given,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        team_id: acme.projectId,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);
    expect((await send('get', `/${id}`)).body).toEqual(body);
    expect((await send('get', `/hash/${given.hash_id}`)).body).toEqual(body);
    expect((await send('get')).body.results).toEqual([body]);
  });

  test('has its id as hash unless it has one, and no metadata', async () => {
    for (const more of [{}, { hash_id: null, metadata: null, unknown: 1 }]) {
      const { body } = await send('post', '', { version: '1', project: 'shop', ...more });
      expect(body).toMatchObject({ hash_id: body.id, metadata: null });
    }
  });

  test.each<[string, string, object]>([
    ['required', 'project', { version: '1' }],
    ['required', 'version', { project: 'shop' }],
    ['blank', 'version', { ...given, version: '' }],
    ['null', 'project', { ...given, project: null }],
    ['max_length', 'hash_id', { ...given, hash_id: 'a'.repeat(129) }],
    ['invalid_input', 'metadata', { ...given, metadata: [] }],
    ['max_length', 'metadata', { ...given, metadata: { long: 'ä'.repeat(8200) } }],
  ])('%s on %s: refused', async (code, attr, body) => {
    expect(refusalOf(await send('post', '', body))).toEqual([400, code, attr]);
    expect((await send('get')).body.count).toBe(0);
  });

  test('of many at once with one hash one is made, and the others are told the code that the CLI knows', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => send('post', '', given)));
    expect(answers.map(({ status, body }) => [status, body.code]).sort()).toEqual([
      [201, undefined],
      ...Array.from({ length: 5 }, () => [400, 'release_hash_in_use']),
    ]);
  });

  test('is changed by PATCH and PUT, in the fields that are sent', async () => {
    const { body: made } = await send('post', '', given);
    await send('post', '', { ...given, hash_id: 'other' });
    const { status, text } = await send('patch', `/${made.id}`, { version: '2' });
    expect([status, text]).toEqual([204, '']);
    expect((await send('put', `/${made.id}`, { metadata: null, hash_id: null })).status).toBe(204);
    expect((await send('get', `/${made.id}`)).body).toEqual({
      ...made,
      version: '2',
      metadata: null,
      hash_id: made.id,
    });
    expect(refusalOf(await send('patch', `/${made.id}`, { hash_id: 'other' }))).toEqual([
      400,
      'release_hash_in_use',
      'hash_id',
    ]);
  });

  test('is deleted, and its symbol sets stay', async () => {
    const { body } = await send('post', '', given);
    const set = { id: crypto.randomUUID(), projectId: acme.projectId, ref: 'chunk', releaseId: body.id };
    await api.prisma.symbolSet.create({ data: set });
    expect((await send('delete', `/${body.id}`)).status).toBe(204);
    expect((await send('delete', `/${body.id}`)).status).toBe(404);
    expect(await api.prisma.symbolSet.findFirst({ where: { id: set.id } })).toMatchObject({ releaseId: null });
  });

  test('belongs to its project alone', async () => {
    const { body } = await send('post', '', given);
    const other = await api.seed('Other');
    const theirs = `/api/projects/${other.projectId}/error_tracking/releases`;
    const as = api.as(other.key);
    const answers = await Promise.all([
      as.send('get', `${theirs}/${body.id}`),
      as.send('get', `${theirs}/hash/${given.hash_id}`),
      as.send('patch', `${theirs}/${body.id}`).send({ version: 'x' }),
      as.send('delete', `${theirs}/${body.id}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await as.send('post', theirs).send(given)).status).toBe(201);
  });

  test('its changes are in the activity log', async () => {
    const { id } = (await send('post', '', given)).body;
    await send('patch', `/${id}`, { version: '2' });
    await send('patch', `/${id}`, {});
    await send('delete', `/${id}`);
    const logged = await api.prisma.activityLogEntry.findMany({
      where: { projectId: acme.projectId, itemType: 'release', itemId: id },
      orderBy: { id: 'asc' },
      select: { activity: true, before: true, after: true },
    });
    expect(logged).toEqual([
      { activity: 'created', before: null, after: given },
      { activity: 'updated', before: { version: given.version }, after: { version: '2' } },
      { activity: 'deleted', before: { ...given, version: '2' }, after: null },
    ]);
  });
});

test('the list is newest first, in pages', async () => {
  for (const version of ['1', '2', '3']) await send('post', '', { version, project: 'shop' });
  const { body } = await send('get', '/?limit=2');
  expect([body.count, body.results.map((row) => (row as unknown as { version: string }).version), body.next]).toEqual([
    3,
    ['3', '2'],
    expect.stringContaining('limit=2&offset=2'),
  ]);
});

test('a release that is made, changed or deleted is on the bus: the consumer keeps releases in memory', async () => {
  const changes = async () =>
    await api.prisma.$queryRaw`SELECT keys FROM changes WHERE topic = 'release' AND project_id = ${acme.projectId}`;
  const { id } = (await send('post', '', given)).body;
  expect(await changes()).toEqual([{ keys: [] }]);
  await send('patch', `/${id}`, { version: '2' });
  expect(await changes()).toHaveLength(2);
  await send('delete', `/${id}`);
  expect(await changes()).toHaveLength(3);
});
