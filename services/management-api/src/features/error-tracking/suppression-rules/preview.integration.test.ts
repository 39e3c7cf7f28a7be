import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import type { ReplyBody } from '../../../test/test-request.ts';

// The dry run of a rule on stored exceptions, of the project alone.

interface Shown extends Omit<ReplyBody, 'results'> {
  dropped: number;
  total: number;
  left_out: number;
  examples: { uuid: string; timestamp: string; exception_types: string[]; exception_values: string[] }[];
}

let api: TestApi;
let acme: Seed;
let other: Seed;
const hour = 3_600_000;
const timeOf = (hoursAgo: number): string =>
  new Date(Date.now() - hoursAgo * hour).toISOString().replace('T', ' ').replace('Z', '000');
const exception = (teamId: number, index: number, properties: object = {}) => ({
  team_id: teamId,
  uuid: `00000000-0000-4000-8000-${(index + teamId * 1000).toString(16).padStart(12, '0')}`,
  event: '$exception',
  timestamp: timeOf(index),
  properties: {
    $exception_types: [index % 2 === 0 ? 'TypeError' : 'Error'],
    $exception_values: [`number ${index} ${'x'.repeat(400)}`],
    ...properties,
  },
});

beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  other = await api.seed('Other');
  await api.insertEvents([
    ...Array.from({ length: 30 }, (_, index) => exception(acme.projectId, index)),
    // Longer than what columns hold: it is read as text.
    exception(acme.projectId, 24 * 20, { big: ['needle', 'y'.repeat(20_000)] }),
    { ...exception(acme.projectId, 40), event: '$pageview' },
    exception(other.projectId, 1),
  ]);
});
afterAll(() => api?.stop());

async function preview(body: object, { projectId, key } = acme): Promise<Shown> {
  const path = `/api/projects/${projectId}/error_tracking/suppression_rules/preview`;
  const answer = await api.as(key).send<Shown>('post', path).send(body);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return answer.body;
}
const filters = (key: string, value: unknown, operator = 'exact') => ({
  type: 'AND',
  values: [{ key, operator, value }],
});

test('counts what the rule matches of the last days, with the newest ten', async () => {
  const { examples, ...counts } = await preview({ filters: filters('$exception_types', 'TypeError') });
  expect(counts).toEqual({ dropped: 15, total: 30, left_out: 0 });
  expect(examples.map(({ exception_values: [text = ''] }) => text.slice(0, 9).trim())).toEqual(
    Array.from({ length: 10 }, (_, index) => `number ${index * 2}`),
  );
  expect(examples[0]).toEqual({
    uuid: exception(acme.projectId, 0).uuid,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    exception_types: ['TypeError'],
    exception_values: [expect.stringMatching(/^number 0 x{291}$/)],
  });
});

test('looks as far back as it is asked, and into long values', async () => {
  const long = filters('big', 'needle');
  expect(await preview({ filters: long, days: 7 })).toMatchObject({ dropped: 0, total: 30 });
  expect(await preview({ filters: long, days: 30 })).toMatchObject({ dropped: 1, total: 31 });
  expect(await preview({})).toMatchObject({ dropped: 30, total: 30 });
});

test('does not match what is stored after the rules, as ingestion does not', async () => {
  const project = await api.seed('Late');
  const issue = randomUUID();
  await api.insertEvents([exception(project.projectId, 0, { $exception_issue_id: issue })]);
  expect(await preview({ filters: filters('$exception_issue_id', issue) }, project)).toMatchObject({
    dropped: 0,
    total: 1,
  });
});

test('samples by the uuid, the same each time', async () => {
  const half = { sampling_rate: 0.5 };
  const { dropped } = await preview(half);
  const expected = Array.from({ length: 30 }, (_, index) => exception(acme.projectId, index).uuid).filter(
    (uuid) => BigInt(`0x${uuid.replaceAll('-', '')}`) % 10_000n < 5_000n,
  ).length;
  expect([dropped, (await preview(half)).dropped]).toEqual([expected, expected]);
  expect((await preview({ sampling_rate: 0 })).dropped).toBe(0);
});

test('a rule that cannot be made is refused', async () => {
  const path = `/api/projects/${acme.projectId}/error_tracking/suppression_rules/preview`;
  const send = (body: object) => api.as(acme.key).send('post', path).send(body);
  const refused = await Promise.all([
    send({ filters: {} }),
    send({ filters: filters('a', '(', 'regex') }),
    send({ days: 91 }),
    send({ days: 0 }),
    send({ sampling_rate: 2 }),
  ]);
  expect(refused.map(({ status, body }) => [status, body.attr])).toEqual([
    [400, 'filters'],
    [400, null],
    [400, 'days'],
    [400, 'days'],
    [400, 'sampling_rate'],
  ]);
});
