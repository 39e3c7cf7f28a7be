import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import type { ReplyBody } from '../../../test/test-request.ts';

// contract/llm-surveys 3.3, contract/decisions 46 and 62.

/** Fields of the answers that the tests read. */
interface Shown extends Omit<ReplyBody, 'results'> {
  config: Record<string, unknown>;
  version: number;
  current_version: number;
  created_at: string;
  updated_at: string;
  count: number;
  next_cursor: string | null;
  results: Shown[];
}

let api: TestApi;
let acme: Seed;
let path: string;
let made: Shown;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  acme = await api.seed('Acme');
  path = `/api/projects/${acme.projectId}/llm_analytics/score_definitions/`;
  const body = { name: 'Quality', kind: 'numeric', config: { step: 1, max: 5, min: 0 } };
  made = (await api.as(acme.key).send<Shown>('post', path).send(body)).body;
});

const get = (rest: string) => api.as(acme.key).send<Shown>('get', `${path}${rest}`);
const newVersion = (body: object, id = made.id) =>
  api.as(acme.key).send<Shown>('post', `${path}${id}/new_version/`).send(body);
const refusalOf = ({ status, body }: { status: number; body: Pick<Shown, 'code' | 'attr'> }) => [
  status,
  body.code,
  body.attr,
];

test('a new version is the next number with an id of its own, also when the config is the same', async () => {
  const { status, body } = await newVersion({ config: made.config, base_version: 1 });
  expect([status, body]).toEqual([
    200,
    { ...made, current_version: 2, current_version_id: expect.any(String), updated_at: expect.any(String) },
  ]);
  expect(body.current_version_id).not.toBe(made.current_version_id);
  expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(made.updated_at));
  expect((await get(`${made.id}/`)).body).toEqual(body);
});

test('older versions stay as they were, keys in order', async () => {
  await newVersion({ config: { min: 1, passing_rule: { operator: 'gte', threshold: 3 } } });
  const old = await get(`${made.id}/versions/${made.current_version_id}/`);
  expect(old.body).toEqual({
    id: made.current_version_id,
    definition_id: made.id,
    version: 1,
    kind: 'numeric',
    config: made.config,
    created_at: made.created_at,
    created_by: made.created_by,
  });
  expect(JSON.stringify(old.body.config)).toBe('{"min":0,"max":5,"step":1}');
});

test('names and description ride along; kind is ignored', async () => {
  const body = {
    config: { max: 3 },
    name: ' New ',
    short_name: 'N',
    description: ' Text ',
    kind: 'boolean',
    tags: ['x'],
  };
  expect((await newVersion(body)).body).toMatchObject({
    ...{
      name: 'New',
      short_name: 'N',
      description: 'Text',
      kind: 'numeric',
      tags: [],
      config: { max: 3 },
      current_version: 2,
    },
  });
});

test.each<[object, string, string]>([
  [{}, 'required', 'config'],
  [{ config: { options: [] } }, 'invalid_input', 'config'],
  [{ config: { step: 0 } }, 'invalid_input', 'config__step'],
  [{ config: {}, name: ' ' }, 'blank', 'name'],
  [{ config: {}, base_version: 0 }, 'min_value', 'base_version'],
  [{ config: {}, base_version: '1' }, 'invalid_input', 'base_version'],
  [{ config: {}, composition: { expression: 'a' } }, 'invalid_input', 'calculation'],
])('%j is refused, and makes no version', async (body, code, attr) => {
  expect(refusalOf(await newVersion(body))).toEqual([400, code, attr]);
  expect((await get(`${made.id}/`)).body).toEqual(made);
});

test('a base version that is not the current one is a 409, and nothing is written, the name neither', async () => {
  await newVersion({ config: {} });
  for (const base_version of [1, 3, 1e300]) {
    const { status, body } = await newVersion({ config: { max: 1 }, name: 'New', base_version });
    expect([status, body]).toEqual([
      409,
      {
        type: 'validation_error',
        code: 'conflict',
        attr: null,
        detail: 'The scorer changed since you opened it. Reload the latest version and try again.',
        current_version: 2,
      },
    ]);
  }
  expect((await get(`${made.id}/`)).body).toMatchObject({ name: 'Quality', current_version: 2, config: {} });
  expect((await get(`${made.id}/versions/`)).body.count).toBe(2);
});

test('of many versions at once on one base, one is made, and all others are told which is current', async () => {
  const tries = Array.from({ length: 20 }, (_none, at) => newVersion({ config: { max: at }, base_version: 1 }));
  const answers = await Promise.all(tries);
  const made200 = answers.filter(({ status }) => status === 200);
  expect(made200).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.current_version)).toEqual(
    Array.from({ length: 19 }, () => 2),
  );
  expect((await get(`${made.id}/`)).body).toEqual(made200[0]?.body);
  expect((await get(`${made.id}/versions/`)).body.count).toBe(2);
});

test('many versions at once without a base are all made, with numbers in a row', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, (_none, at) => newVersion({ config: { max: at } })));
  expect(answers.map(({ body }) => body.current_version).sort((a, b) => a - b)).toEqual([
    2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
  ]);
  const { body } = await get(`${made.id}/versions/?limit=100`);
  expect(body.results.map(({ version }) => version)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  for (const { body: answer } of answers)
    expect(body.results).toContainEqual(
      expect.objectContaining({
        id: answer.current_version_id,
        version: answer.current_version,
        config: answer.config,
      }),
    );
});

test('a read-only key reads versions and makes none', async () => {
  const { key } = await api.admin.createKey({ email: acme.email, scopes: ['llm_analytics:read'] });
  expect((await api.as(key).send('get', `${path}${made.id}/versions/`)).status).toBe(200);
  const refused = await api.as(key).send<Shown>('post', `${path}${made.id}/new_version/`).send({ config: {} });
  expect([refused.status, refused.body.detail]).toEqual([403, "API key missing required scope 'llm_analytics:write'"]);
});

describe('the list of versions', () => {
  beforeEach(async () => {
    for (const max of [2, 3, 4]) await newVersion({ config: { max } });
  });

  test('is read with the cursor of the page before, newest first; new versions do not move it', async () => {
    const pages: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await get(`${made.id}/versions/?limit=2&cursor=${cursor}`);
      pages.push([body.count, body.results.map(({ version }) => version)]);
      cursor = body.next_cursor;
      await newVersion({ config: {} });
    }
    expect(pages).toEqual([
      [4, [4, 3]],
      [5, [2, 1]],
    ]);
  });

  test.each<[string, string, string]>([
    ['?limit=0', 'min_value', 'limit'],
    ['?limit=101', 'max_value', 'limit'],
    ['?limit=x', 'invalid_input', 'limit'],
    ['?cursor=x', 'invalid_input', 'cursor'],
    ['?cursor=0', 'invalid_input', 'cursor'],
    ['?cursor=99999999999999999999', 'invalid_input', 'cursor'],
  ])('%s is refused', async (query, code, attr) => {
    expect(refusalOf(await get(`${made.id}/versions/${query}`))).toEqual([400, code, attr]);
  });

  test('the version of another definition is unknown', async () => {
    const other = await api.as(acme.key).send<Shown>('post', path).send({ name: 'Other', kind: 'boolean', config: {} });
    expect(refusalOf(await get(`${made.id}/versions/${other.body.current_version_id}/`))).toEqual([
      404,
      'not_found',
      null,
    ]);
  });
});

test('the formula of a composite scorer is refused, whatever it is', async () => {
  const body = {
    kind: 'numeric',
    composition: { expression: 'a', inputs: [{ alias: 'a', scorer_version_id: made.id }] },
  };
  expect(refusalOf(await api.as(acme.key).send<Shown>('post', `${path}validate_composition/`).send(body))).toEqual([
    400,
    'invalid_input',
    'calculation',
  ]);
});
