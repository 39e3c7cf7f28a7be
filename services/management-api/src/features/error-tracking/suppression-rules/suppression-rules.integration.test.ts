import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import type { ReplyBody } from '../../../test/test-request.ts';

// contract/orgs-errors 3.2 and 6.

interface Rule {
  id: string;
  filters: object;
  order_key: number;
  sampling_rate: number;
  disabled_data: object | null;
  updated_at: string;
}
type Shown = Omit<ReplyBody, 'results'> & Rule & { count: number; dropped: number; results: Rule[]; ok: boolean };

let api: TestApi;
let acme: Seed;
let path: string;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  acme = await api.seed('Acme');
  path = `/api/projects/${acme.projectId}/error_tracking/suppression_rules`;
});

const send = (method: 'get' | 'post' | 'patch' | 'put' | 'delete', rest = '', body?: object) => {
  const made = api.as(acme.key).send<Shown>(method, path + rest);
  return body === undefined ? made : made.send(body);
};
const filters = (value: string, operator = 'icontains'): object => ({
  type: 'AND',
  values: [{ key: '$exception_values', type: 'event', operator, value }],
});
async function make(body: object = {}): Promise<Rule> {
  const answer = await send('post', '', body);
  expect([answer.status, answer.body.detail]).toEqual([201, undefined]);
  return answer.body;
}
const ruleOf = async (id: string): Promise<Rule> => (await send('get', `/${id}`)).body;
const listed = async (): Promise<string[]> => (await send('get')).body.results.map(({ id }) => id);
const refusalOf = ({ status, body }: { status: number; body: Pick<Shown, 'code' | 'attr'> }) => [
  status,
  body.code,
  body.attr,
];
const logged = async (id: string) =>
  (
    await api.prisma.activityLogEntry.findMany({
      where: { projectId: acme.projectId, itemType: 'suppression_rule', itemId: id },
      select: { activity: true, before: true, after: true },
      orderBy: { id: 'asc' },
    })
  ).map(({ activity, before, after }) => [activity, before, after]);

describe('a rule', () => {
  test('has all its fields and no others, and defaults', async () => {
    const made = await make();
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      filters: { type: 'AND', values: [] },
      order_key: 0,
      disabled_data: null,
      sampling_rate: 1,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(await ruleOf(made.id)).toEqual(made);
    expect((await send('get')).body.results).toEqual([made]);
    const given = { filters: filters('ü "x"'), sampling_rate: 0.25, order_key: 9 };
    expect(await make(given)).toMatchObject({ ...given, order_key: 0 });
  });

  test.each<[object, string, string | null]>([
    [{ filters: [] }, 'invalid_input', 'filters'],
    [{ filters: 'x' }, 'invalid_input', 'filters'],
    [{ filters: null }, 'null', 'filters'],
    [{ filters: {} }, 'invalid_input', 'filters'],
    [{ filters: { type: 'AND', values: [{ key: 'a', operator: 'like', value: 1 }] } }, 'invalid_input', 'filters'],
    [{ filters: { type: 'AND', values: [], more: 1 } }, 'invalid_input', 'filters'],
    [{ filters: filters('(', 'regex') }, 'invalid_input', null],
    [{ filters: { type: 'AND', values: [{ key: 'a', type: 'cohort', value: 1 }] } }, 'invalid_input', null],
    [{ sampling_rate: 1.01 }, 'max_value', 'sampling_rate'],
    [{ sampling_rate: -0.01 }, 'min_value', 'sampling_rate'],
    [{ sampling_rate: 'half' }, 'invalid_input', 'sampling_rate'],
    [{ sample_rate: 0.5 }, 'invalid_input', 'sample_rate'],
  ])('%j is refused by POST, PATCH and PUT, and changes nothing', async (body, code, attr) => {
    const made = await make({ filters: filters('a') });
    expect(refusalOf(await send('post', '', body))).toEqual([400, code, attr]);
    for (const method of ['patch', 'put'] as const)
      expect(refusalOf(await send(method, `/${made.id}`, body))).toEqual([400, code, attr]);
    expect((await send('get')).body.results).toEqual([made]);
  });

  test.each(['patch', 'put'] as const)('%s: 204, what is left out stays, and it applies again', async (method) => {
    const { id } = await make({ filters: filters('a'), sampling_rate: 0.5 });
    const data = { disabledData: { message: 'x' }, updatedAt: new Date(0) };
    await api.prisma.suppressionRule.update({ where: { id }, data });
    expect((await ruleOf(id)).disabled_data).toEqual({ message: 'x' });
    const { status, text } = await send(method, `/${id}`, {});
    expect([status, text]).toEqual([204, '']);
    const after = await ruleOf(id);
    expect(after).toMatchObject({ filters: filters('a'), sampling_rate: 0.5, disabled_data: null });
    expect(Date.parse(after.updated_at)).toBeGreaterThan(0);
    await send(method, `/${id}`, { sampling_rate: 0, order_key: 4 });
    expect(await ruleOf(id)).toMatchObject({ filters: filters('a'), sampling_rate: 0, order_key: 0 });
    await send(method, `/${id}`, { filters: filters('b') });
    expect(await ruleOf(id)).toMatchObject({ filters: filters('b'), sampling_rate: 0 });
  });

  test('is deleted; belongs to its project alone', async () => {
    const { id } = await make();
    const other = await api.seed('Other');
    const theirs = `/api/projects/${other.projectId}/error_tracking/suppression_rules`;
    const as = api.as(other.key);
    const answers = await Promise.all([
      as.send('get', `${theirs}/${id}`),
      as.send('patch', `${theirs}/${id}`).send({ sampling_rate: 0 }),
      as.send('put', `${theirs}/${id}`).send({ sampling_rate: 0 }),
      as.send('delete', `${theirs}/${id}`),
      as.send('get', `${theirs}/${id}/hits`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await as.send('patch', `${theirs}/reorder`).send({ orders: { [id]: 7 } })).status).toBe(200);
    expect(await ruleOf(id)).toMatchObject({ sampling_rate: 1, order_key: 0 });
    expect((await send('delete', `/${id}`)).status).toBe(204);
    expect((await send('delete', `/${id}`)).status).toBe(404);
    expect(await listed()).toEqual([]);
  });

  test('its changes are in the activity log; one that changes nothing is not', async () => {
    const { id } = await make({ sampling_rate: 0.5 });
    await send('patch', `/${id}`, {});
    await send('patch', `/${id}`, { sampling_rate: 1 });
    await send('patch', '/reorder', { orders: { [id]: 2 } });
    await send('patch', '/reorder', { orders: { [id]: 2 } });
    await send('delete', `/${id}`);
    const all = { filters: { type: 'AND', values: [] } };
    expect(await logged(id)).toEqual([
      ['created', null, { ...all, sampling_rate: 0.5, order_key: 0 }],
      ['updated', { sampling_rate: 0.5 }, { sampling_rate: 1 }],
      ['updated', { order_key: 0 }, { order_key: 2 }],
      ['deleted', { ...all, sampling_rate: 1, order_key: 2 }, null],
    ]);
  });
});

describe('the order', () => {
  test('is set for the rules that are named; unknown ids are ignored, and the list follows it', async () => {
    const [a, b, c] = [await make(), await make(), await make()];
    expect(await listed()).toEqual([a.id, b.id, c.id]);
    const orders = { [a.id]: 5, [b.id.toUpperCase()]: -1, [crypto.randomUUID()]: 1, none: 1 };
    const { status, body } = await send('patch', '/reorder', { orders });
    expect([status, body]).toEqual([200, { ok: true }]);
    expect(await listed()).toEqual([b.id, c.id, a.id]);
    expect((await send('patch', '/reorder', { order_key: 3 })).body).toEqual({ ok: true });
    expect((await send('patch', '/reorder')).status).toBe(200);
    expect(await listed()).toEqual([b.id, c.id, a.id]);
    const page = await send('get', '?limit=1&offset=1');
    expect([page.body.count, page.body.results.map(({ id }) => id)]).toEqual([3, [c.id]]);
  });

  test.each([[[1]], [{ id: 1.5 }], [{ id: '1' }], [{ id: null }], [{ id: 2 ** 31 }], [7]])(
    '%j is refused, and moves nothing',
    async (wrong) => {
      const { id } = await make();
      const orders = Array.isArray(wrong) || typeof wrong === 'number' ? wrong : { [id]: 1, ...wrong };
      expect(refusalOf(await send('patch', '/reorder', { orders }))).toEqual([400, 'invalid_input', 'orders']);
      expect((await ruleOf(id)).order_key).toBe(0);
    },
  );
});

test('a project has a thousand rules at most, with filters as long as a body together', async () => {
  const fill = (count: number) => api.prisma.$executeRaw`
    INSERT INTO suppression_rules (id, project_id, filters) SELECT gen_random_uuid(), ${acme.projectId}, '{}' FROM generate_series(1, ${count}::integer)`;
  await fill(998);
  const made = await Promise.all(Array.from({ length: 4 }, () => send('post', '', {})));
  expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403]);
  await api.prisma.suppressionRule.deleteMany({ where: { projectId: acme.projectId } });
  const long = { type: 'AND', values: Array.from({ length: 6 }, () => ({ key: 'a', value: 'x'.repeat(9_900) })) };
  for (let index = 0; index < 17; index++) await make({ filters: long });
  expect(refusalOf(await send('post', '', { filters: long }))).toEqual([400, 'invalid_input', 'filters']);
});

test('hits are shown day by day, with days on which there were none', async () => {
  const { id } = await make();
  const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const hits = [0, 2, 8].map((ago) => ({ rule_id: id, day: day(ago), dropped: ago + 1 }));
  await api.prisma.$executeRaw`SELECT add_suppression_hits(${JSON.stringify(hits)}::jsonb)`;
  expect((await send('get', `/${id}/hits?days=3`)).body).toEqual({
    dropped: 4,
    results: [
      { day: day(2), dropped: 3 },
      { day: day(1), dropped: 0 },
      { day: day(0), dropped: 1 },
    ],
  });
  const week = (await send('get', `/${id}/hits`)).body;
  expect([week.results.length, week.dropped]).toEqual([7, 4]);
  expect((await send('get', `/${id}/hits?days=90`)).body.dropped).toBe(13);
  expect(refusalOf(await send('get', `/${id}/hits?days=91`))).toEqual([400, 'max_value', 'days']);
});
