import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';
import type { Reply } from '../../test/test-request.ts';

interface KeyBody {
  id: string;
  value: string | null;
  mask_value: string;
  scopes: string[];
  scoped_teams: number[];
  scoped_organizations: string[];
  expires_at: string | null;
  code: string;
  attr: string | null;
  detail: string;
}

let api: TestApi;
let acme: Seed;
let nowMs = Date.UTC(2026, 10, 21, 12);
beforeAll(async () => {
  api = await startTestApi({}, { clock: { nowMs: () => nowMs } });
  acme = await api.seed('Acme');
});
afterAll(() => api?.stop());

const keys = '/api/personal_api_keys/';
const make = async (key: string, body: object): Promise<Reply<KeyBody>> =>
  await api
    .as(key)
    .send<KeyBody>('post', keys)
    .send({ label: 'Made', ...body });
const change = async (key: string, id: string, body: object): Promise<Reply<KeyBody>> =>
  await api.as(key).send<KeyBody>('patch', `${keys}${id}/`).send(body);
const statusOf = async (key: string, path = `${keys}@current`): Promise<number> =>
  (await api.as(key).send('get', path)).status;
const dayHence = (days: number): string => new Date(nowMs + days * 86_400_000).toISOString();

async function limitedKey(limits: {
  scopes?: string[];
  projects?: number[];
  organizations?: string[];
  expiresAt?: Date;
}): Promise<string> {
  return (await api.admin.createKey({ email: acme.email, scopes: ['personal_api_key:write'], ...limits })).key;
}

describe('making keys over HTTP', () => {
  test('a new key works, and its value is shown once', async () => {
    const { status, body } = await make(acme.key, {
      scopes: ['endpoint:read'],
      scoped_teams: [acme.projectId],
      expires_at: dayHence(1),
    });
    expect([status, body.scopes, body.scoped_teams, body.expires_at]).toEqual([
      201,
      ['endpoint:read'],
      [acme.projectId],
      dayHence(1),
    ]);
    const value = body.value ?? '';
    expect(value).toMatch(/^phx_\w{40,}$/);
    expect(await statusOf(value, `/api/projects/${acme.projectId}/endpoints/`)).toBe(200);
    for (const path of [`${keys}${body.id}/`, keys]) {
      const { text } = await api.as(acme.key).send('get', path);
      expect(text).toContain(body.mask_value);
      expect(text).not.toContain(value);
    }
    const stored = await api.prisma.personalApiKey.findUniqueOrThrow({ where: { id: body.id } });
    expect(JSON.stringify(stored)).not.toContain(value.slice(4, -4));
  });

  test('without limits and end of its own a key has those of the one that makes it', async () => {
    const maker = await limitedKey({
      projects: [acme.projectId],
      organizations: [acme.organizationId],
      expiresAt: new Date(dayHence(2)),
    });
    const { body } = await make(maker, { scopes: ['personal_api_key:read'] });
    expect([body.scoped_teams, body.scoped_organizations, body.expires_at]).toEqual([
      [acme.projectId],
      [acme.organizationId],
      dayHence(2),
    ]);
  });

  test.each<[string, Parameters<typeof limitedKey>[0], object, string]>([
    ['a scope that it has not', {}, { scopes: ['survey:read'] }, 'scopes'],
    ['a star', {}, { scopes: ['*'] }, 'scopes'],
    ['no limit', { projects: [1] }, { scoped_teams: [] }, 'scoped_teams'],
    ['no limit, in other words', { organizations: ['@'] }, { scoped_organizations: null }, 'scoped_organizations'],
    ['no end', { expiresAt: new Date(Date.UTC(2027, 0, 1)) }, { expires_at: null }, 'expires_at'],
  ])('a key gives nothing that it has not: %s', async (_name, limits, body, attr) => {
    const projects = limits.projects && [acme.projectId];
    const organizations = limits.organizations && [acme.organizationId];
    const maker = await limitedKey({
      ...limits,
      ...(projects ? { projects } : {}),
      ...(organizations ? { organizations } : {}),
    });
    const reply = await make(maker, { scopes: ['personal_api_key:read'], ...body });
    expect([reply.status, reply.body.code, reply.body.attr]).toEqual([403, 'permission_denied', attr]);
  });

  test('what a key may hand on is what is stored of it, not what is cached', async () => {
    const maker = await api.admin.createKey({ email: acme.email, scopes: ['personal_api_key:write', 'survey:read'] });
    expect(await statusOf(maker.key)).toBe(200);
    await api.prisma.$executeRaw`ALTER TABLE personal_api_keys DISABLE TRIGGER personal_api_keys_updated`;
    await api.prisma.personalApiKey.update({ where: { id: maker.id }, data: { scopes: ['personal_api_key:write'] } });
    await api.prisma.$executeRaw`ALTER TABLE personal_api_keys ENABLE TRIGGER personal_api_keys_updated`;
    expect((await make(maker.key, { scopes: ['survey:read'] })).status).toBe(403);
  });

  test('limits name only what the user can see; what is hidden reads like what is not there', async () => {
    const other = await api.seed('Other');
    const hidden = await make(acme.key, { scopes: ['query:read'], scoped_teams: [other.projectId] });
    const missing = await make(acme.key, { scopes: ['query:read'], scoped_teams: [2_000_000_000] });
    const strange = await make(acme.key, { scopes: ['query:read'], scoped_organizations: [other.organizationId] });
    expect([hidden, missing, strange].map(({ status, body }) => [status, body.code, body.attr])).toEqual([
      [400, 'does_not_exist', 'scoped_teams'],
      [400, 'does_not_exist', 'scoped_teams'],
      [400, 'does_not_exist', 'scoped_organizations'],
    ]);
    expect(hidden.body.detail.replace(String(other.projectId), 'N')).toBe(
      missing.body.detail.replace('2000000000', 'N'),
    );
  });

  test('nor do they name a private project that does not let the user in', async () => {
    const { organizationId } = acme;
    const { projectId } = await api.admin.createProject({ organizationId, name: 'Private' });
    await api.admin.updateProject({ projectId, isPrivate: true });
    const email = `plain-${projectId}@example.com`;
    const { userId } = await api.admin.createUser({ organizationId, email, firstName: 'Plain', level: 1 });
    const { key } = await api.admin.createKey({ email, scopes: ['*'] });
    const limits = { scopes: ['query:read'], scoped_teams: [projectId] };
    const refused = await make(key, limits);
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      400,
      'does_not_exist',
      `You have no access to project ${projectId}, or it does not exist.`,
    ]);
    await api.prisma.projectAccess.create({ data: { projectId, userId, level: 'member' } });
    expect((await make(key, limits)).status).toBe(201);
  });

  test.each([
    ['yesterday', -1],
    ['now', 0],
  ])('an end %s is refused', async (_name, days) => {
    const { status, body } = await make(acme.key, { scopes: ['query:read'], expires_at: dayHence(days) });
    expect([status, body.attr]).toEqual([400, 'expires_at']);
  });
  test('an end that is no time is refused', async () => {
    expect((await make(acme.key, { scopes: ['query:read'], expires_at: '2030-01-01T23:59:60Z' })).status).toBe(400);
  });
});

describe('changing and ending keys', () => {
  test('a key can only be made to open less', async () => {
    const { body } = await make(acme.key, { scopes: ['survey:write', 'query:read'] });
    const narrowed = await change(acme.key, body.id, {
      label: 'Less',
      scopes: ['survey:read'],
      scoped_teams: [acme.projectId],
      expires_at: dayHence(5),
    });
    expect(narrowed.body).toMatchObject({
      label: 'Less',
      value: null,
      scopes: ['survey:read'],
      scoped_teams: [acme.projectId],
      expires_at: dayHence(5),
    });
    for (const [wider, attr] of [
      [{ scopes: ['survey:write'] }, 'scopes'],
      [{ scoped_teams: null }, 'scoped_teams'],
      [{ expires_at: dayHence(6) }, 'expires_at'],
    ] as const) {
      const reply = await change(acme.key, body.id, wider);
      expect([reply.status, reply.body.attr]).toEqual([403, attr]);
    }
    expect((await change(acme.key, body.id, { label: 'Only the name' })).body).toMatchObject({
      label: 'Only the name',
      scopes: ['survey:read'],
      expires_at: dayHence(5),
    });
  });

  test('a rolled key has another value; the old one is worth nothing', async () => {
    const { body } = await make(acme.key, { scopes: ['survey:read'] });
    const rolled = await api.as(acme.key).send<KeyBody>('post', `${keys}${body.id}/roll/`);
    expect([rolled.status, rolled.body.id, rolled.body.scopes]).toEqual([200, body.id, ['survey:read']]);
    expect([await statusOf(body.value ?? ''), await statusOf(rolled.body.value ?? '')]).toEqual([401, 200]);
  });

  test('a key rolls itself, but none that opens more than itself', async () => {
    const weak = await limitedKey({});
    const refused = await api.as(weak).send<KeyBody>('post', `${keys}${acme.keyId}/roll`);
    expect([refused.status, refused.body.attr, await statusOf(acme.key)]).toEqual([403, 'scopes', 200]);
    const own = await api.as(weak).send<KeyBody>('post', `${keys}@current/roll`);
    expect([own.status, await statusOf(weak), await statusOf(own.body.value ?? '')]).toEqual([200, 401, 200]);
  });

  test('a deleted key is worth nothing', async () => {
    const { body } = await make(acme.key, { scopes: ['survey:read'] });
    expect((await api.as(acme.key).send('delete', `${keys}${body.id}/`)).status).toBe(204);
    expect([await statusOf(body.value ?? ''), await statusOf(acme.key, `${keys}${body.id}`)]).toEqual([401, 404]);
  });

  test('from its end on a key is worth nothing, also a cached one', async () => {
    const { body } = await make(acme.key, { scopes: ['survey:read'], expires_at: dayHence(1) });
    expect(await statusOf(body.value ?? '')).toBe(200);
    nowMs += 86_400_000;
    const reply = await api.as(body.value ?? '').send('get', `${keys}@current`);
    expect([reply.status, reply.body.code, reply.headers['www-authenticate']]).toEqual([
      401,
      'authentication_failed',
      'Bearer',
    ]);
  });

  test('every change is written down for the organizations that the key opens, never its value', async () => {
    const { body } = await make(acme.key, { scopes: ['survey:write'], scoped_organizations: [acme.organizationId] });
    await change(acme.key, body.id, { scopes: ['survey:read'] });
    await api.as(acme.key).send('post', `${keys}${body.id}/roll`);
    await api.as(acme.key).send('delete', `${keys}${body.id}`);
    const entries = await api.prisma.activityLogEntry.findMany({
      where: { itemType: 'personal_api_key', itemId: body.id },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ activity, organizationId, actorKeyId }) => [activity, organizationId, actorKeyId])).toEqual(
      ['created', 'updated', 'rolled', 'deleted'].map((activity) => [activity, acme.organizationId, acme.keyId]),
    );
    expect([entries[1]?.before, entries[1]?.after]).toEqual([
      { scopes: ['survey:write'] },
      { scopes: ['survey:read'] },
    ]);
    expect(JSON.stringify(entries.map(({ before, after }) => [before, after]))).not.toMatch(/phx_\w{10}|sha256/);
  });
});

describe('a key that is limited', () => {
  const labelsSeen = async (key: string, query = '') => {
    const { body } = await api.as(key).send<{ count: number; results: { label: string }[] }>('get', `${keys}${query}`);
    return [body.count, body.results.map(({ label }) => label)];
  };
  async function keysOfTwoPlaces() {
    const [home, away] = [await api.seed('Home'), await api.seed('Away')];
    await api.prisma.membership.create({
      data: { id: crypto.randomUUID(), organizationId: away.organizationId, userId: home.userId, level: 15 },
    });
    const idOf = async (label: string, limits: { projects?: number[]; organizations?: string[] }) => {
      return await api.admin.createKey({ email: home.email, label, scopes: ['personal_api_key:write'], ...limits });
    };
    const made = {
      free: await idOf('free', {}),
      here: await idOf('here', { projects: [home.projectId] }),
      there: await idOf('there', { projects: [away.projectId] }),
      both: await idOf('both', { projects: [home.projectId, away.projectId] }),
      ours: await idOf('ours', { organizations: [home.organizationId] }),
      theirs: await idOf('theirs', { organizations: [away.organizationId] }),
      narrow: await idOf('narrow', { projects: [home.projectId], organizations: [home.organizationId] }),
    };
    return { home, made };
  }

  test('lists those keys of its user that are limited to nothing beyond its limits, and no other', async () => {
    const { home, made } = await keysOfTwoPlaces();
    expect(await labelsSeen(made.here.key)).toEqual([2, ['narrow', 'here']]);
    expect(await labelsSeen(made.ours.key)).toEqual([2, ['narrow', 'ours']]);
    expect(await labelsSeen(made.narrow.key)).toEqual([1, ['narrow']]);
    expect(await labelsSeen(made.both.key)).toEqual([4, ['narrow', 'both', 'there', 'here']]);
    expect(await labelsSeen(made.both.key, '?limit=2&offset=1')).toEqual([4, ['both', 'there']]);
    expect(await labelsSeen(made.free.key)).toEqual([
      8,
      ['narrow', 'theirs', 'ours', 'both', 'there', 'here', 'free', expect.any(String)],
    ]);
    expect(await statusOf(home.key)).toBe(200);
  });

  test('finds, changes, rolls and revokes no other', async () => {
    const { made } = await keysOfTwoPlaces();
    for (const [by, beyond] of [
      [made.here, [made.free, made.there, made.both, made.ours]],
      [made.ours, [made.free, made.here, made.theirs]],
    ] as const) {
      for (const { id, key } of beyond) {
        const path = `${keys}${id}`;
        const replies = [
          await api.as(by.key).send('get', path),
          await change(by.key, id, { label: 'Mine' }),
          await api.as(by.key).send('post', `${path}/roll`),
          await api.as(by.key).send('delete', path),
        ];
        expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
        expect(await statusOf(key)).toBe(200);
      }
      expect((await change(by.key, made.narrow.id, { label: 'narrow' })).status).toBe(200);
      expect((await api.as(by.key).send('get', `${keys}${made.narrow.id}`)).status).toBe(200);
    }
    expect((await api.as(made.both.key).send('delete', `${keys}${made.here.id}`)).status).toBe(204);
  });

  test('what counts is its limits as they are stored, not as they are cached', async () => {
    const { home, made } = await keysOfTwoPlaces();
    expect(await statusOf(made.free.key)).toBe(200);
    await api.prisma.$executeRaw`ALTER TABLE personal_api_keys DISABLE TRIGGER USER`;
    await api.prisma.personalApiKey.update({ where: { id: made.free.id }, data: { scopedTeams: [home.projectId] } });
    await api.prisma.$executeRaw`ALTER TABLE personal_api_keys ENABLE TRIGGER USER`;
    expect((await api.as(made.free.key).send('delete', `${keys}${made.there.id}`)).status).toBe(404);
  });
});

describe('what organizations read of a key', () => {
  test('names no other organization and none of its projects, though it shows that there is a limit', async () => {
    const other = await api.seed('Elsewhere');
    await api.prisma.membership.create({
      data: { id: crypto.randomUUID(), organizationId: other.organizationId, userId: acme.userId, level: 1 },
    });
    const { body: byOrganization } = await make(acme.key, {
      scopes: ['survey:write'],
      scoped_organizations: [acme.organizationId, other.organizationId],
    });
    const { body: byProject } = await make(acme.key, {
      scopes: ['survey:write'],
      scoped_teams: [acme.projectId, other.projectId],
    });
    await change(acme.key, byOrganization.id, { scoped_organizations: [other.organizationId] });
    await change(acme.key, byProject.id, { scoped_teams: [other.projectId] });
    const logOf = async ({ key, organizationId }: Seed, id: string) => {
      const log = await api
        .as(key)
        .send<{ results: { before: unknown; after: unknown }[] }>(
          'get',
          `/api/organizations/${organizationId}/activity_log/?item_id=${id}`,
        );
      return log.body.results.map(({ before, after }) => [before, after]);
    };
    const limits = {
      limited_to_projects: false,
      scoped_teams: [],
      limited_to_organizations: false,
      scoped_organizations: [],
    };
    for (const [seed, changed] of [
      [acme, true],
      [other, false],
    ] as const) {
      const ofOrganizations = {
        ...limits,
        limited_to_organizations: true,
        scoped_organizations: [seed.organizationId],
      };
      const ofProjects = { ...limits, limited_to_projects: true, scoped_teams: [seed.projectId] };
      const took = (field: string, was: unknown) => (changed ? [[{ [field]: [was] }, { [field]: [] }]] : []);
      expect(await logOf(seed, byOrganization.id)).toEqual([
        ...took('scoped_organizations', seed.organizationId),
        [null, expect.objectContaining(ofOrganizations)],
      ]);
      expect(await logOf(seed, byProject.id)).toEqual([
        ...took('scoped_teams', seed.projectId),
        [null, expect.objectContaining(ofProjects)],
      ]);
    }
  });
});

describe('introspection of a key (contract/clients B10)', () => {
  const introspect = (key: string, token: string) =>
    api.as(key).send<Record<string, unknown>>('post', '/oauth/introspect').send({ token });

  test('any key may read its own data', async () => {
    const key = await limitedKey({ scopes: ['survey:read'], projects: [acme.projectId] });
    const { body } = await api.as(key).send<KeyBody>('get', `${keys}@current`);
    expect(body).toMatchObject({
      value: null,
      scopes: ['survey:read'],
      scoped_teams: [acme.projectId],
      scoped_organizations: [],
    });
    expect((await introspect(key, key)).body).toMatchObject({
      active: true,
      scope: 'survey:read',
      scoped_teams: [acme.projectId],
      scoped_organizations: [],
    });
  });

  test('a form will do, as RFC 7662 has it', async () => {
    const form = await api
      .as(acme.key)
      .send('post', '/oauth/introspect/')
      .set('Content-Type', 'application/x-www-form-urlencoded')
      .send(`token=${acme.key}&token_type_hint=access_token`);
    expect(form.body).toMatchObject({ active: true, scope: '*', sub: acme.userUuid, token_type: 'Bearer' });
  });

  test('for any other token, valid or not, it shows nothing; without a key the call is refused', async () => {
    const other = await limitedKey({});
    for (const token of [other, 'phx_nobody', 'pha_x'])
      expect((await introspect(acme.key, token)).body).toEqual({ active: false });
    expect((await api.as(undefined).send('post', '/oauth/introspect').send({ token: acme.key })).status).toBe(401);
  });

  test('keys of others are not there', async () => {
    const stranger = await api.seed('Stranger');
    for (const method of ['get', 'patch', 'delete'] as const)
      expect((await api.as(stranger.key).send(method, `${keys}${acme.keyId}/`)).status).toBe(404);
    expect((await api.as(stranger.key).send<{ count: number }>('get', keys)).body.count).toBe(1);
  });
});
