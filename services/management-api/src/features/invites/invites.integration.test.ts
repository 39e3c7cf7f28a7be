import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { addMember, refusalOf, startInviteApi, tokenIn, type InviteReply } from '../../test/invite-world.ts';
import type { Seed } from '../../test/test-api.ts';

type World = Awaited<ReturnType<typeof startInviteApi>>;
type Member = Awaited<ReturnType<typeof addMember>>;

let world: World;
let api: World['api'];
let acme: Seed;
let plain: Member;
let admin: Member;
let base: string;
beforeAll(async () => {
  world = await startInviteApi({ PUBLIC_URL: 'https://m.example/' });
  api = world.api;
  acme = await api.seed('Acme');
  plain = await addMember(api, acme, 'Plain', 1);
  admin = await addMember(api, acme, 'Admin', 8);
  base = `/api/organizations/${acme.organizationId}/invites`;
});
afterAll(() => api?.stop());
beforeEach(async () => {
  await api.prisma.organizationInvite.deleteMany({ where: { organizationId: acme.organizationId } });
  await api.prisma.organization.update({
    where: { id: acme.organizationId },
    data: { membersCanInvite: true, enforceVerifiedDomains: false },
  });
  world.mail.sent.length = 0;
  world.mail.fails = false;
  world.time.aheadMs = 0;
});

// How often mails go out has tests of its own.
const invite = async (body: object, key = acme.key) => {
  await world.forgetMails();
  return await world.invite({ ...acme, key }, body);
};
const bob = (more: object = {}, key = acme.key) => invite({ target_email: 'bob@x.example', ...more }, key);
const bulk = async (body: object, key = acme.key) => {
  await world.forgetMails();
  return await api.as(key).send<InviteReply & InviteReply[]>('post', `${base}/bulk`).send(body);
};
const act = async (id: string, action: string, key = acme.key) => {
  await world.forgetMails();
  return await api.as(key).send<InviteReply>('post', `${base}/${id}/${action}`);
};
const remove = (id: string, key = acme.key) => api.as(key).send('delete', `${base}/${id}`);
const list = async (key = acme.key) => (await api.as(key).send<{ results: InviteReply[] }>('get', base)).body.results;
const activities = (itemId: string) =>
  api.prisma.activityLogEntry.findMany({ where: { itemId }, orderBy: { id: 'asc' } });

describe('inviting (contract/orgs-errors 2.2)', () => {
  test('makes an invite, mails its link, and lists it', async () => {
    const { status, body } = await invite({
      target_email: 'Bob@X.Example',
      first_name: 'Bob',
      level: 8,
      message: 'Hi',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...{
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        target_email: 'Bob@x.example',
        first_name: 'Bob',
        emailing_attempt_made: true,
        level: 8,
        is_expired: false,
      },
      ...{
        created_by: expect.objectContaining({ email: acme.email }),
        created_at: expect.any(String),
        updated_at: expect.any(String),
        message: 'Hi',
      },
      ...{ private_project_access: null, send_email: true, combine_pending_invites: false },
    });
    expect(world.mail.sent).toEqual([
      {
        to: 'Bob@x.example',
        subject: expect.stringContaining('Acme'),
        text: expect.stringContaining('https://m.example/invites/'),
      },
    ]);
    expect(await list(plain.key)).toEqual([body]);
    expect(await activities(body.id)).toEqual([
      expect.objectContaining({
        itemType: 'invite',
        activity: 'created',
        actor: acme.email,
        organizationId: acme.organizationId,
      }),
    ]);
  });

  test('nothing that members, the log or the database show opens the link', async () => {
    const { body } = await bob();
    const token = tokenIn(world.mail.sent[0]?.text ?? '');
    const row = await api.prisma.organizationInvite.findUniqueOrThrow({ where: { id: body.id } });
    expect(
      JSON.stringify([body, await list(), row, (await activities(body.id)).map((entry) => ({ ...entry, id: 0 }))]),
    ).not.toContain(token);
    expect(token.length).toBeGreaterThan(40);
  });

  test.each<[string, object, number, string, string | null]>([
    ['no address', {}, 400, 'required', 'target_email'],
    ['an address that is null', { target_email: null }, 400, 'null', 'target_email'],
    ['what is no address', { target_email: 'bob' }, 400, 'invalid_input', 'target_email'],
    ['two addresses', { target_email: 'a@x.example,b@x.example' }, 400, 'invalid_input', 'target_email'],
    ['a long address', { target_email: `${'a'.repeat(250)}@x.example` }, 400, 'max_length', 'target_email'],
    ['a long first name', { first_name: 'a'.repeat(31) }, 400, 'max_length', 'first_name'],
    ['an unknown level', { level: 3 }, 400, 'invalid_choice', 'level'],
    ['no list of projects', { private_project_access: 'all' }, 400, 'not_a_list', 'private_project_access'],
    [
      'a project without a level',
      { private_project_access: [{ id: 1 }] },
      400,
      'invalid_input',
      'private_project_access',
    ],
    [
      'a project that is not there',
      { private_project_access: [{ id: 2_147_483_648, level: 'none' }] },
      400,
      'invalid_input',
      'private_project_access',
    ],
  ])('%s', async (_name, wrong, status, code, attr) => {
    expect(
      refusalOf(await invite(_name === 'no address' ? wrong : { target_email: 'bob@x.example', ...wrong })),
    ).toEqual([status, code, attr]);
    expect(await list()).toEqual([]);
  });

  test('to members private projects that they may not see are in no invite, not even in one that they combined', async () => {
    const { projectId: secret } = await api.admin.createProject({
      organizationId: acme.organizationId,
      name: 'Secret',
    });
    await api.admin.updateProject({ projectId: secret, isPrivate: true });
    const grants = [
      { id: secret, level: 'member' },
      { id: acme.projectId, level: 'member' },
    ];
    const open = [{ id: acme.projectId, level: 'member' }];
    expect((await bob({ private_project_access: grants })).body.private_project_access).toEqual(grants);
    expect((await invite({ target_email: 'cy@x.example', private_project_access: grants.slice(0, 1) })).status).toBe(
      201,
    );
    const seen = async (key: string) => (await list(key)).map((one) => one.private_project_access);
    expect([await seen(admin.key), await seen(plain.key)]).toEqual([
      [grants.slice(0, 1), grants],
      [null, open],
    ]);
    const letIn = { projectId: secret, userId: plain.userId, level: 'member' };
    await api.prisma.projectAccess.create({ data: letIn });
    expect(await seen(plain.key)).toEqual([grants.slice(0, 1), grants]);
    await api.prisma.projectAccess.deleteMany({ where: letIn });

    const combined = await bob({ combine_pending_invites: true }, plain.key);
    expect([combined.status, combined.body.private_project_access]).toEqual([201, open]);
    expect(
      (await bulk([{ target_email: 'cy@x.example', combine_pending_invites: true }], plain.key)).body[0]
        ?.private_project_access,
    ).toBeNull();
    expect((await act(combined.body.id, 'resend', plain.key)).body.private_project_access).toEqual(open);
    const stored = await api.prisma.organizationInvite.findUniqueOrThrow({ where: { id: combined.body.id } });
    expect(stored.privateProjectAccess).toEqual(expect.arrayContaining(grants));
  });

  test('nobody invites above the own level', async () => {
    const statuses = async (key: string) => {
      const all: number[] = [];
      for (const level of [1, 8, 15]) all.push((await bob({ level }, key)).status);
      return all;
    };
    expect(await statuses(plain.key)).toEqual([201, 403, 403]);
    expect(await statuses(admin.key)).toEqual([201, 201, 403]);
    expect(await statuses(acme.key)).toEqual([201, 201, 201]);
  });

  test('the level at the moment of the invite counts: a member who was removed while waiting cannot invite', async () => {
    const late = await addMember(api, acme, 'Late', 8);
    const membership = { organizationId_userId: { organizationId: acme.organizationId, userId: late.userId } };
    let response: PromiseLike<[number, string, string | null]> | undefined;
    await api.prisma.$transaction(
      async (transaction) => {
        await transaction.$queryRaw`SELECT id::text FROM organizations WHERE id = ${acme.organizationId}::uuid FOR NO KEY UPDATE`;
        response = bob({ level: 8 }, late.key).then(refusalOf);
        await eventually(async () => {
          const waiting = await api.prisma.$queryRaw<
            unknown[]
          >`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
          expect(waiting).toHaveLength(1);
        });
        await transaction.membership.delete({ where: membership });
      },
      { timeout: 20_000 },
    );
    expect(await response).toEqual([403, 'permission_denied', null]);
    expect(await list()).toEqual([]);
  });

  test('where members may not invite, administrators may', async () => {
    await api.prisma.organization.update({ where: { id: acme.organizationId }, data: { membersCanInvite: false } });
    const broken = await invite({ broken: true }, plain.key);
    expect([broken.status, broken.body.detail]).toEqual([403, 'In this organization only administrators can invite.']);
    expect((await bulk([{ target_email: 'bob@x.example' }], plain.key)).status).toBe(403);
    expect((await bob({}, admin.key)).status).toBe(201);
  });

  test('where domains are enforced, only addresses of verified ones are invited', async () => {
    await api.prisma.organization.update({
      where: { id: acme.organizationId },
      data: { enforceVerifiedDomains: true },
    });
    expect(refusalOf(await bob())).toEqual([400, 'invalid_input', 'target_email']);
    await api.prisma.organizationDomain.create({
      data: { domain: `d${acme.projectId}.example`, organizationId: acme.organizationId },
    });
    expect((await invite({ target_email: `bob@D${acme.projectId}.example` })).status).toBe(201);
    expect((await bob()).status).toBe(400);
  });

  test('a member is not invited again, in any spelling of the address; a similar address is', async () => {
    const { status, body } = await invite({ target_email: plain.email.toUpperCase() });
    expect([status, body.code, body.attr]).toEqual([400, 'invalid_input', null]);
    await api.admin.createUser({
      organizationId: acme.organizationId,
      email: `axb${acme.projectId}@x.example`,
      firstName: 'A',
      level: 1,
    });
    expect((await invite({ target_email: `a_b${acme.projectId}@x.example` })).status).toBe(201);
  });

  test('a private project is given by administrators and by its own; that of others, and none, in the same words', async () => {
    const other = await api.seed('Other');
    const [secret, own] = [
      await api.admin.createProject({ organizationId: acme.organizationId, name: 'Secret' }),
      await api.admin.createProject({ organizationId: acme.organizationId, name: 'Own' }),
    ];
    await api.prisma.project.updateMany({
      where: { id: { in: [secret.projectId, own.projectId] } },
      data: { accessControl: true },
    });
    await api.prisma.projectAccess.create({ data: { projectId: own.projectId, userId: plain.userId, level: 'admin' } });
    const give = (id: number, level: string, key: string) => bob({ private_project_access: [{ id, level }] }, key);
    for (const [id, level] of [
      [secret.projectId, 'member'],
      [other.projectId, 'member'],
      [acme.projectId, 'admin'],
    ] as const) {
      const refused = await give(id, level, plain.key);
      expect([...refusalOf(refused), refused.body.detail]).toEqual([
        400,
        'invalid_input',
        'private_project_access',
        `There is no project ${id} that you can give access to.`,
      ]);
    }
    expect((await give(other.projectId, 'member', acme.key)).status).toBe(400);
    expect((await give(own.projectId, 'admin', plain.key)).body.private_project_access).toEqual([
      { id: own.projectId, level: 'admin' },
    ]);
    expect((await give(secret.projectId, 'member', admin.key)).status).toBe(201);
    expect((await bob({ private_project_access: [] })).body.private_project_access).toBeNull();
    await api.admin.deleteProject({ projectId: own.projectId });
    expect((await give(own.projectId, 'member', acme.key)).status).toBe(400);
  });

  test('an address that is invited again has a new invite in place of all before, and the old link is dead', async () => {
    const first = (await bob()).body;
    const second = (await invite({ target_email: 'BOB@X.example' })).body;
    expect((await list()).map(({ id }) => id)).toEqual([second.id]);
    expect(second.id).not.toBe(first.id);
    const old = await api.as(undefined).send('get', `/invites/${tokenIn(world.mail.sent[0]?.text ?? '')}`);
    expect(old.text).toContain('This invite link is no longer valid');
    expect((await activities(first.id)).map(({ activity }) => activity)).toEqual(['created', 'deleted']);
    await invite({ target_email: 'b_b@x.example' });
    expect((await list()).length).toBe(2);
  });

  test('combining takes the highest of the pending invites, of each project too, and nothing of expired ones', async () => {
    const [one, two] = [
      acme.projectId,
      (await api.admin.createProject({ organizationId: acme.organizationId, name: 'Two' })).projectId,
    ];
    await bob({ level: 8, private_project_access: [{ id: one, level: 'member' }] });
    const combined = (
      await bob({
        combine_pending_invites: true,
        private_project_access: [
          { id: one, level: 'none' },
          { id: two, level: 'admin' },
        ],
      })
    ).body;
    expect([combined.level, combined.private_project_access]).toEqual([
      8,
      [
        { id: one, level: 'member' },
        { id: two, level: 'admin' },
      ],
    ]);
    world.time.aheadMs = 3 * 86_400_000 + 60_000;
    expect(await list()).toEqual([expect.objectContaining({ id: combined.id, is_expired: true })]);
    const anew = (await bob({ combine_pending_invites: true })).body;
    expect([anew.level, anew.private_project_access, anew.is_expired]).toEqual([1, null, false]);
  });

  test('no mail when none is wanted; a mail that fails fails nothing, and can be sent again', async () => {
    expect((await bob({ send_email: false })).body).toMatchObject({ emailing_attempt_made: false, send_email: false });
    world.mail.fails = true;
    const { status, body } = await bob();
    expect([status, body.emailing_attempt_made]).toEqual([201, false]);
    world.mail.fails = false;
    expect((await act(body.id, 'resend')).body).toMatchObject({ id: body.id, emailing_attempt_made: true });
    expect(world.mail.sent.length).toBe(1);
  });

  test('of many concurrent invites of one address, one stays', async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        invite({ target_email: at % 2 ? 'bob@x.example' : 'BOB@x.example', send_email: false }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
    expect((await list()).length).toBe(1);
  });
});

describe('many at once', () => {
  test('all are made, in their order; the later one of an address replaces the earlier, whose dead link nobody is mailed', async () => {
    const { status, body } = await bulk([
      { target_email: 'a@x.example', level: 8 },
      { target_email: 'b@x.example', send_email: false },
      { target_email: 'A@x.example' },
    ]);
    expect([status, body.map(({ target_email: email, level }) => [email, level])]).toEqual([
      200,
      [
        ['a@x.example', 8],
        ['b@x.example', 1],
        ['A@x.example', 1],
      ],
    ]);
    expect((await list()).map(({ target_email: email }) => email).sort()).toEqual(['A@x.example', 'b@x.example']);
    expect(world.mail.sent.map(({ to }) => to)).toEqual(['A@x.example']);
  });

  const good = { target_email: 'good@x.example' };
  test.each<[string, object, number, string, string | null]>([
    ['an object', good, 400, 'invalid_input', null],
    ['nothing', [], 400, 'empty', null],
    [
      'more than 20',
      Array.from({ length: 21 }, (_, at) => ({ target_email: `a${at}@x.example` })),
      400,
      'max_length',
      null,
    ],
    ['one without an address', [good, {}], 400, 'required', '1__target_email'],
    ['one with a bad address', [good, { target_email: 'a@b@x.example' }], 400, 'invalid_input', '1__target_email'],
    [
      'one for a bad project',
      [good, { ...good, private_project_access: [{ id: 1, level: 'x' }] }],
      400,
      'invalid_input',
      '1__private_project_access',
    ],
    [
      'one for a project that is not there',
      [good, { ...good, private_project_access: [{ id: 1, level: 'admin' }] }],
      400,
      'invalid_input',
      '1__private_project_access',
    ],
    ['one above the own level (contract/decisions 9)', [good, { ...good, level: 15 }], 403, 'permission_denied', null],
  ])('%s: nothing is made, nothing is mailed', async (_name, body, status, code, attr) => {
    expect(refusalOf(await bulk(body, admin.key))).toEqual([status, code, attr]);
    expect([await list(), world.mail.sent]).toEqual([[], []]);
  });

  test('a member among them: nothing is made, and earlier invites stay', async () => {
    const { body } = await bob();
    expect(refusalOf(await bulk([{ target_email: 'bob@x.example' }, { target_email: plain.email }]))).toEqual([
      400,
      'invalid_input',
      null,
    ]);
    expect((await list()).map(({ id }) => id)).toEqual([body.id]);
  });

  test('of calls at once about the same addresses, one has made them all', async () => {
    const calls = Array.from({ length: 3 }, (_, call) =>
      bulk(
        Array.from({ length: 10 }, (_item, at) => ({
          target_email: `p${at}@x.example`,
          first_name: String(call),
          send_email: false,
        })),
      ),
    );
    await Promise.all(calls);
    const names = (
      await api.prisma.organizationInvite.findMany({ where: { organizationId: acme.organizationId } })
    ).map(({ firstName }) => firstName);
    expect([names.length, new Set(names).size]).toEqual([10, 1]);
  });
});

describe('invites that are there', () => {
  test('are withdrawn by administrators and by their makers; a plain member cannot withdraw those of others', async () => {
    const [ofMember, ofOwner] = [(await bob({}, plain.key)).body, (await invite({ target_email: 'c@x.example' })).body];
    expect(refusalOf(await remove(ofOwner.id, plain.key))).toEqual([403, 'permission_denied', null]);
    expect(refusalOf(await act(ofOwner.id, 'resend', plain.key))).toEqual([403, 'permission_denied', null]);
    expect((await remove(ofMember.id, plain.key)).status).toBe(204);
    expect((await remove(ofOwner.id, admin.key)).status).toBe(204);
    expect(refusalOf(await remove(ofOwner.id))).toEqual([404, 'not_found', null]);
    expect(await list()).toEqual([]);
    expect((await activities(ofOwner.id)).at(-1)).toMatchObject({
      activity: 'deleted',
      actor: admin.email,
      before: expect.objectContaining({ target_email: 'c@x.example' }),
    });
  });

  test('of other organizations are not there, for reading and for writing', async () => {
    const { id } = (await bob()).body;
    const other = await api.seed('Other');
    const theirs = `/api/organizations/${other.organizationId}/invites`;
    expect((await api.as(other.key).send<{ count: number }>('get', theirs)).body.count).toBe(0);
    for (const path of [`${theirs}/${id}/resend`, `${theirs}/${id}/copy_link`])
      expect((await api.as(other.key).send('post', path)).status).toBe(404);
    expect((await api.as(other.key).send('delete', `${theirs}/${id}`)).status).toBe(404);
    expect((await list()).length).toBe(1);
  });

  test('sent again, the new link works and the old one does not', async () => {
    const { id } = (await bob({}, plain.key)).body;
    expect((await act(id, 'resend', plain.key)).status).toBe(200);
    const pages = await Promise.all(
      world.mail.sent.map(async ({ text }) => (await api.as(undefined).send('get', `/invites/${tokenIn(text)}`)).text),
    );
    expect(pages.map((page) => page.includes('<form method="post"'))).toEqual([false, true]);
  });

  test('a copied link is for administrators, up to their level; the mailed one keeps working', async () => {
    const [low, high] = [
      (await bob({}, plain.key)).body,
      (await invite({ target_email: 'o@x.example', level: 15 })).body,
    ];
    expect((await act(low.id, 'copy_link', plain.key)).status).toBe(403);
    expect((await act(high.id, 'copy_link', admin.key)).status).toBe(403);
    const { status, body } = await act(low.id, 'copy_link', admin.key);
    expect([status, body.link]).toEqual([200, expect.stringMatching(/^https:\/\/m\.example\/invites\/\w{40,}$/)]);
    expect((await activities(low.id)).at(-1)).toMatchObject({
      activity: 'updated',
      actor: admin.email,
      after: { link_copied: true },
    });
    for (const text of [body.link, world.mail.sent[0]?.text ?? '']) {
      expect((await api.as(undefined).send('get', `/invites/${tokenIn(text)}`)).text).toContain('<form method="post"');
    }
  });

  test('a link that an administrator copied opens nothing after the administrator was removed or lowered; that of another does', async () => {
    const [low, lower] = [(await bob()).body, (await invite({ target_email: 'eve@x.example' })).body];
    const opens = async (link: string) =>
      !(await api.as(undefined).send('get', new URL(link).pathname)).text.includes(
        'This invite link is no longer valid',
      );
    for (const leave of ['delete', 'patch'] as const) {
      const boss = await addMember(api, acme, `Boss${leave}`, 8);
      const [ofBoss, another] = [
        (await act(low.id, 'copy_link', boss.key)).body.link,
        (await act(lower.id, 'copy_link', admin.key)).body.link,
      ];
      expect([await opens(ofBoss), await opens(another)]).toEqual([true, true]);
      const left = await api
        .as(acme.key)
        .send(leave, `/api/organizations/${acme.organizationId}/members/${boss.userUuid}`)
        .send({ level: 1 });
      expect(left.status).toBeLessThan(300);
      expect([await opens(ofBoss), await opens(another)]).toEqual([false, true]);
    }
  });

  test('an expired one is neither sent nor copied', async () => {
    const { id } = (await bob()).body;
    world.time.aheadMs = 3 * 86_400_000 + 60_000;
    expect(refusalOf(await act(id, 'resend'))).toEqual([400, 'expired', null]);
    expect(refusalOf(await act(id, 'copy_link'))).toEqual([400, 'expired', null]);
  });
});

test('links in mails begin with what is configured, whatever the request calls its host', async () => {
  await world.forgetMails();
  await api.as(acme.key).send('post', base).send({ target_email: 'bob@x.example' }).set('Host', 'evil.example');
  expect(world.mail.sent[0]?.text).toContain('https://m.example/invites/');
  expect(world.mail.sent[0]?.text).not.toContain('evil');
});
