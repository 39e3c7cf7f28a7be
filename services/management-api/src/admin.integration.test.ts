import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type TestApi } from './test/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());

describe('what the command line does', () => {
  test('an organization, a project, a user and a key that works', async () => {
    const { organizationId } = await api.admin.createOrganization({ name: ' Acme ' });
    const { userId, userUuid } = await api.admin.createUser({
      organizationId,
      email: 'Ann@example.com',
      firstName: 'Ann',
      level: 1,
    });
    const { projectId, projectToken } = await api.admin.createProject({ organizationId, name: 'Web' });
    expect(projectToken).toMatch(/^phc_[0-9A-Za-z]{40,60}$/);
    expect([typeof userId, userUuid.length]).toEqual(['number', 36]);
    const created = await api.admin.createKey({
      email: 'ann@EXAMPLE.com',
      label: 'Mine',
      scopes: ['endpoint:read'],
      projects: [projectId],
      organizations: [organizationId],
    });
    expect(created).toEqual({
      key: expect.stringMatching(/^phx_[0-9A-Za-z]{40,60}$/),
      id: expect.any(String),
      maskValue: `phx_...${created.key.slice(-4)}`,
      scopes: ['endpoint:read'],
      email: 'Ann@example.com',
    });
    expect((await api.as(created.key).send('get', '/api/projects/@current/endpoints')).status).toBe(200);
  });

  test('the value of a key is stored nowhere', async () => {
    const { email, organizationId, projectId } = await api.seed('Stored');
    const { key, id } = await api.admin.createKey({
      email,
      scopes: ['*'],
      projects: [projectId],
      organizations: [organizationId],
    });
    const row = await api.prisma.personalApiKey.findUniqueOrThrow({ where: { id } });
    expect(row.secureValue).toBe(`sha256$${createHash('sha256').update(key).digest('hex')}`);
    expect(JSON.stringify(row)).not.toContain(key.slice(4, -4));
    const [listed] = await api.admin.listKeys({ email });
    expect(listed).toEqual({
      id,
      label: 'Command line',
      email,
      maskValue: row.maskValue,
      scopes: ['*'],
      projects: [projectId],
      organizations: [organizationId],
      createdAt: expect.any(String),
      lastUsedAt: null,
      expiresAt: null,
    });
  });

  test('a revoked key is worth nothing within a second', async () => {
    const { key, keyId, projectId } = await api.seed('Revoked');
    const status = async () => (await api.as(key).send('get', `/api/projects/${projectId}/endpoints`)).status;
    expect(await status()).toBe(200);
    await api.admin.revokeKey({ id: keyId });
    await eventually(async () => expect(await status()).toBe(401), { deadlineMs: 1_000 });
    await expect(api.admin.revokeKey({ id: keyId })).rejects.toThrow('no key with the id');
  });

  test('an endpoint of the seed is one like any other', async () => {
    const { email, projectId, key } = await api.seed('Seeded');
    const made = {
      projectId,
      email,
      name: 'counts',
      sql: 'SELECT count() AS n FROM events WHERE event = {variables.event}',
      variables: { event: { code_name: 'event', value: 'x' } },
    };
    expect(await api.admin.createEndpoint(made)).toEqual({ endpointId: expect.any(String), name: 'counts' });
    expect((await api.as(key).send('get', `/api/projects/${projectId}/endpoints/counts/run`)).body).toMatchObject({
      results: [[0]],
      columns: ['n'],
    });
    await expect(api.admin.createEndpoint(made)).rejects.toThrow('already');
    await expect(api.admin.createEndpoint({ ...made, name: 'not a name' })).rejects.toThrow('pattern');
  });

  const nobody = '00000000-0000-4000-8000-000000000000';
  test.each<[string, () => Promise<unknown>, string]>([
    ['an empty name', () => api.admin.createOrganization({ name: ' ' }), 'name may not be empty'],
    [
      'an unknown organization',
      () => api.admin.createProject({ organizationId: nobody, name: 'x' }),
      'no organization',
    ],
    [
      'an organization that is no id',
      () => api.admin.createProject({ organizationId: 'acme', name: 'x' }),
      'no organization',
    ],
    [
      'a bad level',
      async () =>
        api.admin.createUser({
          organizationId: (await api.seed('L')).organizationId,
          email: 'l@x.y',
          firstName: 'L',
          level: 2,
        }),
      'Unknown level 2',
    ],
    [
      'a bad address',
      async () =>
        api.admin.createUser({
          organizationId: (await api.seed('M')).organizationId,
          email: 'nobody',
          firstName: 'M',
          level: 1,
        }),
      'not an email',
    ],
    [
      'a taken address, in other letters',
      async () => {
        const { organizationId, email } = await api.seed('T');
        return api.admin.createUser({ organizationId, email: email.toUpperCase(), firstName: 'T', level: 1 });
      },
      'a user with the email',
    ],
    [
      'a bad scope',
      async () => api.admin.createKey({ email: (await api.seed('S')).email, scopes: ['endpoint:run'] }),
      'Unknown scope endpoint:run',
    ],
    [
      'no scope',
      async () => api.admin.createKey({ email: (await api.seed('S')).email, scopes: [] }),
      'at least one scope',
    ],
    ['an unknown user', () => api.admin.createKey({ email: 'no@x.y', scopes: ['*'] }), 'no user'],
    [
      'an unknown project',
      async () => api.admin.createKey({ email: (await api.seed('P')).email, scopes: ['*'], projects: [1] }),
      'no project with the id 1',
    ],
  ])('%s has a plain message', async (_name, work, words) => {
    await expect(work()).rejects.toThrow(words);
  });
});

describe('an address names one user and nobody else', () => {
  test.each<[string, string]>([
    ['an underscore stands for itself', 'a_b@look.example'],
    ['a percent sign stands for itself', '%@look.example'],
    ['so does a backslash', 'axb\\@look.example'],
    ['blanks around it are no part of an address', ' axb@look.example'],
    ['a Kelvin sign is no k', '\u212Aim@look.example'],
    ['a dotless i is no i', 'k\u0131m@look.example'],
    ['nor is a capital one with a dot', 'k\u0130m@look.example'],
    ['a NUL ends nothing', 'axb@look.example\0'],
    ['half of a pair is no character', 'axb@look.example\ud800'],
    ['very long is nobody', `${'a'.repeat(100_000)}@look.example`],
  ])('%s', async (_name, email) => {
    const { organizationId } = await api.seed('Look');
    for (const there of ['axb@look.example', 'kim@look.example']) {
      if ((await api.admin.findUser({ email: there })) === null)
        await api.admin.createUser({ organizationId, email: there, firstName: 'L', level: 15 });
    }
    await expect(api.admin.createKey({ email, scopes: ['*'] })).rejects.toThrow('no user with the email');
    await expect(api.admin.listKeys({ email })).rejects.toThrow('no user with the email');
    await expect(api.admin.updateUser({ email, isActive: false })).rejects.toThrow('no user with the email');
    expect(await api.admin.findUser({ email })).toBeNull();
  });

  test('with its own characters it is found, in whatever case', async () => {
    const { organizationId } = await api.seed('Found');
    const { userId } = await api.admin.createUser({
      organizationId,
      email: 'A_b%c@found.example',
      firstName: 'F',
      level: 1,
    });
    expect(await api.admin.findUser({ email: 'a_B%C@FOUND.example' })).toMatchObject({
      userId,
      memberships: [{ organizationId }],
    });
    expect((await api.admin.createKey({ email: 'a_b%c@found.example', scopes: ['*'] })).email).toBe(
      'A_b%c@found.example',
    );
  });

  test('one that looks like another in another script is taken for none', async () => {
    const { organizationId } = await api.seed('Script');
    await expect(
      api.admin.createUser({ organizationId, email: '\u0430nn@example.com', firstName: 'A', level: 15 }),
    ).rejects.toThrow('not an email');
  });
});

describe('what the command line changes is written down', () => {
  test('with what it was and became, in the order in which it was made', async () => {
    const { organizationId } = await api.admin.createOrganization({ name: 'Written' });
    const { projectId: id } = await api.admin.createProject({ organizationId, name: 'P' });
    const { userUuid } = await api.admin.createUser({
      organizationId,
      email: 'w@example.com',
      firstName: 'W',
      level: 8,
    });
    const key = await api.admin.createKey({ email: 'w@example.com', scopes: ['query:read'], projects: [id] });
    await api.admin.revokeKey({ id: key.id });
    await api.admin.setProject({ projectId: id, anonymizeIps: true });
    await api.admin.setProject({ projectId: id, anonymizeIps: true });
    await api.admin.rotateToken({ projectId: id, graceHours: 0 });
    await api.admin.setQuota({ projectId: id, resource: 'events', limit: 5, period: 'day' });
    await api.admin.setQuota({ projectId: id, resource: 'events', limit: 6, period: 'day' });
    await api.admin.removeQuota({ projectId: id, resource: 'events' });
    const restriction = await api.admin.addRestriction({ projectId: id, action: 'drop_event' });
    await api.admin.removeRestriction({ id: restriction.id });
    await api.admin.deleteProject({ projectId: id });

    const entries = await api.prisma.activityLogEntry.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
    expect(new Set(entries.map(({ actor, actorUserId }) => `${actor} ${actorUserId}`))).toEqual(
      new Set(['command line null']),
    );
    expect(entries.map(({ itemType, itemId, activity }) => [itemType, itemId, activity])).toEqual([
      ['organization', organizationId, 'created'],
      ['project', String(id), 'created'],
      ['member', userUuid, 'created'],
      ['personal_api_key', key.id, 'created'],
      ['personal_api_key', key.id, 'deleted'],
      ['project', String(id), 'updated'],
      ['project', String(id), 'rolled'],
      ['quota', 'events', 'created'],
      ['quota', 'events', 'updated'],
      ['quota', 'events', 'deleted'],
      ['restriction', String(restriction.id), 'created'],
      ['restriction', String(restriction.id), 'deleted'],
      ['project', String(id), 'deleted'],
    ]);
    expect([entries[5]?.before, entries[5]?.after, entries[8]?.before, entries[8]?.after]).toEqual([
      { anonymize_ips: false },
      { anonymize_ips: true },
      { limit: 5 },
      { limit: 6 },
    ]);
    expect(JSON.stringify(entries.map(({ before, after }) => [before, after]))).not.toMatch(/phc_|sha256/);
  });

  test('or not made at all', async () => {
    const { organizationId } = await api.admin.createOrganization({ name: 'Together' });
    await api.prisma
      .$executeRaw`ALTER TABLE activity_log ADD CONSTRAINT refuse_new CHECK (item_type <> 'project') NOT VALID`;
    await expect(api.admin.createProject({ organizationId, name: 'P' })).rejects.toThrow();
    expect(await api.prisma.project.count({ where: { organizationId } })).toBe(0);
    await api.prisma.$executeRaw`ALTER TABLE activity_log DROP CONSTRAINT refuse_new`;
  });
});
