import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';
import type { ReplyBody } from '../../test/test-request.ts';

// Every query of a project reads its shared variables: however many somebody makes, that costs no more than one body.

let api: TestApi;
let acme: Seed;
let path: string;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  acme = await api.seed('Acme');
  path = `/api/projects/${acme.projectId}/insight_variables/`;
});

const make = (codeName: string, bytes = 1) =>
  api
    .as(acme.key)
    .send('post', path)
    .send({ name: codeName, code_name: codeName, type: 'String', default_value: 'x'.repeat(bytes) });
const change = (id: string, bytes: number) =>
  api
    .as(acme.key)
    .send('patch', `${path}${id}/`)
    .send({ default_value: 'x'.repeat(bytes) });
const refusalOf = ({ status, body }: { status: number; body: ReplyBody }) => [status, body.code, body.attr];
const fill = (count: number) => api.prisma.$executeRaw`
  INSERT INTO insight_variables (id, project_id, name, code_name, type) SELECT gen_random_uuid(), ${acme.projectId}, 'n' || n, 'n' || n, 'String' FROM generate_series(1, ${count}::integer) AS n`;

test('defaults of all variables are as large as a body together, by POST and by PATCH', async () => {
  expect((await make('a', 600_000)).status).toBe(201);
  expect(refusalOf(await make('b', 600_000))).toEqual([400, 'invalid_input', 'default_value']);
  const { body: small } = await make('c', 400_000);
  expect(refusalOf(await change(small.id, 600_000))).toEqual([400, 'invalid_input', 'default_value']);
  expect((await change(small.id, 300_000)).status).toBe(200);
  expect(await api.prisma.insightVariable.count({ where: { projectId: acme.projectId } })).toBe(2);
});

test('a project has a thousand at most, also when several are made at once; those that it had before stay', async () => {
  await fill(998);
  const made = await Promise.all(['a', 'b', 'c', 'd'].map((name) => make(name)));
  expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403]);
  await api.prisma.insightVariable.deleteMany({ where: { projectId: acme.projectId } });
  await fill(1_500);
  const { id } = await api.prisma.insightVariable.findFirstOrThrow({ where: { projectId: acme.projectId } });
  expect((await change(id, 5)).status).toBe(200);
});
