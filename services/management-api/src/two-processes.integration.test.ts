import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { postgresRoles } from '@millrace/postgres/role-passwords.ts';
import type { ManagementApi } from './app.ts';
import { startTestApi, type Seed, type TestApi } from './test/test-api.ts';
import type { ReplyBody } from './test/test-request.ts';

// Both cache callers; a change by either, or by the command line, to who may do what counts in both within 1 s.
let api: TestApi;
let processes: ManagementApi[];
beforeAll(async () => {
  api = await startTestApi();
  // The second has no more rights than it has in production.
  const url = new URL(api.databaseUrl);
  url.searchParams.set('options', `-c role=${postgresRoles.management}`);
  processes = [api.api, await api.startProcess({ DATABASE_URL: url.href })];
});
afterAll(() => api?.stop());

const everywhere = { deadlineMs: 1_000, intervalMs: 5 };

async function statuses(seed: Pick<Seed, 'key'>, path: string): Promise<number[]> {
  const replies = await Promise.all(processes.map((one) => api.as(seed.key, one).send('get', path)));
  return replies.map(({ status }) => status);
}

/** Changes something by a call to the second process, whose rights are those of production. */
async function changeOverHttp(
  seed: Seed,
  method: 'post' | 'patch' | 'delete',
  path: string,
  body: object = {},
): Promise<ReplyBody> {
  const reply = await api.as(seed.key, processes[1]).send(method, path).send(body);
  expect(reply.status).toBeLessThan(300);
  return reply.body;
}

async function loseListeners(): Promise<void> {
  await api.prisma
    .$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'management-api-changes' AND datname = current_database()`;
}

describe('two processes on one database (architecture 8)', () => {
  test.each<[string, (seed: Seed) => Promise<unknown>, status: number]>([
    ['a key is revoked', ({ keyId }) => api.admin.revokeKey({ id: keyId }), 401],
    [
      'a scope is taken from a key',
      ({ keyId }) => api.prisma.personalApiKey.update({ where: { id: keyId }, data: { scopes: ['survey:read'] } }),
      403,
    ],
    [
      'a key is limited to other projects',
      ({ keyId }) => api.prisma.personalApiKey.update({ where: { id: keyId }, data: { scopedTeams: [1] } }),
      403,
    ],
    [
      'its user is deactivated',
      ({ userId }) => api.prisma.user.update({ where: { id: userId }, data: { isActive: false } }),
      401,
    ],
    ['its user is deleted', ({ userId }) => api.prisma.user.delete({ where: { id: userId } }), 401],
    ['its user leaves the organization', ({ userId }) => api.prisma.membership.deleteMany({ where: { userId } }), 403],
    ['the project is deleted', ({ projectId }) => api.admin.deleteProject({ projectId }), 404],
    [
      'the organization is deleted',
      ({ organizationId }) => api.prisma.organization.delete({ where: { id: organizationId } }),
      404,
    ],
  ])('%s', async (_name, change, status) => {
    const seed = await api.seed('Changing');
    const path = `/api/projects/${seed.projectId}/endpoints`;
    for (let time = 0; time < 2; time++) expect(await statuses(seed, path)).toEqual([200, 200]);
    await change(seed);
    await eventually(async () => expect(await statuses(seed, path)).toEqual([status, status]), everywhere);
  });

  test('a project becomes private, and a member gets and loses access', async () => {
    const seed = await api.seed('Private');
    const { userId } = await api.admin.createUser({
      organizationId: seed.organizationId,
      email: 'plain@example.com',
      firstName: 'P',
      level: 1,
    });
    const plain = await api.admin.createKey({ email: 'plain@example.com', scopes: ['*'] });
    const path = `/api/projects/${seed.projectId}/endpoints`;
    const expectBoth = async (status: number): Promise<void> => {
      await eventually(async () => expect(await statuses(plain, path)).toEqual([status, status]), everywhere);
    };
    for (let time = 0; time < 2; time++) expect(await statuses(plain, path)).toEqual([200, 200]);
    await changeOverHttp(seed, 'patch', `/api/projects/${seed.projectId}/`, { access_control: true });
    await expectBoth(403);
    const access = { projectId: seed.projectId, userId };
    await api.prisma.projectAccess.create({ data: { ...access, level: 'member' } });
    await expectBoth(200);
    await api.prisma.projectAccess.deleteMany({ where: access });
    await expectBoth(403);
  });

  test('a key is rolled, narrowed and deleted by a call to one of them', async () => {
    const seed = await api.seed('Rolling');
    const path = `/api/projects/${seed.projectId}/endpoints`;
    const expectBoth = async (key: string, status: number): Promise<void> => {
      await eventually(async () => expect(await statuses({ key }, path)).toEqual([status, status]), everywhere);
    };
    const made = (await changeOverHttp(seed, 'post', '/api/personal_api_keys', {
      label: 'L',
      scopes: ['endpoint:read', 'query:read'],
    })) as ReplyBody & { value: string };
    await expectBoth(made.value, 200);
    const rolled = (await changeOverHttp(seed, 'post', `/api/personal_api_keys/${made.id}/roll`)) as ReplyBody & {
      value: string;
    };
    expect((await api.as(made.value, processes[1]).send('get', path)).status).toBe(401); // there at once
    await expectBoth(made.value, 401);
    await expectBoth(rolled.value, 200);
    await changeOverHttp(seed, 'patch', `/api/personal_api_keys/${made.id}`, { scopes: ['query:read'] });
    await expectBoth(rolled.value, 403);
    await changeOverHttp(seed, 'delete', `/api/personal_api_keys/${made.id}`);
    await expectBoth(rolled.value, 401);
  });

  test('settings of an organization and of a project are the same in both', async () => {
    const seed = await api.seed('Settings');
    const read = async (path: string, field: string): Promise<unknown[]> => {
      const replies = await Promise.all(
        processes.map((one) => api.as(seed.key, one).send<Record<string, unknown>>('get', path)),
      );
      return replies.map(({ body }) => body[field]);
    };
    const [organization, project] = [`/api/organizations/${seed.organizationId}`, `/api/projects/${seed.projectId}`];
    expect(await read(organization, 'members_can_invite')).toEqual([true, true]);
    await changeOverHttp(seed, 'patch', organization, { members_can_invite: false });
    expect(await read(organization, 'members_can_invite')).toEqual([false, false]);
    await changeOverHttp(seed, 'patch', project, { timezone: 'Europe/Berlin' });
    await changeOverHttp(seed, 'patch', `${project}/reset_token`, { grace_hours: 1 });
    await changeOverHttp(seed, 'patch', '/api/users/@me', { set_current_team: seed.projectId });
    await changeOverHttp(seed, 'post', `${organization}/projects`, { name: 'Second' });
    expect(await read(project, 'timezone')).toEqual(['Europe/Berlin', 'Europe/Berlin']);
    await changeOverHttp(seed, 'delete', project);
    await eventually(async () => expect(await statuses(seed, project)).toEqual([404, 404]), everywhere);
  });

  test('what is given counts as soon as what is taken', async () => {
    const seed = await api.seed('Giving');
    const other = await api.seed('Other');
    const path = `/api/projects/${other.projectId}/endpoints`;
    for (let time = 0; time < 2; time++) expect(await statuses(seed, path)).toEqual([403, 403]);
    await api.prisma.membership.create({
      data: { id: crypto.randomUUID(), organizationId: other.organizationId, userId: seed.userId, level: 1 },
    });
    await eventually(async () => expect(await statuses(seed, path)).toEqual([200, 200]), everywhere);
    await api.prisma.user.update({
      where: { id: seed.userId },
      data: { currentProjectId: other.projectId, currentOrganizationId: other.organizationId },
    });
    await eventually(async () => {
      const replies = await Promise.all(
        processes.map((one) => api.as(seed.key, one).send('get', '/api/organizations/@current')),
      );
      expect(replies.map(({ body }) => body.id)).toEqual([other.organizationId, other.organizationId]);
    }, everywhere);
  });

  test('an organization with more members than a change can name goes as one change', async () => {
    const { organizationId } = await api.seed('Crowd');
    await api.prisma.$executeRaw`
      INSERT INTO users (uuid, email) SELECT gen_random_uuid(), 'throng' || n || '@example.com' FROM generate_series(1, 1500) n`;
    await api.prisma.$executeRaw`
      INSERT INTO memberships (id, organization_id, user_id, level)
      SELECT gen_random_uuid(), ${organizationId}::uuid, id, 1 FROM users WHERE email LIKE 'throng%'`;
    const before = await api.prisma.change.aggregate({ _max: { id: true } });
    await api.prisma.organization.delete({ where: { id: organizationId } });
    const changes = await api.prisma.change.findMany({
      where: { id: { gt: before._max.id ?? 0 }, topic: 'membership' },
    });
    expect(changes.map(({ keys }) => keys)).toEqual([[]]);
  });

  test('a row that is touched without a change is no change', async () => {
    const { userId, keyId } = await api.seed('Touched');
    const before = await api.prisma.change.count();
    await api.prisma.$executeRaw`UPDATE users SET first_name = first_name WHERE id = ${userId}`;
    await api.prisma.$executeRaw`UPDATE memberships SET updated_at = now() WHERE user_id = ${userId}`;
    await api.prisma.personalApiKey.update({ where: { id: keyId }, data: { lastUsedAt: new Date() } });
    expect(await api.prisma.change.count()).toBe(before);
  });

  // Only a change that is not reported shows who is cached and who is looked up.
  test('callers are cached while the change feed is caught up, and looked up when it is not', async () => {
    const { email, projectId } = await api.seed('Silent');
    const status = async (key: string): Promise<number> =>
      (await api.as(key).send('get', `/api/projects/${projectId}/endpoints`)).status;
    await api.prisma.$executeRaw`ALTER TABLE personal_api_keys DISABLE TRIGGER personal_api_keys_updated`;
    try {
      // With a new key each time: on a busy machine the feed may just be behind.
      const cached = await eventually(async () => {
        const { key, id } = await api.admin.createKey({ email, scopes: ['*'] });
        expect(await status(key)).toBe(200);
        await api.prisma.personalApiKey.update({ where: { id }, data: { scopes: ['survey:read'] } });
        expect(await status(key)).toBe(200);
        return key;
      });
      await loseListeners();
      await eventually(async () => expect(await status(cached)).toBe(403), everywhere);
    } finally {
      await api.prisma.$executeRaw`ALTER TABLE personal_api_keys ENABLE TRIGGER personal_api_keys_updated`;
    }
  });

  test('a change made while the change feed is lost counts as soon', async () => {
    const seed = await api.seed('Lost');
    const path = `/api/projects/${seed.projectId}/endpoints`;
    for (let time = 0; time < 2; time++) expect(await statuses(seed, path)).toEqual([200, 200]);
    await loseListeners();
    await api.admin.revokeKey({ id: seed.keyId });
    await eventually(async () => expect(await statuses(seed, path)).toEqual([401, 401]), everywhere);
  });
});
