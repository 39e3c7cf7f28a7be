import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';

interface Page {
  count: number;
  results: { id: number; name: string; ingested_event: boolean }[];
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
  path = `/api/organizations/${acme.organizationId}/projects`;
});

async function add(
  name: string,
  { tags = [], isPrivate = false }: { tags?: string[]; isPrivate?: boolean } = {},
): Promise<number> {
  const { projectId } = await api.admin.createProject({ organizationId: acme.organizationId, name });
  await api.prisma.project.update({ where: { id: projectId }, data: { tags, accessControl: isPrivate } });
  return projectId;
}
const list = async (query = '', key = acme.key): Promise<Page> =>
  (await api.as(key).send<Page>('get', `${path}?${query}`)).body;
const names = async (query = '', key = acme.key): Promise<string[]> =>
  (await list(query, key)).results.map(({ name }) => name);

describe('the projects of an organization (contract/orgs-errors 2.6)', () => {
  test('by id, as the record of the specification says, without deleted ones and those of others', async () => {
    await api.seed('Other');
    const shop = await add('Shop', { tags: ['eu'] });
    await api.admin.deleteProject({ projectId: await add('Gone') });
    const { count, results } = await list();
    expect([count, results.map(({ id }) => id)]).toEqual([2, [acme.projectId, shop]]);
    const { uuid, apiToken } = await api.prisma.project.findUniqueOrThrow({ where: { id: shop } });
    const names = {
      id: shop,
      uuid,
      organization: acme.organizationId,
      project_id: shop,
      api_token: apiToken,
      name: 'Shop',
      timezone: 'UTC',
      tags: ['eu'],
    };
    const flags = {
      completed_snippet_onboarding: false,
      has_completed_onboarding_for: null,
      ingested_event: false,
      is_demo: false,
      access_control: false,
    };
    expect(results[1]).toEqual({ ...names, ...flags });
  });

  test('private ones are listed for administrators and for members with access', async () => {
    const closed = await add('Closed', { isPrivate: true });
    const { userId } = await api.admin.createUser({
      organizationId: acme.organizationId,
      email: `m${closed}@example.com`,
      firstName: 'M',
      level: 1,
    });
    const { key } = await api.admin.createKey({ email: `m${closed}@example.com`, scopes: ['project:read'] });
    expect([await names(), await names('', key), (await list('', key)).count]).toEqual([
      ['Acme', 'Closed'],
      ['Acme'],
      1,
    ]);
    await api.prisma.projectAccess.create({ data: { projectId: closed, userId, level: 'member' } });
    expect(await names('', key)).toEqual(['Acme', 'Closed']);
  });

  test('every word of a search is somewhere in the name, as it is written', async () => {
    for (const name of ['Web shop', '100% web', 'a_b']) await add(name);
    expect(await names('search=WEB')).toEqual(['Web shop', '100% web']);
    expect(await names('search=shop,web')).toEqual(['Web shop']);
    expect(await names('search=0%25')).toEqual(['100% web']);
    expect(await names('search=a_b')).toEqual(['a_b']);
    expect(await names('search=e_b')).toEqual([]);
    expect(await names('search=%5C')).toEqual([]);
    expect(await names('search=+,')).toHaveLength(4);
  });

  test('any or all of some tags', async () => {
    await add('One', { tags: ['eu', 'prod'] });
    await add('Two', { tags: ['eu'] });
    expect(await names('tags=EU, us')).toEqual(['One', 'Two']);
    expect(await names('tags=["eu","prod"]&tags_match=all')).toEqual(['One']);
    expect(await names('tags=us')).toEqual([]);
    expect(await names('tags=eu&search=two')).toEqual(['Two']);
    const { status, body } = await api.as(acme.key).send('get', `${path}?tags_match=some`);
    expect([status, body.code, body.attr]).toEqual([400, 'invalid_choice', 'tags_match']);
  });
});

describe('ingested_event (contract/decisions 43)', () => {
  test('is true from the first event that is stored, and stays true', async () => {
    const shop = await add('Shop');
    await api.insertEvents([{ team_id: shop }]);
    const flags = async () => (await list()).results.map(({ ingested_event: flag }) => flag);
    expect(await flags()).toEqual([false, true]);
    expect(await api.prisma.project.findUniqueOrThrow({ where: { id: shop } })).toMatchObject({ ingestedEvent: true });
    expect(await flags()).toEqual([false, true]);
  });

  test.each<[string, 'get' | 'patch', string]>([
    ['retrieved', 'get', ''],
    ['changed', 'patch', ''],
    ['given another token', 'patch', 'reset_token/'],
  ])('also holds for a project that is %s, in any order of the requests', async (_name, method, end) => {
    await api.insertEvents([{ team_id: acme.projectId }]);
    const { body } = await api
      .as(acme.key)
      .send<{ ingested_event: boolean }>(method, `/api/projects/${acme.projectId}/${end}`);
    expect(body.ingested_event).toBe(true);
    expect(await api.prisma.project.findUniqueOrThrow({ where: { id: acme.projectId } })).toMatchObject({
      ingestedEvent: true,
    });
  });

  test('many projects are looked up a few at a time', async () => {
    const ids = [acme.projectId];
    for (let index = 0; index < 14; index++) ids.push(await add(`P${index}`));
    await api.insertEvents(ids.map((id) => ({ team_id: id })));
    const counts: number[] = [];
    for (let call = 0; call < 3; call++)
      counts.push((await list()).results.filter(({ ingested_event: flag }) => flag).length);
    expect(counts).toEqual([5, 10, 15]);
  });

  test('without ClickHouse the list is there all the same', async () => {
    const alone = await api.startProcess({ CLICKHOUSE_URL: 'http://127.0.0.1:1' });
    const { status, body } = await api.as(acme.key, alone).send<Page>('get', path);
    expect([status, body.results.map(({ ingested_event: flag }) => flag)]).toEqual([200, [false]]);
  });
});
