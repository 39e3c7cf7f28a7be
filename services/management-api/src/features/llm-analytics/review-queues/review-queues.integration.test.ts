import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import type { ReplyBody } from '../../../test/test-request.ts';

// contract/llm-surveys 2.1 and contract/decisions 73. Requests as the tools `llma-review-queue-*` of posthog-cli send them.

/** Fields of the answers that the tests read. */
interface Shown extends Omit<ReplyBody, 'results'> {
  pending_item_count: number;
  created_at: string;
  updated_at: string;
  created_by: Record<string, unknown> | null;
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
  path = `/api/projects/${acme.projectId}/llm_analytics/review_queues/`;
});

const send = (method: 'get' | 'post' | 'patch' | 'put' | 'delete', rest = '', body?: object) => {
  const made = api.as(acme.key).send<Shown>(method, path + rest);
  return body === undefined ? made : made.send(body);
};
async function make(name: string): Promise<Shown> {
  const { status, body } = await send('post', '', { name });
  expect([status, body.detail]).toEqual([201, undefined]);
  return body;
}
const addItem = (queueId: string, traceId: string) =>
  api.prisma.reviewQueueItem.create({
    data: { id: crypto.randomUUID(), projectId: acme.projectId, queueId, traceId },
  });
const refusalOf = ({ status, body }: { status: number; body: Pick<Shown, 'code' | 'attr'> }) => [
  status,
  body.code,
  body.attr,
];
const namesOf = async (query: string): Promise<string[]> => {
  const { body } = await send('get', query);
  const names = body.results.map(({ name }) => name);
  expect(body.count).toBe(names.length);
  return names;
};
const activities = () =>
  api.prisma.activityLogEntry.findMany({
    where: { projectId: acme.projectId, itemType: 'review_queue' },
    select: { itemType: true, itemId: true, activity: true, before: true, after: true },
    orderBy: { id: 'asc' },
  });

describe('a queue', () => {
  test('has all its fields and no others, in the answer to POST and in that to GET', async () => {
    const made = await make('  Complaints ');
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Complaints',
      pending_item_count: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: made.created_at,
      created_by: expect.objectContaining({ id: acme.userId, email: acme.email }),
      team: acme.projectId,
    });
    expect((await send('get', `${made.id}/`)).body).toEqual(made);
    expect((await send('get')).body.results).toEqual([made]);
  });

  test('its maker is null when the user is gone', async () => {
    const { id } = await make('Complaints');
    await api.prisma.reviewQueue.update({ where: { id }, data: { createdById: null } });
    expect((await send('get', `${id}/`)).body.created_by).toBeNull();
  });

  test('counts its live items alone', async () => {
    const [first, second] = [await make('First'), await make('Second')];
    const gone = await addItem(first.id, 't1');
    await addItem(first.id, 't2');
    await addItem(first.id, 't3');
    await api.prisma.reviewQueueItem.update({ where: { id: gone.id }, data: { deletedAt: new Date() } });
    expect((await send('get', `${first.id}/`)).body.pending_item_count).toBe(2);
    expect((await send('get', `${second.id}/`)).body.pending_item_count).toBe(0);
    expect((await send('get')).body.results.map((queue) => queue.pending_item_count)).toEqual([2, 0]);
    expect((await send('patch', `${first.id}/`, {})).body.pending_item_count).toBe(2);
  });

  test.each<[object, string, string]>([
    [{}, 'required', 'name'],
    [{ name: ' ' }, 'blank', 'name'],
    [{ name: null }, 'null', 'name'],
    [{ name: true }, 'invalid_input', 'name'],
    [{ name: 'x'.repeat(256) }, 'max_length', 'name'],
  ])('%j is refused, and nothing is made', async (body, code, attr) => {
    expect(refusalOf(await send('post', '', body))).toEqual([400, code, attr]);
    expect((await send('get')).body.count).toBe(0);
  });

  test('a name is measured after trimming, and a number counts as its digits', async () => {
    expect((await send('post', '', { name: ` ${'x'.repeat(255)} ` })).status).toBe(201);
    expect((await send('post', '', { name: 7, unknown: 1 })).body.name).toBe('7');
  });

  test('has a name that no other live queue of the project has', async () => {
    const [first, second] = [await make('First'), await make('Second')];
    const refused = [400, 'invalid_input', 'name', 'A queue with this name already exists.'];
    const taken = await send('post', '', { name: ' First ' });
    expect([...refusalOf(taken), taken.body.detail]).toEqual(refused);
    const renamed = await send('patch', `${second.id}/`, { name: 'First' });
    expect([...refusalOf(renamed), renamed.body.detail]).toEqual(refused);
    expect((await send('post', '', { name: 'first' })).status).toBe(201);
    await send('delete', `${first.id}/`);
    expect((await send('patch', `${second.id}/`, { name: 'First' })).status).toBe(200);
  });

  test('of many calls at once with one name one makes a queue', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => send('post', '', { name: 'Same' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 400)]);
    expect((await send('get')).body.count).toBe(1);
  });

  test('is renamed; without a name only `updated_at` moves; PUT is not allowed', async () => {
    const made = await make('Old');
    const renamed = (await send('patch', `${made.id}/`, { name: ' New ' })).body;
    expect(renamed).toEqual({ ...made, name: 'New', updated_at: expect.any(String) });
    await api.prisma.reviewQueue.update({ where: { id: made.id }, data: { updatedAt: new Date(0) } });
    const touched = (await send('patch', `${made.id}/`, {})).body;
    expect([touched.name, Date.parse(touched.updated_at) > 0]).toEqual(['New', true]);
    expect(refusalOf(await send('patch', `${made.id}/`, { name: '' }))).toEqual([400, 'blank', 'name']);
    expect((await send('put', `${made.id}/`, { name: 'x' })).status).toBe(405);
  });

  test('is deleted with its items, which other queues may have then', async () => {
    const [first, second] = [await make('First'), await make('Second')];
    await addItem(first.id, 't1');
    await addItem(second.id, 't2');
    expect((await send('delete', `${first.id}/`)).status).toBe(204);
    const after = await Promise.all([
      send('get', `${first.id}/`),
      send('patch', `${first.id}/`, {}),
      send('delete', `${first.id}/`),
    ]);
    expect(after.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await namesOf('')).toEqual(['Second']);
    const live = await api.prisma.reviewQueueItem.findMany({ where: { projectId: acme.projectId, deletedAt: null } });
    expect(live.map(({ traceId }) => traceId)).toEqual(['t2']);
    expect((await addItem(second.id, 't1')).traceId).toBe('t1');
  });

  test('belongs to its project alone', async () => {
    const { id } = await make('Mine');
    const other = await api.seed('Other');
    const theirs = `/api/projects/${other.projectId}/llm_analytics/review_queues/`;
    const as = api.as(other.key);
    const answers = await Promise.all([
      as.send('get', `${theirs}${id}/`),
      as.send('patch', `${theirs}${id}/`).send({ name: 'x' }),
      as.send('delete', `${theirs}${id}/`),
      as.send('post', `${theirs}${id}/claim/`).send({}),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await as.send<Shown>('get', theirs)).body.count).toBe(0);
    expect((await send('get', `${id}/`)).body.name).toBe('Mine');
  });

  test('its changes are in the activity log', async () => {
    const { id } = await make('Old');
    await send('patch', `${id}/`, { name: 'New' });
    await send('patch', `${id}/`, {});
    await addItem(id, 't1');
    await send('delete', `${id}/`);
    const item = { itemType: 'review_queue', itemId: id };
    expect(await activities()).toEqual([
      { ...item, activity: 'created', before: null, after: { name: 'Old' } },
      { ...item, activity: 'updated', before: { name: 'Old' }, after: { name: 'New' } },
      { ...item, activity: 'deleted', before: { name: 'New', pending_item_count: 1 }, after: null },
    ]);
  });
});

describe('the list', () => {
  beforeEach(async () => {
    for (const name of ['b 50%', 'a', 'C']) await make(name);
  });

  test.each<[string, string[]]>([
    ['?name=a', ['a']],
    ['?name=A', []],
    ['?name=%20', ['a', 'b 50%', 'C']],
    ['?search=A', ['a']],
    ['?search=0%25', ['b 50%']],
    ['?search=%25', ['b 50%']],
    ['?search=_', []],
    ['?order_by=created_at', ['b 50%', 'a', 'C']],
    ['?order_by=-created_at', ['C', 'a', 'b 50%']],
    ['?order_by=-updated_at,name', ['C', 'a', 'b 50%']],
  ])('%s finds %j', async (query, names) => {
    expect(await namesOf(query)).toEqual(query.includes('%20') ? expect.arrayContaining(names) : names);
  });

  test('is by name, and has pages', async () => {
    const all = await namesOf('');
    expect(await namesOf('?order_by=-name')).toEqual(all.toReversed());
    const { body } = await send('get', '?limit=2&offset=1');
    expect([body.count, body.results.map(({ name }) => name), body.next]).toEqual([3, all.slice(1), null]);
  });

  test('an order that there is not is refused', async () => {
    expect(refusalOf(await send('get', '?order_by=team'))).toEqual([400, 'invalid_choice', 'order_by']);
  });
});
