import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import type { ReplyBody } from '../../../test/test-request.ts';

// contract/llm-surveys 2.2, contract/decisions 23 and 73. Requests as the tools `llma-review-queue-item-*` of posthog-cli send them.

/** Fields of the answers that the tests read. */
interface Shown extends Omit<ReplyBody, 'results'> {
  queue_id: string;
  trace_id: string;
  created_at: string;
  updated_at: string;
  created_by: Record<string, unknown> | null;
  pending_item_count: number;
  count: number;
  next: string | null;
  results: Shown[];
}

let api: TestApi;
let acme: Seed;
let base: string;
let [first, second] = ['', ''];
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  acme = await api.seed('Acme');
  base = `/api/projects/${acme.projectId}/llm_analytics/`;
  [first, second] = [await makeQueue('First'), await makeQueue('Second')];
});

type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';
const to = (method: Method, rest: string, body?: object) => {
  const made = api.as(acme.key).send<Shown>(method, base + rest);
  return body === undefined ? made : made.send(body);
};
const send = (method: Method, rest = '', body?: object) => to(method, `review_queue_items/${rest}`, body);
const makeQueue = async (name: string): Promise<string> => (await to('post', 'review_queues/', { name })).body.id;
async function make(traceId: string, queueId = first): Promise<Shown> {
  const { status, body } = await send('post', '', { queue_id: queueId, trace_id: traceId });
  expect([status, body.detail]).toEqual([201, undefined]);
  return body;
}
const review = (traceId: string, more: object = {}) => to('post', 'trace_reviews/', { trace_id: traceId, ...more });
const countOf = async (id: string): Promise<number> =>
  (await to('get', `review_queues/${id}/`)).body.pending_item_count;
const refusalOf = ({ status, body }: { status: number; body: Pick<Shown, 'code' | 'attr' | 'detail'> }) => [
  status,
  body.code,
  body.attr,
  body.detail,
];
const tracesOf = async (query: string): Promise<string[]> => {
  const { body } = await send('get', query);
  const traces = body.results.map((item) => item.trace_id);
  expect(body.count).toBe(traces.length);
  return traces;
};

describe('an item', () => {
  test('has all its fields and no others, in the answer to POST and in that to GET', async () => {
    const made = await make(' trace-1 ');
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      queue_id: first,
      queue_name: 'First',
      trace_id: 'trace-1',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: made.created_at,
      created_by: expect.objectContaining({ id: acme.userId, email: acme.email }),
      team: acme.projectId,
    });
    await to('post', `review_queues/${first}/claim/`, {});
    expect((await send('get', `${made.id}/`)).body).toEqual(made);
    expect((await send('get')).body.results).toEqual([made]);
    expect(await countOf(first)).toBe(1);
  });

  test.each<[object, string, string]>([
    [{ queue_id: undefined }, 'required', 'queue_id'],
    [{ queue_id: null }, 'null', 'queue_id'],
    [{ queue_id: 'x' }, 'invalid_input', 'queue_id'],
    [{ queue_id: crypto.randomUUID() }, 'invalid_input', 'queue_id'],
    [{ trace_id: undefined }, 'required', 'trace_id'],
    [{ trace_id: ' ' }, 'blank', 'trace_id'],
    [{ trace_id: true }, 'invalid_input', 'trace_id'],
    [{ trace_id: 'x'.repeat(256) }, 'max_length', 'trace_id'],
  ])('%j is refused, and nothing is made', async (fields, code, attr) => {
    const refused = await send('post', '', { queue_id: first, trace_id: 't', ...fields });
    expect(refusalOf(refused).slice(0, 3)).toEqual([400, code, attr]);
    expect((await send('get')).body.count).toBe(0);
  });

  test('is of a queue that is there, a trace that waits nowhere, and that no review is about', async () => {
    await make('waits');
    await review('done');
    const gone = await makeQueue('Gone');
    await to('delete', `review_queues/${gone}/`);
    const refusals = await Promise.all(
      [
        { queue_id: gone, trace_id: 't' },
        { queue_id: first, trace_id: 'waits' },
        { queue_id: second, trace_id: 'waits' },
        { queue_id: first, trace_id: 'done' },
      ].map((body) => send('post', '', body)),
    );
    expect(refusals.map(refusalOf)).toEqual([
      [400, 'invalid_input', 'queue_id', 'Review queue not found.'],
      [400, 'invalid_input', 'trace_id', 'This trace is already pending in this queue.'],
      [400, 'invalid_input', 'trace_id', 'This trace is already pending in another queue.'],
      [400, 'invalid_input', 'trace_id', 'This trace is already reviewed and cannot be added to a queue.'],
    ]);
  });

  test('leaves by a review, and may come back when that is deleted', async () => {
    const { id } = await make('t');
    const reviewed = (await review('t')).body;
    expect([(await send('get', `${id}/`)).status, await countOf(first)]).toEqual([404, 0]);
    await to('delete', `trace_reviews/${reviewed.id}/`);
    expect((await make('t', second)).queue_id).toBe(second);
  });

  test('is moved to another queue; to its own, nothing changes', async () => {
    const made = await make('t');
    const moved = (await send('patch', `${made.id}/`, { queue_id: second.toUpperCase(), trace_id: 'other' })).body;
    expect(moved).toEqual({ ...made, queue_id: second, queue_name: 'Second', updated_at: expect.any(String) });
    expect([await countOf(first), await countOf(second)]).toEqual([0, 1]);
    expect((await send('patch', `${made.id}/`, { queue_id: second })).body).toEqual(moved);
    expect((await send('put', `${made.id}/`, { queue_id: first })).status).toBe(405);
  });

  test('is not moved without a queue, to none, or when its trace is reviewed', async () => {
    const { id } = await make('t');
    const required = await send('patch', `${id}/`, {});
    expect(refusalOf(required).slice(0, 3)).toEqual([400, 'required', 'queue_id']);
    const unknown = await send('patch', `${id}/`, { queue_id: crypto.randomUUID() });
    expect(refusalOf(unknown)).toEqual([400, 'invalid_input', 'queue_id', 'Review queue not found.']);
    await review('t', { queue_id: second }); // clears only that queue
    const reviewed = await send('patch', `${id}/`, { queue_id: second });
    const detail = 'This trace is already reviewed and cannot stay queued.';
    expect(refusalOf(reviewed)).toEqual([400, 'invalid_input', 'trace_id', detail]);
    expect((await send('get', `${id}/`)).body.queue_id).toBe(first);
  });

  test('is deleted, and may be queued again', async () => {
    const { id } = await make('t');
    expect((await send('delete', `${id}/`)).status).toBe(204);
    const after = await Promise.all([
      send('get', `${id}/`),
      send('patch', `${id}/`, { queue_id: second }),
      send('delete', `${id}/`),
      send('post', `${id}/claim/`, {}),
      send('post', `${id}/release/`),
    ]);
    expect(after.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await make('t')).id).not.toBe(id);
  });

  test('belongs to its project alone, and so does its queue', async () => {
    const { id } = await make('t');
    const other = await api.seed('Other');
    const theirs = `/api/projects/${other.projectId}/llm_analytics/`;
    const as = api.as(other.key);
    const queue = (await as.send('post', `${theirs}review_queues/`).send({ name: 'Theirs' })).body.id;
    const answers = await Promise.all([
      as.send('get', `${theirs}review_queue_items/${id}/`),
      as.send('patch', `${theirs}review_queue_items/${id}/`).send({ queue_id: queue }),
      as.send('delete', `${theirs}review_queue_items/${id}/`),
      as.send('post', `${theirs}review_queue_items/${id}/claim/`).send({}),
      as.send('post', `${theirs}review_queue_items/${id}/release/`),
      as.send('post', `${theirs}review_queue_items/`).send({ queue_id: first, trace_id: 'x' }),
      send('patch', `${id}/`, { queue_id: queue }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 400, 400]);
    expect((await as.send<Shown>('get', `${theirs}review_queue_items/?queue_id=${first}`)).body.count).toBe(0);
    const theirsToo = await as.send('post', `${theirs}review_queue_items/`).send({ queue_id: queue, trace_id: 't' });
    expect(theirsToo.status).toBe(201);
  });

  test('its changes are in the activity log', async () => {
    const { id } = await make('t');
    await send('patch', `${id}/`, { queue_id: second });
    await send('patch', `${id}/`, { queue_id: second });
    await send('delete', `${id}/`);
    const entries = await api.prisma.activityLogEntry.findMany({
      where: { projectId: acme.projectId, itemType: 'review_queue_item', itemId: id },
      select: { activity: true, before: true, after: true },
      orderBy: { id: 'asc' },
    });
    expect(entries).toEqual([
      { activity: 'created', before: null, after: { trace_id: 't', queue_id: first } },
      { activity: 'updated', before: { queue_id: first }, after: { queue_id: second } },
      { activity: 'deleted', before: { trace_id: 't', queue_id: second }, after: null },
    ]);
  });
});

describe('the list', () => {
  beforeEach(async () => {
    await make('b-1');
    await make('a_2', second);
    await make('C-3');
  });

  test.each<[string, string[]]>([
    ['', ['b-1', 'a_2', 'C-3']],
    ['?queue_id=FIRST', ['b-1', 'C-3']],
    ['?queue_id=01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d', []],
    ['?queue_id=', ['b-1', 'a_2', 'C-3']],
    ['?trace_id=a_2', ['a_2']],
    ['?trace_id=A_2', []],
    ['?trace_id__in=C-3,%20b-1,none', ['b-1', 'C-3']],
    ['?trace_id__in=,', ['b-1', 'a_2', 'C-3']],
    ['?search=c-', ['C-3']],
    ['?search=_', ['a_2']],
    ['?order_by=-created_at', ['C-3', 'a_2', 'b-1']],
    ['?order_by=updated_at', ['b-1', 'a_2', 'C-3']],
    ['?queue_id=FIRST&order_by=-updated_at', ['C-3', 'b-1']],
  ])('%s finds %j', async (query, traces) => {
    expect(await tracesOf(query.replace('FIRST', first))).toEqual(traces);
  });

  test('has pages', async () => {
    const { body } = await send('get', '?limit=1&offset=1');
    expect([body.count, body.results.map((item) => item.trace_id)]).toEqual([3, ['a_2']]);
    expect(body.next).toContain('offset=2');
  });

  test.each([
    ['?queue_id=7', 'invalid_input', 'queue_id'],
    ['?order_by=name', 'invalid_choice', 'order_by'],
  ])('%s is refused', async (query, code, attr) => {
    expect(refusalOf(await send('get', query)).slice(0, 3)).toEqual([400, code, attr]);
  });
});
