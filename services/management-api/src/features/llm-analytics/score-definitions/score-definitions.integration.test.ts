import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import type { ReplyBody } from '../../../test/test-request.ts';

// contract/llm-surveys 3 and contract/decisions 46, 62, 73. Configs alone: config/read-config.test.ts.

let api: TestApi;
let acme: Seed;
let path: string;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  acme = await api.seed('Acme');
  path = `/api/projects/${acme.projectId}/llm_analytics/score_definitions/`;
});

type Given = Record<string, unknown>;

/** Fields of the answers that the tests read. */
interface Shown extends Omit<ReplyBody, 'results'> {
  description: string;
  archived: boolean;
  tags: string[];
  config: Given;
  current_version: number;
  created_at: string;
  updated_at: string;
  count: number;
  next: string | null;
  results: Shown[];
}
const send = (method: 'get' | 'post' | 'patch' | 'put' | 'delete', rest = '', body?: Given) => {
  const made = api.as(acme.key).send<Shown>(method, path + rest);
  return body === undefined ? made : made.send(body);
};
const numeric = { name: 'Quality', kind: 'numeric', config: { min: 0, max: 5 } };
async function make(fields: Given = {}): Promise<Shown> {
  const { status, body } = await send('post', '', { ...numeric, ...fields });
  expect([status, body.code]).toEqual([201, undefined]);
  return body;
}
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

describe('a definition', () => {
  test('has all its fields and no others, in the answer to POST and in that to GET', async () => {
    const made = await make({
      short_name: ' Q ',
      description: '  About answers ',
      tags: [' B ', 'a', 'b'],
      archived: false,
    });
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Quality',
      short_name: 'Q',
      description: 'About answers',
      kind: 'numeric',
      archived: false,
      tags: ['a', 'b'],
      current_version: 1,
      current_version_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      config: { min: 0, max: 5 },
      created_by: expect.objectContaining({
        id: acme.userId,
        uuid: acme.userUuid,
        email: acme.email,
        first_name: 'Acme',
      }),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: made.created_at,
      team: acme.projectId,
    });
    expect((await send('get', `${made.id}/`)).body).toEqual(made);
    expect((await send('get')).body.results).toEqual([made]);
  });

  test('its maker is null when the user is gone', async () => {
    const { id } = await make();
    await api.prisma.scoreDefinition.update({ where: { id }, data: { createdById: null } });
    expect((await send('get', `${id}/`)).body.created_by).toBeNull();
  });

  test.each<[unknown, string]>([
    [undefined, ''],
    [null, ''],
    ['', ''],
    [' x ', 'x'],
    [5, '5'],
  ])('a description %j is shown as %j', async (description, shown) => {
    expect((await make({ description })).description).toBe(shown);
  });

  test('names need not be unique, and are trimmed before they are measured', async () => {
    await make();
    expect((await make({ name: ` ${'x'.repeat(255)} ` })).name).toBe('x'.repeat(255));
    expect((await make({ name: 'Quality', unknown: 1, calculation: 'reported', composition: null })).name).toBe(
      'Quality',
    );
    expect(await namesOf('')).toEqual(['Quality', 'Quality', 'x'.repeat(255)]);
  });

  test.each<[Given, string, string]>([
    [{ name: '  ' }, 'blank', 'name'],
    [{ name: 'x'.repeat(256) }, 'max_length', 'name'],
    [{ name: true }, 'invalid_input', 'name'],
    [{ name: null }, 'null', 'name'],
    [{ kind: 'stars' }, 'invalid_choice', 'kind'],
    [{ kind: undefined }, 'required', 'kind'],
    [{ config: undefined }, 'required', 'config'],
    [{ config: null }, 'null', 'config'],
    [{ config: [] }, 'invalid_input', 'config'],
    [{ config: { options: [] } }, 'invalid_input', 'config'],
    [{ kind: 'categorical', config: { options: [{ key: '' }] } }, 'blank', 'config__options'],
    [{ archived: true }, 'invalid_input', 'archived'],
    [{ tags: ['a', ' '] }, 'blank', 'tags'],
    [{ tags: ['a', 'x'.repeat(256)] }, 'max_length', 'tags'],
    [{ tags: ['a', {}] }, 'invalid_input', 'tags'],
    [{ tags: 'a' }, 'not_a_list', 'tags'],
    [{ tags: Array.from({ length: 101 }, (_none, at) => `t${at}`) }, 'max_length', 'tags'],
    [{ calculation: 'composite' }, 'invalid_input', 'calculation'],
    [{ composition: { expression: 'a', inputs: [] } }, 'invalid_input', 'calculation'],
  ])('%j is refused, and nothing is made', async (fields, code, attr) => {
    expect(refusalOf(await send('post', '', { ...numeric, ...fields }))).toEqual([400, code, attr]);
    expect((await send('get')).body.count).toBe(0);
  });

  test('it cannot be deleted or replaced', async () => {
    const { id } = await make();
    expect((await send('delete', `${id}/`)).status).toBe(405);
    expect((await send('put', `${id}/`, numeric)).status).toBe(405);
  });

  test('another project of the same key knows nothing of it', async () => {
    const { id } = await make();
    const { projectId } = await api.admin.createProject({ organizationId: acme.organizationId, name: 'Other' });
    path = path.replace(String(acme.projectId), String(projectId));
    expect((await send('get')).body).toMatchObject({ count: 0, results: [] });
    for (const response of [
      await send('get', `${id}/`),
      await send('patch', `${id}/`, { name: 'x' }),
      await send('post', `${id}/new_version/`, { config: {} }),
      await send('get', `${id}/versions/`),
    ])
      expect(refusalOf(response)).toEqual([404, 'not_found', null]);
    expect((await api.prisma.scoreDefinition.findUniqueOrThrow({ where: { id } })).name).toBe('Quality');
  });
});

describe('the list', () => {
  beforeEach(async () => {
    await make({ name: 'Beta', kind: 'boolean', config: {}, tags: ['x', 'y'] });
    await make({ name: 'Alpha', description: 'About 100% of Tone_s', tags: ['y'] });
    await make({ name: 'Gamma', tags: [] });
    const old = await make({ name: 'Old' });
    await send('patch', `${old.id}/`, { archived: true });
  });

  test.each<[string, string[]]>([
    ['', ['Alpha', 'Beta', 'Gamma']],
    ['?archived=false', ['Alpha', 'Beta', 'Gamma']],
    ['?archived=0', ['Alpha', 'Beta', 'Gamma']],
    ['?archived=', ['Alpha', 'Beta', 'Gamma']],
    ['?archived=maybe', ['Alpha', 'Beta', 'Gamma']],
    ['?archived=true', ['Old']],
    ['?archived=1', ['Old']],
    ['?archived=TRUE', ['Old']],
    ['?kind=boolean', ['Beta']],
    ['?kind=', ['Alpha', 'Beta', 'Gamma']],
    ['?search=eTa', ['Beta']],
    ['?search=tone_', ['Alpha']],
    ['?search=100%25', ['Alpha']],
    ['?search=%25', ['Alpha']],
    ['?search=%20', ['Alpha', 'Beta', 'Gamma']],
    ['?search=none', []],
    ['?order_by=-name', ['Gamma', 'Beta', 'Alpha']],
    ['?order_by=created_at', ['Beta', 'Alpha', 'Gamma']],
    ['?order_by=kind,-name', ['Beta', 'Gamma', 'Alpha']],
    ['?order_by=-updated_at', ['Gamma', 'Alpha', 'Beta']],
    ['?order_by=current_version,name', ['Alpha', 'Beta', 'Gamma']],
    ['?order_by=', ['Alpha', 'Beta', 'Gamma']],
    ['?tags=["X"]', ['Beta']],
    ['?tags=["x","y"]', ['Alpha', 'Beta']],
    ['?tags=["x","y"]&tag_match=any', ['Alpha', 'Beta']],
    ['?tags=["x","y"]&tag_match=all', ['Beta']],
    ['?tags=[]', ['Alpha', 'Beta', 'Gamma']],
    ['?tag_match=any', ['Alpha', 'Beta', 'Gamma']],
    ['?calculation=reported', ['Alpha', 'Beta', 'Gamma']],
    ['?calculation=composite', []],
    ['?input_definition_id=01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d', []],
    ['?kind=numeric&search=a&order_by=-name&tags=["y"]', ['Alpha']],
    ['?created_by=', ['Alpha', 'Beta', 'Gamma']],
    ['?created_by=0', []],
    ['?created_by=99999999999999999999', []],
  ])('%s', async (query, names) => {
    expect(await namesOf(query)).toEqual(names);
  });

  test.each<[string, string, string]>([
    ['?kind=stars', 'invalid_choice', 'kind'],
    ['?order_by=id', 'invalid_choice', 'order_by'],
    ['?order_by=name,--kind', 'invalid_choice', 'order_by'],
    ['?tags=x', 'invalid_input', 'tags'],
    ['?tags=[1]', 'invalid_input', 'tags'],
    ['?tag_match=some', 'invalid_choice', 'tag_match'],
    ['?calculation=x', 'invalid_choice', 'calculation'],
    ['?input_definition_id=x', 'invalid_input', 'input_definition_id'],
    ['?created_by=me', 'invalid_input', 'created_by'],
    ['?created_by=1,2', 'invalid_input', 'created_by'],
    ['?created_by=1.5', 'invalid_input', 'created_by'],
  ])('%s is refused', async (query, code, attr) => {
    expect(refusalOf(await send('get', query))).toEqual([400, code, attr]);
  });

  test('has those of one maker, by the id that created_by shows', async () => {
    const other = await api.seed('Other');
    const ofAcme = { projectId: acme.projectId };
    await api.prisma.scoreDefinition.updateMany({
      where: { ...ofAcme, name: 'Beta' },
      data: { createdById: other.userId },
    });
    await api.prisma.scoreDefinition.updateMany({ where: { ...ofAcme, name: 'Gamma' }, data: { createdById: null } });
    const { body } = await send('get', '?search=alpha');
    expect(body.results).toMatchObject([{ created_by: { id: acme.userId } }]);
    expect(await namesOf(`?created_by=${acme.userId}`)).toEqual(['Alpha']);
    expect(await namesOf(`?created_by=%20${other.userId}%20&kind=boolean&order_by=-name`)).toEqual(['Beta']);
    expect(await namesOf(`?created_by=${other.userId}&search=alpha`)).toEqual([]);
  });

  test('has pages, with the count of all that match', async () => {
    const { body } = await send('get', '?limit=2&search=a');
    expect(body).toMatchObject({ count: 3, previous: null, next: expect.stringContaining('offset=2') });
    const next = new URL(body.next ?? '');
    const rest = await api.as(acme.key).send<Shown>('get', next.pathname + next.search);
    expect([rest.body.results.length, rest.body.results[0]?.name, rest.body.next]).toEqual([1, 'Gamma', null]);
  });
});

describe('PATCH', () => {
  test('changes what it names, makes no version, and ignores kind and config', async () => {
    const made = await make({ short_name: 'Q', description: 'x', tags: ['a'] });
    const change = {
      name: ' New ',
      short_name: ' ',
      description: null,
      archived: true,
      tags: ['C', 'b'],
      kind: 'boolean',
      config: 5,
    };
    const { status, body } = await send('patch', `${made.id}/`, change);
    expect([status, body]).toEqual([
      200,
      {
        ...made,
        name: 'New',
        short_name: '',
        description: '',
        archived: true,
        tags: ['b', 'c'],
        updated_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(made.updated_at));
    expect((await send('get', `${made.id}/versions/`)).body.count).toBe(1);
  });

  test.each<[string, Given]>([
    ['nothing', {}],
    ['what is so already', { name: 'Quality ', description: '', archived: false, tags: ['A'] }],
  ])('%s changes nothing, not even the time', async (_name, change) => {
    const made = await make({ tags: ['a'] });
    expect((await send('patch', `${made.id}/`, change)).body).toEqual(made);
    expect(await api.prisma.activityLogEntry.count({ where: { itemId: made.id } })).toBe(1);
  });

  test.each<[Given, string, string]>([
    [{ name: ' ' }, 'blank', 'name'],
    [{ name: null }, 'null', 'name'],
    [{ short_name: 'x'.repeat(41) }, 'max_length', 'short_name'],
    [{ archived: null }, 'null', 'archived'],
    [{ tags: [''] }, 'blank', 'tags'],
    [{ tags: null }, 'null', 'tags'],
  ])('%j is refused', async (change, code, attr) => {
    const { id } = await make();
    expect(refusalOf(await send('patch', `${id}/`, change))).toEqual([400, code, attr]);
  });

  test('archived definitions are shown, restored, and get new versions', async () => {
    const { id } = await make();
    await send('patch', `${id}/`, { archived: true });
    expect((await send('get', `${id}/`)).body.archived).toBe(true);
    expect((await send('post', `${id}/new_version/`, { config: {} })).body).toMatchObject({
      archived: true,
      current_version: 2,
    });
    expect((await send('patch', `${id}/`, { archived: false })).body.archived).toBe(false);
  });
});

describe('the activity log', () => {
  test('has each change with the user who made it', async () => {
    const { id } = await make();
    await send('patch', `${id}/`, { name: 'New' });
    await send('post', `${id}/new_version/`, { config: { max: 3 }, description: 'x' });
    const entries = await api.prisma.activityLogEntry.findMany({ where: { itemId: id }, orderBy: { id: 'asc' } });
    expect(entries).toMatchObject([
      {
        itemType: 'score_definition',
        activity: 'created',
        actor: acme.email,
        projectId: acme.projectId,
        organizationId: acme.organizationId,
        after: { name: 'Quality', kind: 'numeric', current_version: 1, config: { min: 0, max: 5 }, tags: [] },
      },
      { activity: 'updated', before: { name: 'Quality' }, after: { name: 'New' } },
      {
        activity: 'updated',
        before: { current_version: 1, description: '', config: { min: 0, max: 5 } },
        after: { current_version: 2, description: 'x', config: { max: 3 } },
      },
    ]);
  });
});
