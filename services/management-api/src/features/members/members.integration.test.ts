import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';
import type { ReplyBody } from '../../test/test-request.ts';

interface Listed {
  id: string;
  user: { uuid: string; email: string; first_name: string };
  level: number;
  search_match_type: string | null;
}
interface Page {
  count: number;
  next: string | null;
  results: Listed[];
}

let api: TestApi;
let acme: Seed;
let base: string;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  acme = await api.seed('Acme');
  base = `/api/organizations/${acme.organizationId}/members`;
});

async function add(
  firstName: string,
  lastName = '',
  { level = 1, email = `${firstName}.${acme.projectId}@example.com` } = {},
) {
  const { userId, userUuid } = await api.admin.createUser({
    organizationId: acme.organizationId,
    email,
    firstName,
    level,
  });
  await api.prisma.user.update({ where: { id: userId }, data: { lastName } });
  const { key } = await api.admin.createKey({ email, scopes: ['*'] });
  return { userId, uuid: userUuid, email, key };
}
const list = async (query = '', key = acme.key): Promise<Page> =>
  (await api.as(key).send<Page>('get', `${base}?${query}`)).body;
const names = async (query = '', key = acme.key): Promise<string[]> =>
  (await list(query, key)).results.map(({ user }) => user.first_name);
const change = (uuid: string, level: number, key = acme.key) =>
  api.as(key).send<ReplyBody & Listed>('patch', `${base}/${uuid}`).send({ level });
const remove = (uuid: string, key = acme.key) => api.as(key).send('delete', `${base}/${uuid}`);
const invitedNames = async (): Promise<string[]> => {
  const invites = await api.prisma.organizationInvite.findMany({
    where: { organizationId: acme.organizationId },
    orderBy: { targetEmail: 'asc' },
  });
  return invites.map(({ targetEmail }) => targetEmail.slice(0, targetEmail.indexOf('-')));
};
const activities = async (itemId: string) =>
  await api.prisma.activityLogEntry.findMany({ where: { itemId, itemType: 'member' }, orderBy: { id: 'asc' } });

describe('the list of members (contract/orgs-errors 2.4)', () => {
  test('newest first, or oldest first; another order is the default', async () => {
    for (const name of ['Bea', 'Cy']) await add(name);
    expect(await names()).toEqual(['Cy', 'Bea', 'Acme']);
    expect(await names('order=-joined_at')).toEqual(['Cy', 'Bea', 'Acme']);
    expect(await names('order=joined_at')).toEqual(['Acme', 'Bea', 'Cy']);
    expect(await names('order=level')).toEqual(['Cy', 'Bea', 'Acme']);
    expect(await list('limit=1&offset=1')).toMatchObject({
      count: 3,
      next: expect.stringContaining('limit=1&offset=2'),
      results: [{ user: { first_name: 'Bea' } }],
    });
    expect(await list('limit=1&offset=7')).toMatchObject({ count: 3, next: null, results: [] });
  });

  test('a member is shown with their user, their level and how they sign in', async () => {
    const login = new Date('2026-01-02T03:04:05Z');
    const bea = await add('Bea', 'Baker', { level: 8 });
    await api.prisma.user.update({
      where: { id: bea.userId },
      data: { is2faEnabled: true, lastLogin: login, roleAtOrganization: 'data' },
    });
    const [shown] = (await list('search=Bea')).results;
    const dates = {
      joined_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      last_login: login.toISOString(),
    };
    const flags = { is_2fa_enabled: true, has_social_auth: false, search_match_type: 'exact' };
    const user = {
      id: bea.userId,
      uuid: bea.uuid,
      distinct_id: bea.uuid,
      first_name: 'Bea',
      last_name: 'Baker',
      email: bea.email,
      is_email_verified: null,
      hedgehog_config: null,
      role_at_organization: 'data',
    };
    expect(shown).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), user, level: 8, ...dates, ...flags });
  });

  test('users who are switched off, and bots, are not listed', async () => {
    const [bea, cy] = [await add('Bea'), await add('Cy')];
    await api.prisma.user.update({ where: { id: bea.userId }, data: { isActive: false } });
    await api.prisma.user.update({ where: { id: cy.userId }, data: { isBot: true } });
    expect(await names()).toEqual(['Acme']);
    for (const { uuid } of [bea, cy])
      expect([(await change(uuid, 8)).status, (await remove(uuid)).status]).toEqual([404, 404]);
  });

  test('filters by level, address, domain and time of change, together too', async () => {
    const suffix = `t${acme.projectId}.test`;
    await add('Bea', '', { level: 8, email: `Bea@UK.${suffix}` });
    const cy = await add('Cy', '', { email: `cy@other.${suffix}` });
    expect(await names('levels=1,8&order=joined_at')).toEqual(['Bea', 'Cy']);
    expect(await names('levels=15')).toEqual(['Acme']);
    expect(await names('levels=3')).toEqual([]);
    expect(await names(`email_domain=uk.${suffix.toUpperCase()}`)).toEqual(['Bea']);
    expect(await names(`email_domain=${suffix}`)).toEqual([]);
    expect(await names(`email=BEA@uk.${suffix}`)).toEqual(['Bea']);
    expect(await names(`email=bea@${suffix}`)).toEqual([]);
    expect(await names(`email_domain=uk.${suffix}&levels=1`)).toEqual([]);
    await api.prisma.membership.updateMany({
      where: { organizationId: acme.organizationId, NOT: { userId: cy.userId } },
      data: { updatedAt: new Date('2020-01-01') },
    });
    expect(await names('updated_after=2021-01-01T00:00:00Z')).toEqual(['Cy']);
    for (const query of ['levels=a', 'updated_after=yesterday', 'outside_verified_domains=perhaps']) {
      const { status, body } = await api.as(acme.key).send('get', `${base}?${query}`);
      expect([status, body.attr]).toEqual([400, query.split('=')[0]]);
    }
  });

  test('members outside the verified domains: all while there is none', async () => {
    const domain = `d${acme.projectId}.test`;
    await add('Bea', '', { email: `bea@${domain}` });
    expect(await names('outside_verified_domains=true')).toEqual(['Bea', 'Acme']);
    await api.prisma.organizationDomain.create({ data: { domain, organizationId: acme.organizationId } });
    expect(await names('outside_verified_domains=true')).toEqual(['Acme']);
    expect(await names('outside_verified_domains=false')).toEqual(['Bea', 'Acme']);
  });

  test('plain members see only themselves where the organization wants it so (contract/decisions 20)', async () => {
    const [bea, boss] = [await add('Bea'), await add('Boss', '', { level: 8 })];
    await api.prisma.organization.update({
      where: { id: acme.organizationId },
      data: { membersCanSeeOrgMembers: false },
    });
    expect(await names('', bea.key)).toEqual(['Bea']);
    expect(await names('search=boss', bea.key)).toEqual([]);
    expect(await names('', boss.key)).toEqual(['Boss', 'Bea', 'Acme']);
    expect((await api.as(bea.key).send('get', `${base}/${boss.uuid}/code_host_login`)).status).toBe(404);
    expect((await api.as(bea.key).send('get', `${base}/@me/code_host_login`)).status).toBe(200);
    expect((await remove(boss.uuid, bea.key)).status).toBe(404);
  });

  test('nor does a list of invites tell such members who the others are, or will be', async () => {
    const [bea, boss] = [await add('Bea'), await add('Boss', '', { level: 8 })];
    await api.prisma.organization.update({
      where: { id: acme.organizationId },
      data: { membersCanSeeOrgMembers: false },
    });
    const invites = base.replace('members', 'invites');
    for (const [key, name] of [
      [bea.key, 'bea'],
      [boss.key, 'boss'],
    ] as const) {
      expect(
        (
          await api
            .as(key)
            .send('post', invites)
            .send({ target_email: `of-${name}-${acme.projectId}@x.example` })
        ).status,
      ).toBe(201);
    }
    const seen = async (key: string) => {
      const { count, results } = (
        await api.as(key).send<{ count: number; results: { created_by: { first_name: string } }[] }>('get', invites)
      ).body;
      return [count, ...results.map(({ created_by: by }) => by.first_name)];
    };
    expect(await seen(bea.key)).toEqual([1, 'Bea']);
    expect(await seen(boss.key)).toEqual([2, 'Boss', 'Bea']);
  });
});

describe('the two tiers of the search (contract/orgs-errors 2.4)', () => {
  beforeEach(async () => {
    await add('Jonathan', 'Smith');
    await add('Jonas', 'Smythe');
    await add('Zoë', '100%_Ünder\\', { email: `odd'one+tag@example.com${acme.projectId}` });
  });
  const found = async (search: string, more = '') =>
    (await list(`search=${encodeURIComponent(search)}${more}`)).results.map((one) => [
      one.user.first_name,
      one.search_match_type,
    ]);

  test.each([
    ['jonathan', ['Jonathan']],
    ['  NATHAN ', ['Jonathan']],
    ['smith', ['Jonathan']],
    ['SMY', ['Jonas']],
    ['o', ['Zoë', 'Jonas', 'Jonathan', 'Acme']],
    ['100%', ['Zoë']],
    ['%_ü', ['Zoë']],
    ['der\\', ['Zoë']],
    ["'one+tag@", ['Zoë']],
    ['ZOË', ['Zoë']],
  ])('%s is contained, and only those who contain it are found', async (search, expected) => {
    expect(await found(search)).toEqual(expected.map((name) => [name, 'exact']));
  });

  test('without a member that contains it, those that are like it are found, the most alike first', async () => {
    expect(await found('jonathon')).toEqual([
      ['Jonathan', 'similar'],
      ['Jonas', 'similar'],
    ]);
    expect(await found('smithh')).toEqual([['Jonathan', 'similar']]);
    expect(await list('search=jonathon&limit=1&offset=1')).toMatchObject({
      count: 2,
      next: null,
      results: [{ user: { first_name: 'Jonas' } }],
    });
    expect(await list('search=jonathon&limit=1&offset=5')).toMatchObject({ count: 2, results: [] });
    expect(await list('search=qqqqqq')).toMatchObject({ count: 0, results: [] });
  });

  test('similarity equals its definition, computed for each member without an index: which members, how many, in which order', async () => {
    const seed = Math.floor(Math.random() * 1_000_000);
    await api.prisma.$executeRaw`
      WITH named AS (
        SELECT n, initcap(part[1] || part[2] || part[3]) AS first_name, initcap(part[4] || part[5]) AS last_name, part[6] || '.test' AS domain
        FROM generate_series(1, 300) n, LATERAL (
          SELECT array_agg((ARRAY['an', 'be', 'cla', 'ro', 'sam', 'mi', 'to', 'ri', 'nna', 'el'])[1 + abs(hashint4(${seed}::integer + n * 10 + place) % 10)] ORDER BY place) AS part
          FROM generate_series(1, 6) place
        ) parts
      ), people AS (
        INSERT INTO users (uuid, email, first_name, last_name)
        SELECT gen_random_uuid(), lower(first_name || '.' || last_name || n || '@' || ${acme.projectId}::text || domain), first_name, last_name FROM named RETURNING id
      )
      INSERT INTO memberships (id, organization_id, user_id, level) SELECT gen_random_uuid(), ${acme.organizationId}::uuid, id, 1 FROM people`;
    // Nobody contains an x.
    for (const text of ['Anxna', 'samxi', 'claraxnna', 'beRoxto', 'elx', 'rixmi sam', 'anbexro.mi']) {
      const expected = await api.prisma.$queryRaw<{ uuid: string }[]>`
        SELECT u.uuid::text FROM memberships m JOIN users u ON u.id = m.user_id, LATERAL (
          SELECT word_similarity(${text}, u.first_name) AS first, word_similarity(${text}, u.last_name) AS last, word_similarity(${text}, u.email) AS email
        ) alike
        WHERE m.organization_id = ${acme.organizationId}::uuid AND greatest(first, last, alike.email) > 0.3::real
        ORDER BY first + last + alike.email DESC, lower(u.first_name), m.id`;
      const { count, results } = await list(`search=${encodeURIComponent(text)}&limit=400`);
      expect([seed, text, count, results.map(({ user }) => user.uuid)]).toEqual([
        seed,
        text,
        expected.length,
        expected.map(({ uuid }) => uuid),
      ]);
    }
  });

  test('NULs in the text are not there; elsewhere in the query they are refused', async () => {
    expect(await list('search=smi%00th%00')).toMatchObject({
      count: 1,
      results: [{ user: { first_name: 'Jonathan' }, search_match_type: 'exact' }],
    });
    expect(await list('search=%00')).toMatchObject({ count: 4 });
    expect(await list('search=smith&email_domain=%00')).toMatchObject({
      code: 'null_characters_not_allowed',
      attr: 'email_domain',
    });
  });

  test('blank is no search; 200 characters are the most', async () => {
    expect((await found(' ')).every(([, match]) => match === null)).toBe(true);
    expect(await found('%')).toEqual([['Zoë', 'exact']]);
    const { status, body } = await api.as(acme.key).send('get', `${base}?search=${'x'.repeat(201)}`);
    expect([status, body.code, body.attr]).toEqual([400, 'invalid_input', 'search']);
  });

  test('filters hold in both tiers, and decide which it is', async () => {
    expect(await found('smith', '&levels=8')).toEqual([]);
    expect(await found('jonathon', '&levels=8')).toEqual([]);
    await add('Jonathon', 'Low', { level: 8 });
    expect(await found('jonathon', '&levels=1')).toEqual([
      ['Jonathan', 'similar'],
      ['Jonas', 'similar'],
    ]);
    expect(await found('jonathon')).toEqual([['Jonathon', 'exact']]);
  });
});

describe('changing and removing members (contract/orgs-errors 2.4)', () => {
  test('an owner makes a member administrator and owner; what was done is written down', async () => {
    const bea = await add('Bea');
    expect((await change(bea.uuid, 8)).body).toMatchObject({
      level: 8,
      user: { uuid: bea.uuid },
      search_match_type: null,
    });
    expect((await change(bea.uuid, 15)).status).toBe(200);
    expect((await api.as(acme.key).send('patch', `${base}/${bea.uuid}`).send({})).body).toMatchObject({ level: 15 });
    expect((await change(bea.uuid.toUpperCase(), 15)).status).toBe(200);
    const changes = (await activities(bea.uuid)).filter(({ activity }) => activity === 'updated');
    expect(changes.map(({ before, after, actorUserId }) => [before, after, actorUserId])).toEqual([
      [{ level: 1 }, { level: 8 }, acme.userId],
      [{ level: 8 }, { level: 15 }, acme.userId],
    ]);
  });

  test('the rules: plain members change nobody, nobody changes themselves, an administrator makes no owner', async () => {
    const [bea, boss] = [await add('Bea'), await add('Boss', '', { level: 8 })];
    for (const [uuid, level, key] of [
      [boss.uuid, 1, bea.key],
      [bea.uuid, 8, bea.key],
      [acme.userUuid, 1, boss.key],
      [bea.uuid, 15, boss.key],
      ['@me', 1, acme.key],
    ] as const) {
      const { status, body } = await change(uuid, level, key);
      expect([status, body.code]).toEqual([403, 'permission_denied']);
    }
    // A member who may touch nobody gets that error, whatever they send.
    expect((await change(boss.uuid, 99, bea.key)).status).toBe(403);
    for (const level of [0, 2, 16])
      expect((await change(bea.uuid, level)).body).toMatchObject({ code: 'invalid_choice', attr: 'level' });
  });

  test('of two owners who lower each other at once, one stays', async () => {
    for (let round = 0; round < 5; round++) {
      const bea = await add(`Bea${round}`, '', { level: 15 });
      const statuses = await Promise.all([change(bea.uuid, 1), change(acme.userUuid, 1, bea.key)]);
      expect(statuses.map(({ status }) => status).sort()).toEqual([200, 403]);
      const owners = await api.prisma.membership.findMany({
        where: { organizationId: acme.organizationId, level: 15 },
      });
      expect(owners).toHaveLength(1);
      await api.prisma.membership.updateMany({ where: { organizationId: acme.organizationId }, data: { level: 1 } });
      await api.prisma.membership.updateMany({
        where: { organizationId: acme.organizationId, userId: acme.userId },
        data: { level: 15 },
      });
    }
  });

  test('a removed member is gone at once: their key, their projects, what was current for them', async () => {
    const bea = await add('Bea');
    const other = await api.seed('Other');
    const closed = await api.admin.createProject({ organizationId: other.organizationId, name: 'Closed' });
    await api.prisma.project.update({ where: { id: other.projectId }, data: { accessControl: true } });
    await api.prisma.membership.create({
      data: { id: crypto.randomUUID(), organizationId: other.organizationId, userId: bea.userId, level: 1 },
    });
    await api.prisma.projectAccess.createMany({
      data: [acme.projectId, closed.projectId].map((projectId) => ({ projectId, userId: bea.userId, level: 'member' })),
    });
    expect((await api.as(bea.key).send('get', base)).status).toBe(200);

    expect((await remove(bea.uuid)).status).toBe(204);
    expect((await api.as(bea.key).send('get', base)).status).toBe(403);
    expect((await remove(bea.uuid)).status).toBe(404);
    const user = await api.prisma.user.findUniqueOrThrow({
      where: { id: bea.userId },
      include: { projectAccess: true },
    });
    expect([
      user.currentOrganizationId,
      user.currentProjectId,
      user.projectAccess.map(({ projectId }) => projectId),
    ]).toEqual([other.organizationId, closed.projectId, [closed.projectId]]);
    const before = { email: bea.email, level: 1, private_project_access: [{ id: acme.projectId, level: 'member' }] };
    expect((await activities(bea.uuid)).at(-1)).toMatchObject({
      activity: 'deleted',
      before,
      after: null,
      actorUserId: acme.userId,
    });
  });

  test('the invites of a removed member open nothing any more, so that the member cannot come back by one of their own; those of others do', async () => {
    const boss = await add('Boss', '', { level: 8 });
    const invite = (key: string, name: string) =>
      api
        .as(key)
        .send('post', `${base.replace('members', 'invites')}`)
        .send({ target_email: `${name}-${acme.projectId}@x.example`, level: 8 });
    for (const [key, name] of [
      [boss.key, 'own'],
      [acme.key, 'other'],
    ] as const)
      expect((await invite(key, name)).status).toBe(201);
    expect((await remove(boss.uuid)).status).toBe(204);
    expect(await invitedNames()).toEqual(['other']);
    const entry = await api.prisma.activityLogEntry.findFirst({
      where: { organizationId: acme.organizationId, itemType: 'invite', activity: 'deleted' },
    });
    expect(entry).toMatchObject({
      actorUserId: acme.userId,
      before: { target_email: `own-${acme.projectId}@x.example`, level: 8 },
    });
  });

  test('a member with a lowered level keeps no invites above the new level', async () => {
    const boss = await add('Boss', '', { level: 8 });
    const invite = (name: string, more: object) =>
      api
        .as(boss.key)
        .send('post', `${base.replace('members', 'invites')}`)
        .send({ target_email: `${name}-${acme.projectId}@x.example`, ...more });
    const grants = [{ id: acme.projectId, level: 'admin' }];
    for (const [name, more] of [
      ['plain', {}],
      ['admin', { level: 8 }],
      ['grants', { private_project_access: grants }],
    ] as const)
      expect((await invite(name, more)).status).toBe(201);
    expect((await change(boss.uuid, 15)).status).toBe(200);
    expect(await invitedNames()).toEqual(['admin', 'grants', 'plain']);
    expect((await change(boss.uuid, 1)).status).toBe(200);
    expect(await invitedNames()).toEqual(['plain']);
  });

  test.each<[string, number, (boss: Awaited<ReturnType<typeof add>>) => PromiseLike<{ status: number }>, boolean]>([
    ['is removed', 1, ({ uuid }) => remove(uuid), false],
    ['is lowered', 1, ({ uuid }) => change(uuid, 1), false],
    ['is raised', 1, ({ uuid }) => change(uuid, 15), true],
    ['is removed, after somebody combined who could have invited so themselves', 8, ({ uuid }) => remove(uuid), true],
  ])(
    'an invite for an administrator that another member combined: whose invite it was %s',
    async (_name, level, end, isLeft) => {
      const [boss, other] = [await add('Boss', '', { level: 8 }), await add('Other', '', { level })];
      const invite = (key: string, more: object) =>
        api
          .as(key)
          .send<{ level: number }>('post', base.replace('members', 'invites'))
          .send({ target_email: `back-${acme.projectId}@x.example`, send_email: false, ...more });
      expect((await invite(boss.key, { level: 8 })).status).toBe(201);
      for (let times = 0; times < 2; times++)
        expect((await invite(other.key, { combine_pending_invites: true })).body.level).toBe(8);
      expect((await end(boss)).status).toBeLessThan(300);
      expect(await invitedNames()).toEqual(isLeft ? ['back'] : []);
    },
  );

  test('a project that a removed member is kept out of does not become current for them', async () => {
    const bea = await add('Bea');
    const other = await api.seed('Other');
    await api.prisma.project.update({ where: { id: other.projectId }, data: { accessControl: true } });
    await api.prisma.membership.create({
      data: { id: crypto.randomUUID(), organizationId: other.organizationId, userId: bea.userId, level: 1 },
    });
    await api.prisma.projectAccess.create({ data: { projectId: other.projectId, userId: bea.userId, level: 'none' } });
    expect((await remove(bea.uuid)).status).toBe(204);
    expect(await api.prisma.user.findUniqueOrThrow({ where: { id: bea.userId } })).toMatchObject({
      currentOrganizationId: other.organizationId,
      currentProjectId: null,
    });
  });

  test('on another process the key of a removed member stops within a second', async () => {
    const bea = await add('Bea');
    const second = await api.startProcess();
    const requested = () => api.as(bea.key, second).send('get', base);
    expect((await requested()).status).toBe(200);
    expect((await remove(bea.uuid)).status).toBe(204);
    await eventually(async () => expect((await requested()).status).toBe(403), { deadlineMs: 1_000 });
  });

  test('all but owners may leave, and owners cannot be removed', async () => {
    const [bea, boss, second] = [
      await add('Bea'),
      await add('Boss', '', { level: 8 }),
      await add('Second', '', { level: 15 }),
    ];
    expect((await remove(boss.uuid, bea.key)).status).toBe(403);
    expect((await remove('@me', bea.key)).status).toBe(204);
    expect(await api.prisma.user.findUniqueOrThrow({ where: { id: bea.userId } })).toMatchObject({
      currentOrganizationId: null,
      currentProjectId: null,
    });
    expect((await remove(second.uuid, boss.key)).body).toMatchObject({ code: 'permission_denied' });
    for (const [uuid, key] of [
      [second.uuid, acme.key],
      ['@me', acme.key],
    ] as const)
      expect((await remove(uuid, key)).body).toMatchObject({ code: 'invalid_input', attr: null });
    expect((await remove('@me', boss.key)).status).toBe(204);
  });
});

describe('the data of one member', () => {
  test('their login on the code host, by both names', async () => {
    const bea = await add('Bea');
    const login = async (name: string) => (await api.as(bea.key).send('get', `${base}/${bea.uuid}/${name}`)).body;
    expect(await login('code_host_login')).toEqual({ code_host_login: null });
    await api.prisma.user.update({ where: { id: bea.userId }, data: { codeHostLogin: 'bea-codes' } });
    expect([await login('code_host_login'), await login('github_login')]).toEqual([
      { code_host_login: 'bea-codes' },
      { github_login: 'bea-codes' },
    ]);
  });

  test('those of their keys that open the organization; for administrators and the member', async () => {
    const bea = await add('Bea');
    const other = await api.seed('Other');
    const { email } = bea;
    const make = async (
      label: string,
      limits: { projects?: number[]; organizations?: string[] },
      data: { lastUsedAt?: Date; expiresAt?: Date } = {},
    ) => {
      const { id } = await api.admin.createKey({ email, label, scopes: ['*'], ...limits });
      await api.prisma.personalApiKey.update({ where: { id }, data });
    };
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
    await make('by organization', { organizations: [acme.organizationId] }, { lastUsedAt: ago(8) });
    await make('by project', { projects: [acme.projectId, other.projectId] });
    await make('ended', {}, { expiresAt: ago(1) });
    await make('elsewhere', { organizations: [other.organizationId] });
    await make('elsewhere too', { projects: [other.projectId] });
    const keys = (key: string, uuid = bea.uuid) =>
      api.as(key).send<Record<string, unknown>>('get', `${base}/${uuid}/scoped_api_keys`);

    const first = (await keys(acme.key)).body;
    const names = [
      { name: 'Command line', last_used_at: null },
      { name: 'by organization', last_used_at: expect.any(String) },
      { name: 'by project', last_used_at: null },
    ];
    expect(first).toMatchObject({
      user: { uuid: bea.uuid },
      level: 1,
      has_keys: true,
      has_keys_active_last_week: false,
      keys: names,
    });
    expect((await keys(bea.key, '@me')).body).toMatchObject({ has_keys: true, has_keys_active_last_week: true });
    const cy = await add('Cy');
    expect((await keys(cy.key)).status).toBe(403);
    await api.prisma.personalApiKey.deleteMany({ where: { userId: bea.userId } });
    expect((await keys(acme.key)).body).toMatchObject({ has_keys: false, has_keys_active_last_week: false, keys: [] });
  });
});
