import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';

// Two projects of one organization, with one owner: only the limit of the key stands between them. Each reply about the
// sibling would hold 7, the number of its events.
let api: TestApi;
let acme: Seed;
let sibling: number;
/** Key of the owner for the first project alone. */
let limited: string;

const count = { kind: 'HogQLQuery', query: 'SELECT count() FROM events' };
const pathOf = (project: number | string) => `/api/projects/${project}`;
const query = (project: number | string, key: string, body: object = { query: count }) =>
  api
    .as(key)
    .send('post', `${pathOf(project)}/query`)
    .send(body);
const run = (project: number | string, key: string, method: 'get' | 'post' = 'post') =>
  api.as(key).send(method, `${pathOf(project)}/endpoints/total/run`);
const noAccess = (project: number) => ({
  type: 'authentication_error',
  code: 'permission_denied',
  attr: null,
  detail: `This API key has no access to project ${project}.`,
});

async function addProject(isPrivate = false): Promise<number> {
  const { projectId } = await api.admin.createProject({ organizationId: acme.organizationId, name: 'Sibling' });
  if (isPrivate) await api.admin.updateProject({ projectId, isPrivate });
  return projectId;
}

beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  sibling = await addProject();
  limited = (await api.admin.createKey({ email: acme.email, scopes: ['*'], projects: [acme.projectId] })).key;
  await api.insertEvents([
    ...Array.from({ length: 2 }, () => ({ team_id: acme.projectId })),
    ...Array.from({ length: 7 }, () => ({ team_id: sibling })),
  ]);
  for (const projectId of [acme.projectId, sibling])
    await api.admin.createEndpoint({ projectId, email: acme.email, name: 'total', sql: count.query });
});
afterAll(() => api?.stop());

describe('a key that is limited to one project (contract/orgs-errors 1.3, step 4)', () => {
  test('queries its own rows alone, also right after the owner has read the same of the sibling', async () => {
    expect((await query(sibling, acme.key)).body.results).toEqual([[7]]);
    expect((await query(acme.projectId, limited)).body.results).toEqual([[2]]);
    for (const sql of ['SELECT count() FROM events WHERE team_id != 0', `${count.query} WHERE team_id = ${sibling}`]) {
      const { status, text } = await query(acme.projectId, limited, { query: { ...count, query: sql } });
      expect([sql, status, text.replaceAll(sql, '')]).toEqual([sql, 400, expect.stringContaining('team_id')]);
    }
  });

  test('runs its own endpoint, and not what is cached of one with the same name and SQL', async () => {
    for (let time = 0; time < 2; time++) expect((await run(sibling, acme.key)).body.results).toEqual([[7]]);
    expect((await run(acme.projectId, limited)).body.results).toEqual([[2]]);
    expect((await run(acme.projectId, limited, 'get')).body.results).toEqual([[2]]);
  });

  test('is refused by the sibling, whatever it asks for, and by whatever name', async () => {
    await api.as(acme.key).send('patch', '/api/users/@me').send({ set_current_team: sibling });
    expect((await query('@current', acme.key)).body.results).toEqual([[7]]);
    for (const project of [sibling, '@current']) {
      const replies = [
        await query(project, limited),
        await query(project, limited, { query: { ...count, kind: 'HogQLMetadata' } }),
        await run(project, limited),
        await run(project, limited, 'get'),
        await api.as(limited).send('get', `${pathOf(project)}/endpoints`),
        await api.as(limited).send('get', pathOf(project)),
        await api.as(limited).send('patch', pathOf(project)).send({ name: 'Taken' }),
        await api.as(limited).send('delete', pathOf(project)),
      ];
      for (const { status, body } of replies) expect([status, body]).toEqual([403, noAccess(sibling)]);
    }
  });

  test('names no variable of the sibling in a query', async () => {
    const variable = { name: 'Theirs', type: 'Number', default_value: 7 };
    const path = `${pathOf(sibling)}/insight_variables`;
    const { body } = await api.as(acme.key).send<{ id: string }>('post', path).send(variable);
    const uses = {
      ...count,
      query: 'SELECT {variables.theirs}',
      variables: { [body.id]: { variableId: body.id, code_name: 'theirs' } },
    };
    expect((await query(sibling, acme.key, { query: uses })).body.results).toEqual([[7]]);
    const { status, text } = await query(acme.projectId, limited, { query: uses });
    expect([status, text]).toEqual([400, expect.not.stringContaining('7]')]);
  });
});

describe('a private project (contract/orgs-errors 1.3, step 7)', () => {
  test('refuses a member without access as it refuses a stranger, also by a key that is limited to it', async () => {
    const hidden = await addProject(true);
    await api.admin.createEndpoint({ projectId: hidden, email: acme.email, name: 'total', sql: count.query });
    const email = 'member@example.com';
    await api.admin.createUser({ organizationId: acme.organizationId, email, firstName: 'Member', level: 1 });
    const { key: member } = await api.admin.createKey({ email, scopes: ['*'] });
    const { key: toHidden } = await api.admin.createKey({ email, scopes: ['*'], projects: [hidden] });
    expect((await run(hidden, acme.key)).status).toBe(200);
    expect((await run(acme.projectId, member)).status).toBe(200);
    for (const key of [member, toHidden, (await api.seed('Stranger')).key]) {
      for (const { status, body } of [
        await query(hidden, key),
        await run(hidden, key),
        await run(hidden, key, 'get'),
        await api.as(key).send('get', pathOf(hidden)),
      ])
        expect([status, body]).toEqual([403, noAccess(hidden)]);
    }
  });
});
