import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ManagementApi } from '../../../app.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import type { ReplyBody } from '../../../test/test-request.ts';

// Claims, bulk adds and races, through two processes of the API.

/** Fields of the answers that the tests read. */
interface Shown extends Omit<ReplyBody, 'results'> {
  item: Shown | null;
  trace_id: string;
  claimed_until: string | null;
  pending_item_count: number;
  count: number;
  results: { status: number; item: Shown | null; error: { code: string; detail: string; attr: string } | null }[];
}

let api: TestApi;
let processes: ManagementApi[];
let acme: Seed;
/** Key of another member. */
let others: string;
let base: string;
let [first, second] = ['', ''];
beforeAll(async () => {
  api = await startTestApi();
  processes = [api.api, await api.startProcess()];
});
afterAll(() => api?.stop());
beforeEach(async () => {
  acme = await api.seed('Acme');
  const email = `ben-${acme.projectId}@example.com`;
  await api.admin.createUser({ organizationId: acme.organizationId, email, firstName: 'Ben', level: 1 });
  others = (await api.admin.createKey({ email, scopes: ['llm_analytics:write'] })).key;
  base = `/api/projects/${acme.projectId}/llm_analytics/`;
  [first, second] = [await makeQueue('First'), await makeQueue('Second')];
});

let calls = 0;
/** A call; each goes to the other process than the one before. */
const to = (method: 'get' | 'post' | 'patch' | 'delete', rest: string, body: object = {}, key = acme.key) => {
  const made = api.as(key, processes[calls++ % 2]).send<Shown>(method, base + rest);
  return method === 'get' ? made : made.send(body);
};
const makeQueue = async (name: string): Promise<string> => (await to('post', 'review_queues/', { name })).body.id;
const bulk = async (items: unknown[]) => await to('post', 'review_queue_items/bulk_create/', { items });
const fill = async (count: number) => {
  const items = Array.from({ length: count }, (_none, at) => ({ queue_id: first, trace_id: `t${at}` }));
  const { body } = await bulk(items);
  return body.results.map(({ item }) => item?.id ?? '');
};
const claim = async (key = acme.key, body: object = {}) => {
  const { status, body: shown } = await to('post', `review_queues/${first}/claim/`, body, key);
  expect(status).toBe(200);
  return shown;
};
const tracesOf = (claims: Shown[]) => claims.map(({ item }) => item?.trace_id ?? null);
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status);
const endLeases = () =>
  api.prisma.reviewQueueItem.updateMany({
    where: { projectId: acme.projectId, claimedById: { not: null } },
    data: { claimedUntil: new Date(Date.now() - 60_000) },
  });

describe('many items at once', () => {
  test('each has an answer of its own, in the order of the body', async () => {
    await to('post', 'trace_reviews/', { trace_id: 'done' });
    const { status, body } = await bulk([
      { queue_id: first, trace_id: 'a' },
      { queue_id: second, trace_id: 'a' },
      { queue_id: first },
      'text',
      { queue_id: crypto.randomUUID(), trace_id: 'b' },
      { queue_id: first, trace_id: 'done' },
      { queue_id: second, trace_id: 'b' },
    ]);
    const shown = body.results.map((one) => [one.status, one.item?.trace_id ?? one.error?.attr, one.error?.code]);
    expect([status, shown]).toEqual([
      200,
      [
        [201, 'a', undefined],
        [400, 'trace_id', 'invalid_input'],
        [400, 'trace_id', 'required'],
        [400, null, 'invalid_input'],
        [400, 'queue_id', 'invalid_input'],
        [400, 'trace_id', 'invalid_input'],
        [201, 'b', undefined],
      ],
    ]);
  });

  test('250 keep their order in the queue, have an entry each in the activity log, and may be sent again', async () => {
    const ids = await fill(250);
    const { body } = await to('get', `review_queue_items/?queue_id=${first}&limit=1000`);
    expect(body.results.map((item) => (item as unknown as Shown).id)).toEqual(ids);
    expect(await api.prisma.activityLogEntry.count({ where: { itemId: { in: ids }, activity: 'created' } })).toBe(250);
    const again = await bulk([...Array(251).keys()].map((at) => ({ queue_id: first, trace_id: `t${at}` })));
    expect(statusesOf(again.body.results)).toEqual([...ids.map(() => 400), 201]);
  });

  test.each<[object, string]>([
    [{}, 'required'],
    [{ items: {} }, 'not_a_list'],
    [{ items: [] }, 'empty'],
    [{ items: Array.from({ length: 1001 }, () => 1) }, 'max_length'],
  ])('%# a body that is no list of 1 to 1000 is refused', async (sent, code) => {
    const { status, body } = await to('post', 'review_queue_items/bulk_create/', sent);
    expect([status, body.code, body.attr]).toEqual([400, code, 'items']);
  });
});

describe('a claim', () => {
  test('gives the oldest item that nobody has, and nothing when none is left', async () => {
    await fill(3);
    const claims = [await claim(), await claim(others), await claim(), await claim(others)];
    expect(tracesOf(claims)).toEqual(['t0', 't1', 't2', null]);
    expect(claims[3]).toEqual({ item: null, claimed_until: null });
    expect((await to('get', `review_queues/${first}/`)).body.pending_item_count).toBe(3);
  });

  test.each([
    [{}, 600],
    [{ lease_seconds: 5 }, 5],
  ])('%j lasts %d s', async (body, seconds) => {
    await fill(1);
    const started = Date.now();
    const lasts = (Date.parse((await claim(acme.key, body)).claimed_until ?? '') - started) / 1000;
    expect(Math.abs(lasts - seconds)).toBeLessThan(3);
  });

  test.each([0, 86_401, 1.5, 'x'])('a lease of %j seconds is refused', async (seconds) => {
    const { status, body } = await to('post', `review_queues/${first}/claim/`, { lease_seconds: seconds });
    expect([status, body.attr]).toEqual([400, 'lease_seconds']);
  });

  test('that ended is anybody’s, and its former owner cannot keep it then', async () => {
    const [id] = await fill(1);
    await claim();
    await endLeases();
    expect(tracesOf([await claim(others)])).toEqual(['t0']);
    expect((await to('post', `review_queue_items/${id}/claim/`)).status).toBe(409);
    expect((await to('post', `review_queue_items/${id}/release/`)).status).toBe(409);
    expect((await to('post', `review_queue_items/${id}/claim/`, {}, others)).status).toBe(200);
  });

  test('of a certain item is for one who has it, or when nobody has', async () => {
    const [id] = await fill(1);
    const claimIt = (key: string, body = {}) => to('post', `review_queue_items/${id}/claim/`, body, key);
    expect((await claimIt(acme.key)).status).toBe(200);
    expect((await claimIt(others)).status).toBe(409);
    const { body } = await claimIt(acme.key, { lease_seconds: 900 });
    expect([body.item?.id, Date.parse(body.claimed_until ?? '') > Date.now() + 800_000]).toEqual([id, true]);
    expect(await claim(others)).toEqual({ item: null, claimed_until: null });
    await endLeases();
    expect((await claimIt(others)).status).toBe(200);
  });

  test('is given back by its owner alone', async () => {
    const [id] = await fill(1);
    await claim();
    expect((await to('post', `review_queue_items/${id}/release/`, {}, others)).status).toBe(409);
    expect((await to('post', `review_queue_items/${id}/release/`)).status).toBe(204);
    expect((await to('post', `review_queue_items/${id}/release/`)).status).toBe(204);
    expect(tracesOf([await claim(others)])).toEqual(['t0']);
  });

  test('ends when the item is moved', async () => {
    const [id] = await fill(1);
    await claim();
    await to('patch', `review_queue_items/${id}/`, { queue_id: second });
    const { body } = await to('post', `review_queues/${second}/claim/`, {}, others);
    expect(body.item?.trace_id).toBe('t0');
  });

  test('does not keep others from reviewing the trace', async () => {
    await fill(1);
    await claim();
    expect((await to('post', 'trace_reviews/', { trace_id: 't0' }, others)).status).toBe(201);
    expect((await to('get', `review_queues/${first}/`)).body.pending_item_count).toBe(0);
  });
});

describe('many calls at once, through two processes', () => {
  test('no two claims get the same item, and none is passed over', async () => {
    await fill(20);
    const claims = await Promise.all(
      Array.from({ length: 24 }, (_none, at) => claim(at % 3 === 0 ? others : acme.key)),
    );
    // Rows that another claim is just taking are passed over: at the end of the queue a claim may find nothing, and comes again.
    while (tracesOf(claims).filter((trace) => trace !== null).length < 20) claims.push(await claim());
    const got = tracesOf(claims).filter((trace) => trace !== null);
    expect(new Set(got)).toEqual(new Set(Array.from({ length: 20 }, (_none, at) => `t${at}`)));
    expect(got).toHaveLength(20);
  });

  test('one item of a trace is made, whatever the queue', async () => {
    const adds = Array.from({ length: 12 }, (_none, at) => {
      const item = { queue_id: at % 2 === 0 ? first : second, trace_id: 'same' };
      return at % 3 === 0 ? bulk([item]) : to('post', 'review_queue_items/', item);
    });
    const made = (await Promise.all(adds)).filter(
      ({ status, body }) => status === 201 || body.results?.[0]?.status === 201,
    );
    expect(made).toHaveLength(1);
    expect(await api.prisma.reviewQueueItem.count({ where: { projectId: acme.projectId, deletedAt: null } })).toBe(1);
  });

  test('a trace that is queued while it is reviewed does not wait afterwards', async () => {
    const traces = Array.from({ length: 12 }, (_none, at) => `t${at}`);
    const answers = await Promise.all(
      traces.flatMap((trace) => [
        to('post', 'review_queue_items/', { queue_id: first, trace_id: trace }),
        to('post', 'trace_reviews/', { trace_id: trace }),
        to('post', 'review_queue_items/', { queue_id: second, trace_id: trace }),
      ]),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await api.prisma.traceReview.count({ where: { projectId: acme.projectId } })).toBe(12);
    expect(await api.prisma.reviewQueueItem.count({ where: { projectId: acme.projectId, deletedAt: null } })).toBe(0);
  });

  test('a queue that is deleted while items come and go leaves no live item', async () => {
    const ids = await fill(10);
    const answers = await Promise.all([
      ...ids.slice(0, 3).map((id) => to('patch', `review_queue_items/${id}/`, { queue_id: second })),
      ...Array.from({ length: 6 }, (_none, at) =>
        to('post', 'review_queue_items/', { queue_id: first, trace_id: `new-${at}` }),
      ),
      to('delete', `review_queues/${first}/`),
      ...ids.slice(3, 6).map((id) => to('delete', `review_queue_items/${id}/`)),
      ...Array.from({ length: 4 }, () => to('post', `review_queues/${first}/claim/`)),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const live = await api.prisma.reviewQueueItem.count({ where: { queueId: first, deletedAt: null } });
    expect(live).toBe(0);
  });
});
