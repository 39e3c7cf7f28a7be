import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { keyIn, startInviteApi, tokenIn, type InviteReply } from '../../../test/invite-world.ts';
import type { Seed } from '../../../test/test-api.ts';

// Somebody invites an address that is not theirs, copies the link and joins by it. Whoever reads the mail of that address must not
// lose anything by that, nor be taken for whoever came first.

type World = Awaited<ReturnType<typeof startInviteApi>>;

let world: World;
let api: World['api'];
/** Where the impostor is at home. */
let evil: Seed;
/** The organization that invites the owner of the address. */
let acme: Seed;
let address: string;
/** The impostor's key of the account. */
let stolen: string;
let count = 0;
beforeAll(async () => {
  world = await startInviteApi();
  api = world.api;
});
afterAll(() => api?.stop());
beforeEach(async () => {
  [evil, acme] = [await api.seed('Evil'), await api.seed('Acme')];
  world.mail.sent.length = 0;
  address = `owner-${count++}@x.example`;
  stolen = keyIn((await world.join(await copied(evil))).text);
  expect(stolen).not.toBe('');
});

const invite = async (of: Seed, body: object = {}) => (await world.invite(of, { target_email: address, ...body })).body;
async function mailed(of: Seed): Promise<string> {
  const { id } = await invite(of);
  expect(id).toBeDefined();
  return tokenIn(world.mail.sent.findLast(({ to }) => to === address)?.text ?? '');
}
async function copied(of: Seed, level = 1): Promise<string> {
  const { id } = await invite(of, { send_email: false, level });
  const { body } = await api
    .as(of.key)
    .send<InviteReply>('post', `/api/organizations/${of.organizationId}/invites/${id}/copy_link`);
  return tokenIn(body.link);
}
const show = async (token: string) => (await api.as(undefined).send('get', `/invites/${token}`)).text;
const statusOf = async (key: string) => (await api.as(key).send('get', '/api/users/@me')).status;
/** The process learns of it by the change feed, mostly within milliseconds. */
const isEnded = (key: string) => eventually(async () => expect(await statusOf(key)).toBe(401));
const userOf = () =>
  api.prisma.user.findFirstOrThrow({
    where: { email: address },
    include: { memberships: true, personalApiKeys: true },
  });

describe('an account that nobody has proven', () => {
  test('belongs to the person who opens a mailed link: with a new key, and no other', async () => {
    const token = await mailed(acme);
    expect(await show(token)).toContain(
      'This address already has an account. It was made with a link that somebody passed on',
    );
    expect(await statusOf(stolen)).toBe(200);
    const { text } = await world.join(token);
    const key = keyIn(text);
    await isEnded(stolen);
    expect(await statusOf(key)).toBe(200);
    const user = await userOf();
    expect(user).toMatchObject({
      firstName: 'Olga',
      lastName: 'Owner',
      isEmailVerified: true,
      currentOrganizationId: acme.organizationId,
      currentProjectId: acme.projectId,
    });
    expect(user.personalApiKeys).toMatchObject([{ scopes: ['*'], scopedOrganizations: [], scopedTeams: [] }]);
    expect(user.memberships.map(({ organizationId }) => organizationId).sort()).toEqual(
      [evil.organizationId, acme.organizationId].sort(),
    );
  });

  test('the owner sees the organizations that it was brought into, and can leave them as the page describes', async () => {
    const { text } = await world.join(await mailed(acme));
    expect(text).toContain('It is in the organization <strong>Evil</strong>');
    const [, leave = ''] = /-X DELETE '([^']+)'/.exec(text) ?? [];
    expect((await api.as(keyIn(text)).send('delete', new URL(leave).pathname)).status).toBe(204);
    expect((await userOf()).memberships.map(({ organizationId }) => organizationId)).toEqual([acme.organizationId]);
  });

  test('an owner beside another owner becomes a member, who can leave; the last owner stays one', async () => {
    const { id: userId } = await userOf();
    await api.prisma.membership.updateMany({ where: { userId }, data: { level: 15 } });
    const { text } = await world.join(await mailed(acme));
    const levels = async () =>
      (await userOf()).memberships
        .map(({ organizationId, level }) => [organizationId === evil.organizationId ? 'Evil' : 'Acme', level])
        .sort();
    expect(await levels()).toEqual([
      ['Acme', 1],
      ['Evil', 1],
    ]);
    const [, leave = ''] = /-X DELETE '([^']+)'/.exec(text) ?? [];
    expect((await api.as(keyIn(text)).send('delete', new URL(leave).pathname)).status).toBe(204);
    expect(await levels()).toEqual([['Acme', 1]]);
    await api.prisma.membership.updateMany({ where: { userId }, data: { level: 15 } });
    await api.prisma.membership.deleteMany({ where: { organizationId: acme.organizationId, userId: { not: userId } } });
    await api.admin.claimUser({ email: address });
    expect(await levels()).toEqual([['Acme', 15]]);
  });

  test('gets no mails about an organization that it was brought into, until it is proven', async () => {
    const joinEvil = async (name: string) => {
      const target_email = `${name}-${count}@x.example`;
      const { id } = await invite(evil, { target_email, send_email: false });
      const { link } = (
        await api
          .as(evil.key)
          .send<InviteReply>('post', `/api/organizations/${evil.organizationId}/invites/${id}/copy_link`)
      ).body;
      await world.join(tokenIn(link));
      // Notices are sent after the answer; that of the owner is the last sign of this one.
      await eventually(() =>
        Promise.resolve(
          expect(
            world.mail.sent.filter(({ to, text }) => to !== address && text.includes('Evil')).length,
          ).toBeGreaterThan(0),
        ),
      );
    };
    const notices = () => world.mail.sent.filter(({ to, subject }) => to === address && subject.includes('joined'));
    await joinEvil('puppet');
    expect(notices()).toEqual([]);
    await world.join(await mailed(acme));
    world.mail.sent.length = 0;
    await joinEvil('another');
    await eventually(() => Promise.resolve(expect(notices()).toHaveLength(1)));
  });

  test('run tokens and invites that were made with it end, and both organizations can read of it', async () => {
    const base = `/api/projects/${evil.projectId}/endpoints`;
    await api
      .as(stolen)
      .send('post', base)
      .send({ name: 'n', query: { kind: 'HogQLQuery', query: 'SELECT 1' } });
    const { value } = (await api.as(stolen).send<{ value: string }>('post', `${base}/n/tokens`).send({ label: 'Kept' }))
      .body;
    const { id } = (
      await api
        .as(stolen)
        .send<InviteReply>('post', `/api/organizations/${evil.organizationId}/invites`)
        .send({ target_email: `friend-${address}` })
    ).body;
    const run = async () => (await api.as(value).send('post', `${base}/n/run`).send({})).status;
    expect(await run()).toBe(200);
    await world.join(await mailed(acme));
    await eventually(async () => expect(await run()).toBe(401));
    expect(await api.prisma.organizationInvite.count({ where: { id } })).toBe(0);
    const entries = await api.prisma.activityLogEntry.findMany({
      where: {
        actor: address,
        organizationId: evil.organizationId,
        itemType: { in: ['user', 'personal_api_key', 'endpoint_token', 'invite'] },
      },
      orderBy: { id: 'asc' },
    });
    expect(entries.slice(-5).map(({ itemType, activity }) => `${itemType} ${activity}`)).toEqual([
      'personal_api_key deleted',
      'endpoint_token deleted',
      'invite deleted',
      'user updated',
      'personal_api_key created',
    ]);
    expect(entries.at(-2)).toMatchObject({
      before: { is_email_verified: false },
      after: { is_email_verified: true, claimed: true },
    });
    expect(
      await api.prisma.activityLogEntry.count({
        where: { organizationId: acme.organizationId, itemType: 'member', activity: 'created', actor: address },
      }),
    ).toBe(1);
  });

  test('is not given by another copied link, of any person', async () => {
    const token = await copied(acme);
    expect(await show(token)).toContain('You have an account already');
    expect(keyIn((await world.join(token)).text)).toBe('');
    expect([await statusOf(stolen), (await userOf()).isEmailVerified]).toEqual([200, false]);
  });

  test('once it is proven, no mailed link takes it away', async () => {
    const key = keyIn((await world.join(await mailed(acme))).text);
    const other = await api.seed('Third');
    const token = await mailed(other);
    expect(await show(token)).toContain('You have an account already');
    expect(keyIn((await world.join(token)).text)).toBe('');
    expect((await api.as(key).send('post', `/api/invites/${token}/accept`)).status).toBe(200);
  });

  test('of two mailed links that are opened at once, one claims it', async () => {
    const third = await api.seed('Third');
    const tokens = [await mailed(acme), await mailed(third)];
    const pages = await Promise.all(tokens.map((token) => world.join(token)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    const keys = pages.map(({ text }) => keyIn(text)).filter((key) => key !== '');
    expect(keys).toHaveLength(1);
    await isEnded(stolen);
    expect([await statusOf(keys[0] ?? ''), (await userOf()).personalApiKeys.length]).toEqual([200, 1]);
  });

  test('keys that are made while it is claimed end too', async () => {
    const token = await mailed(acme);
    const making = Array.from({ length: 12 }, (_, at) =>
      api
        .as(stolen)
        .send<{ value: string }>('post', '/api/personal_api_keys/')
        .send({ label: `Kept ${at}`, scopes: ['*'] }),
    );
    const [claimed, ...made] = await Promise.all([world.join(token), ...making]);
    expect(claimed.status).toBe(200);
    expect(new Set(made.map(({ status }) => (status === 201 || status === 401 ? 'made or refused' : status)))).toEqual(
      new Set(['made or refused']),
    );
    const held = made.flatMap(({ status, body }) => (status === 201 ? [body.value] : []));
    await Promise.all(held.map(isEnded));
    expect((await userOf()).personalApiKeys).toHaveLength(1);
  });

  test.each<[string, string, number]>([
    ['run token', 'key', 401],
    ['run token', 'membership', 403],
    ['invite', 'key', 401],
    ['invite', 'membership', 403],
    ['copied link', 'key', 401],
    ['copied link', 'membership', 403],
  ])('no %s is made by a call that waits while the %s ends', async (kind, ends, status) => {
    const base = `/api/projects/${evil.projectId}/endpoints`;
    await api
      .as(stolen)
      .send('post', base)
      .send({ name: 'n', query: { kind: 'HogQLQuery', query: 'SELECT 1' } });
    const { id } = await userOf();
    const others = await invite(evil, { target_email: `other-${address}`, send_email: false });
    if (kind === 'copied link') {
      await api.prisma.membership.updateMany({ where: { userId: id }, data: { level: 8 } });
      const organization = () =>
        api.as(stolen).send<{ membership_level: number }>('get', `/api/organizations/${evil.organizationId}`);
      await eventually(async () => expect((await organization()).body.membership_level).toBe(8));
    }
    const making = await api.prisma.$transaction(
      async (transaction) => {
        await transaction.$queryRaw`SELECT FROM users WHERE id = ${id} FOR UPDATE`;
        const invites = `/api/organizations/${evil.organizationId}/invites`;
        const [path, body] =
          kind === 'run token'
            ? [`${base}/n/tokens`, { label: 'Kept' }]
            : kind === 'invite'
              ? [invites, { target_email: `friend-${address}` }]
              : [`${invites}/${others.id}/copy_link`, {}];
        const made = api
          .as(stolen)
          .send('post', path)
          .send(body)
          .then((reply) => reply.status);
        const waits = () =>
          api.prisma.$queryRaw<
            object[]
          >`SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
        await eventually(async () => expect((await waits()).length).toBeGreaterThan(0));
        if (ends === 'membership') await transaction.membership.deleteMany({ where: { userId: id } });
        else await transaction.personalApiKey.deleteMany({ where: { userId: id } });
        return { made };
      },
      { timeout: 20_000 },
    );
    const createdBy = { where: { createdById: id } };
    expect([
      await making.made,
      await api.prisma.endpointToken.count(createdBy),
      await api.prisma.organizationInvite.count(createdBy),
    ]).toEqual([status, 0, 0]);
    expect(await api.prisma.organizationInvite.findUnique({ where: { id: others.id } })).toMatchObject({
      copiedTokenHash: null,
    });
  });

  test('a user who is switched off does not come back by an invite or a link of theirs', async () => {
    address = `second-${address}`;
    const link = await copied(acme, 8);
    await api.admin.updateUser({ email: acme.email, isActive: false });
    expect(await show(link)).toContain('This invite link is no longer valid');
    const entries = await api.prisma.activityLogEntry.findMany({
      where: { organizationId: acme.organizationId, actor: 'command line', itemType: 'invite' },
    });
    expect(entries).toMatchObject([{ activity: 'deleted', before: { target_email: address, level: 8 } }]);
  });

  test('one that the operator switched off is not switched on by a mail', async () => {
    await api.admin.updateUser({ email: address, isActive: false });
    const token = await mailed(acme);
    expect(await show(token)).toContain('You have an account already');
    expect(keyIn((await world.join(token)).text)).toBe('');
  });
});

describe('the operator\u2019s word counts like a mail', () => {
  test('a user of the command line loses nothing by a mailed link', async () => {
    const mine = await api.seed('Mine');
    address = mine.email;
    const token = await mailed(acme);
    expect(keyIn((await world.join(token)).text)).toBe('');
    expect(await statusOf(mine.key)).toBe(200);
  });

  test('an address that the operator gave an account counts as theirs', async () => {
    const before = address;
    address = `new-${before}`;
    await api.admin.updateUser({ email: before, newEmail: address });
    expect((await userOf()).isEmailVerified).toBeNull();
    expect(keyIn((await world.join(await mailed(acme))).text)).toBe('');
  });

  test('the command line hands an account to its owner', async () => {
    const { key, email, organizations } = await api.admin.claimUser({ email: address.toUpperCase() });
    expect([email, organizations]).toEqual([address, [{ id: evil.organizationId, name: 'Evil' }]]);
    await isEnded(stolen);
    expect([await statusOf(key), (await userOf()).isEmailVerified]).toEqual([200, null]);
  });
});
