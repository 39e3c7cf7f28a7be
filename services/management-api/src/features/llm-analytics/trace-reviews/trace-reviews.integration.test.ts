import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import type { ReplyBody } from '../../../test/test-request.ts';

// contract/llm-surveys 4. Values of scores alone: scores/read-scores.test.ts.

type Given = Record<string, unknown>;

/** Fields of the answers that the tests read. */
interface Shown extends Omit<ReplyBody, 'results'> {
  trace_id: string;
  trace_url: string;
  comment: string | null;
  created_at: string;
  updated_at: string;
  reviewed_by: { email: string };
  scores: (Given & { id: string })[];
  count: number;
  results: Shown[];
}

let api: TestApi;
let acme: Seed;
let path: string;
let quality: { id: string; versionId: string };
let tone: { id: string; versionId: string };
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  acme = await api.seed('Acme');
  path = `/api/projects/${acme.projectId}/llm_analytics/`;
  quality = await define({ name: 'Quality', kind: 'numeric', config: { min: 0, max: 5, step: 0.5 } });
  const options = [
    { key: 'kind', label: 'Kind' },
    { key: 'rude', label: 'Rude' },
  ];
  tone = await define({ name: 'Aspect', kind: 'categorical', config: { options } });
});

async function define(body: Given): Promise<{ id: string; versionId: string }> {
  const made = await api.as(acme.key).send('post', `${path}score_definitions/`).send(body);
  return { id: made.body.id, versionId: made.body.current_version_id };
}
const send = (method: 'get' | 'post' | 'patch' | 'put' | 'delete', rest = '', body?: Given, key = acme.key) => {
  const made = api.as(key).send<Shown>(method, `${path}trace_reviews/${rest}`);
  return body === undefined ? made : made.send(body);
};
async function make(body: Given): Promise<Shown> {
  const answer = await send('post', '', body);
  expect([answer.status, answer.body.detail]).toEqual([201, undefined]);
  return answer.body;
}
const refusalOf = ({ status, body }: { status: number; body: Pick<Shown, 'code' | 'attr' | 'detail'> }) => [
  status,
  body.code,
  body.attr,
  body.detail,
];
async function makeQueue(name: string, ...traces: string[]): Promise<string> {
  const id = crypto.randomUUID();
  const { projectId } = acme;
  await api.prisma.reviewQueue.create({ data: { id, projectId, name } });
  for (const traceId of traces)
    await api.prisma.reviewQueueItem.create({ data: { id: crypto.randomUUID(), projectId, queueId: id, traceId } });
  return id;
}
const waiting = async (): Promise<string[]> => {
  const where = { projectId: acme.projectId, deletedAt: null };
  const items = await api.prisma.reviewQueueItem.findMany({ where, orderBy: { traceId: 'asc' } });
  return items.map(({ traceId }) => traceId);
};

describe('a review', () => {
  test('has all its fields and no others; scores come by the name of their definition', async () => {
    const made = await make({
      trace_id: ' trace|1 ',
      comment: ' Good ',
      scores: [
        { definition_id: quality.id, numeric_value: 4.5 },
        { definition_id: tone.id, categorical_values: ['KIND'], boolean_value: null },
      ],
    });
    const user = expect.objectContaining({ id: acme.userId, email: acme.email });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const shared = { id: expect.any(String), definition_archived: false, definition_version: 1, boolean_value: null };
    expect(made).toEqual({
      id: expect.any(String),
      trace_id: 'trace|1',
      trace_url: `${api.api.url}/project/${acme.projectId}/ai-observability/traces/trace%7C1`,
      comment: 'Good',
      created_at: time,
      updated_at: made.created_at,
      created_by: user,
      reviewed_by: user,
      team: acme.projectId,
      scores: [
        {
          ...shared,
          definition_id: tone.id,
          definition_name: 'Aspect',
          definition_kind: 'categorical',
          definition_version_id: tone.versionId,
          definition_config: expect.objectContaining({ options: expect.any(Array) }),
          categorical_values: ['kind'],
          numeric_value: null,
          created_at: made.created_at,
          updated_at: made.created_at,
        },
        {
          ...shared,
          definition_id: quality.id,
          definition_name: 'Quality',
          definition_kind: 'numeric',
          definition_version_id: quality.versionId,
          definition_config: { min: 0, max: 5, step: 0.5 },
          categorical_values: null,
          numeric_value: '4.500000',
          created_at: made.created_at,
          updated_at: made.created_at,
        },
      ],
    });
    expect((await send('get', `${made.id}/`)).body).toEqual(made);
    expect((await send('get')).body.results).toEqual([made]);
    const saved = await api.prisma.traceScore.findMany({ where: { reviewId: made.id } });
    expect(saved.map(({ createdById }) => createdById)).toEqual([acme.userId, acme.userId]);
  });

  test('keeps the version that it was made with; name and state of its definition are those of now', async () => {
    const { id } = await make({ trace_id: 't', scores: [{ definition_id: quality.id, numeric_value: '0.5' }] });
    const definition = `${path}score_definitions/${quality.id}/`;
    await api
      .as(acme.key)
      .send('post', `${definition}new_version/`)
      .send({ config: { max: 1 } });
    await api.as(acme.key).send('patch', definition).send({ name: 'New', archived: true });
    expect((await send('get', `${id}/`)).body.scores).toMatchObject([
      {
        definition_name: 'New',
        definition_archived: true,
        definition_version: 1,
        definition_config: { min: 0, max: 5, step: 0.5 },
      },
    ]);
    // An archived definition, and an older version of it, will do.
    const older = { definition_id: quality.id, definition_version_id: quality.versionId, numeric_value: 5 };
    expect((await make({ trace_id: 'u', scores: [older] })).scores).toMatchObject([{ definition_version: 1 }]);
    const newest = { definition_id: quality.id, numeric_value: 1 };
    expect((await make({ trace_id: 'v', scores: [newest] })).scores).toMatchObject([{ definition_version: 2 }]);
  });

  test.each<[Given, string, string]>([
    [{ trace_id: undefined }, 'required', 'trace_id'],
    [{ trace_id: ' ' }, 'blank', 'trace_id'],
    [{ trace_id: 'x'.repeat(256) }, 'max_length', 'trace_id'],
    [{ trace_id: null }, 'null', 'trace_id'],
    [{ comment: true }, 'invalid_input', 'comment'],
    [{ queue_id: 'x' }, 'invalid_input', 'queue_id'],
    [{ scores: 'x' }, 'not_a_list', 'scores'],
    [{ scores: [{}] }, 'required', 'scores'],
    [{ scores: [{ definition_id: 'x', boolean_value: true }] }, 'invalid_input', 'scores'],
  ])('%j is refused', async (fields, code, attr) => {
    expect(refusalOf(await send('post', '', { trace_id: 't', ...fields }))).toEqual([
      400,
      code,
      attr,
      expect.any(String),
    ]);
    expect((await send('get')).body.count).toBe(0);
  });

  test('scores of what is not there, or of another project, are refused, and nothing is written', async () => {
    await makeQueue('Q', 't');
    const other = await api.seed('Other');
    const theirs = await api
      .as(other.key)
      .send('post', path.replace(String(acme.projectId), String(other.projectId)) + 'score_definitions/')
      .send({ name: 'Theirs', kind: 'boolean', config: {} });
    const numeric_value = 1;
    for (const [score, detail] of [
      [{ definition_id: crypto.randomUUID(), numeric_value }, 'scores[0].definition_id: Unknown scorer definition.'],
      [{ definition_id: theirs.body.id, boolean_value: true }, 'scores[0].definition_id: Unknown scorer definition.'],
      [
        { definition_id: quality.id, definition_version_id: theirs.body.current_version_id, numeric_value },
        'scores[0].definition_version_id: Unknown scorer version.',
      ],
      [
        { definition_id: quality.id, definition_version_id: tone.versionId, numeric_value },
        'scores[0].definition_version_id: This scorer version does not belong to the scorer.',
      ],
      [
        { definition_id: quality.id, numeric_value: 0.3 },
        'scores[0].numeric_value: Ensure this value increments by 0.5.',
      ],
    ] as const)
      expect(refusalOf(await send('post', '', { trace_id: 't', scores: [score] }))).toEqual([
        400,
        'invalid_input',
        'scores',
        detail,
      ]);
    expect([(await send('get')).body.count, await waiting()]).toEqual([0, ['t']]);
  });

  test('a trace has one at a time, also of many at once; a deleted one is no hindrance', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('post', '', { trace_id: 't' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const answer of refused)
      expect(refusalOf(answer)).toEqual([
        400,
        'invalid_input',
        'trace_id',
        'An active review already exists for this trace.',
      ]);
    const [{ id } = { id: '' }] = (await send('get')).body.results;
    expect((await send('delete', `${id}/`)).status).toBe(204);
    for (const method of ['get', 'delete'] as const) expect((await send(method, `${id}/`)).status).toBe(404);
    expect((await send('patch', `${id}/`, {})).status).toBe(404);
    expect((await make({ trace_id: 't' })).id).not.toBe(id);
  });

  test('another project of the same key knows nothing of it', async () => {
    const { id } = await make({ trace_id: 't' });
    const { projectId } = await api.admin.createProject({ organizationId: acme.organizationId, name: 'Other' });
    const here = path;
    path = path.replace(String(acme.projectId), String(projectId));
    expect((await send('get')).body.count).toBe(0);
    for (const method of ['get', 'patch', 'delete'] as const)
      expect((await send(method, `${id}/`, method === 'patch' ? { comment: 'x' } : undefined)).status).toBe(404);
    path = here;
    expect((await send('get', `${id}/`)).body.comment).toBeNull();
  });
});

describe('PATCH', () => {
  test('without scores keeps them, with scores replaces them, with none clears them', async () => {
    const score = { definition_id: quality.id, numeric_value: 1 };
    const made = await make({ trace_id: 't', comment: 'x', scores: [score] });
    const kept = (await send('patch', `${made.id}/`, { comment: ' ', trace_id: ' t ' })).body;
    expect(kept).toEqual({ ...made, comment: null, updated_at: expect.any(String) });
    const replaced = (await send('patch', `${made.id}/`, { scores: [{ ...score, numeric_value: 2 }] })).body;
    expect(replaced.scores).toMatchObject([{ numeric_value: '2.000000' }]);
    expect(replaced.scores[0]?.id).not.toBe(made.scores[0]?.id);
    expect((await send('patch', `${made.id}/`, { scores: [] })).body.scores).toEqual([]);
    expect((await send('put', `${made.id}/`, {})).status).toBe(405);
  });

  test('says who saved it last, also when nothing else changes', async () => {
    const made = await make({ trace_id: 't' });
    const email = `ben-${acme.projectId}@example.com`;
    await api.admin.createUser({ organizationId: acme.organizationId, email, firstName: 'Ben', level: 8 });
    const { key } = await api.admin.createKey({ email, scopes: ['llm_analytics:write'] });
    const { body } = await send('patch', `${made.id}/`, {}, key);
    expect(body).toMatchObject({ created_by: { email: acme.email }, reviewed_by: { email } });
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(made.updated_at));
  });

  test('the trace stays', async () => {
    const { id } = await make({ trace_id: 't' });
    expect(refusalOf(await send('patch', `${id}/`, { trace_id: 'u' }))).toEqual([
      400,
      'invalid_input',
      'trace_id',
      'Trace ID cannot be changed once a review is created.',
    ]);
  });
});

describe('queues (contract/llm-surveys 4.3)', () => {
  test('a review takes its trace out of the queue that it waits in, and no other trace', async () => {
    await makeQueue('One', 'a', 'b');
    await make({ trace_id: 'a' });
    expect(await waiting()).toEqual(['b']);
    const elsewhere = await makeQueue('Two');
    await make({ trace_id: 'b', queue_id: elsewhere });
    expect(await waiting()).toEqual(['b']);
    await make({ trace_id: 'c', queue_id: crypto.randomUUID() });
  });

  test('with a queue only out of that one; a PATCH does the same; a deleted review puts nothing back', async () => {
    const queue = await makeQueue('One', 'a');
    const { id } = await make({ trace_id: 'a', queue_id: await makeQueue('Two') });
    expect(await waiting()).toEqual(['a']);
    await send('patch', `${id}/`, { queue_id: queue });
    expect(await waiting()).toEqual([]);
    await makeQueue('Three', 'a');
    await send('patch', `${id}/`, { queue_id: null });
    await send('delete', `${id}/`);
    expect(await waiting()).toEqual([]);
  });

  test('whoever adds an item at the same time either sees the review or has the item taken out', async () => {
    const queueId = await makeQueue('One');
    const { projectId } = acme;
    // As the routes of items do: lock, look, add.
    const add = (traceId: string) =>
      api.prisma.$transaction(async (prisma) => {
        await prisma.$queryRaw`SELECT FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`;
        if ((await prisma.traceReview.count({ where: { projectId, traceId, deletedAt: null } })) > 0) return;
        await prisma.reviewQueueItem.create({ data: { id: crypto.randomUUID(), projectId, queueId, traceId } });
      });
    const traces = Array.from({ length: 20 }, (_none, at) => `t${at}`);
    await Promise.all(traces.flatMap((trace): Promise<unknown>[] => [make({ trace_id: trace }), add(trace)]));
    expect(await waiting()).toEqual([]);
  });
});

describe('the list', () => {
  beforeEach(async () => {
    const score = { definition_id: quality.id, numeric_value: 1 };
    await make({ trace_id: 'a', comment: '100% wrong', scores: [score] });
    await make({ trace_id: 'b', scores: [score, { definition_id: tone.id, categorical_values: ['rude'] }] });
    await make({ trace_id: 'c_A' });
    const { id } = await make({ trace_id: 'gone', comment: 'wrong', scores: [score] });
    await send('delete', `${id}/`);
    const [first] = (await send('get', '?trace_id=a')).body.results;
    await send('patch', `${first?.id}/`, {});
  });

  test.each<[string, string[]]>([
    ['', ['a', 'c_A', 'b']],
    ['?order_by=created_at', ['a', 'b', 'c_A']],
    ['?order_by=-created_at', ['c_A', 'b', 'a']],
    ['?order_by=updated_at', ['b', 'c_A', 'a']],
    ['?trace_id=b', ['b']],
    ['?trace_id=A', []],
    ['?trace_id=', ['a', 'c_A', 'b']],
    ['?trace_id__in=a,%20b,gone,', ['a', 'b']],
    ['?search=a', ['a', 'c_A']],
    ['?search=_a', ['c_A']],
    ['?search=100%25%20WRONG', ['a']],
    ['?definition_id=QUALITY', ['a', 'b']],
    ['?definition_id=TONE', ['b']],
    ['?definition_id__in=TONE,QUALITY', ['a', 'b']],
    ['?definition_id=QUALITY&definition_id__in=TONE', ['b']],
    ['?definition_id=01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d', []],
  ])('%s', async (query, traces) => {
    const { body } = await send('get', query.replace('QUALITY', quality.id).replace('TONE', tone.id));
    expect([body.count, body.results.map(({ trace_id }) => trace_id)]).toEqual([traces.length, traces]);
  });

  test.each(['definition_id=x', 'definition_id__in=x', 'order_by=comment'])('%s is refused', async (query) => {
    const { status, body } = await send('get', `?${query}`);
    expect([status, body.attr]).toEqual([400, query.split('=')[0]]);
  });
});

test('the activity log has reviews that are made, changed and deleted', async () => {
  const { id } = await make({ trace_id: 't', scores: [{ definition_id: quality.id, numeric_value: 1 }] });
  await send('patch', `${id}/`, { comment: 'x' });
  await send('delete', `${id}/`);
  const entries = await api.prisma.activityLogEntry.findMany({ where: { itemId: id }, orderBy: { id: 'asc' } });
  const scores = [{ definition_id: quality.id, definition_version: 1, value: '1.000000' }];
  expect(entries).toMatchObject([
    { itemType: 'trace_review', activity: 'created', actor: acme.email, after: { trace_id: 't', scores } },
    { activity: 'updated', before: { comment: null }, after: { comment: 'x' } },
    { activity: 'deleted', before: { trace_id: 't', comment: 'x', scores } },
  ]);
});
