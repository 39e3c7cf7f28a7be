import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { addMember, keyIn, refusalOf, startInviteApi, tokenIn, type InviteReply } from '../../../test/invite-world.ts';
import type { Seed } from '../../../test/test-api.ts';

type World = Awaited<ReturnType<typeof startInviteApi>>;

let world: World;
let api: World['api'];
let acme: Seed;
let other: Seed;
let address: string;
beforeAll(async () => {
  world = await startInviteApi();
  api = world.api;
});
afterAll(() => api?.stop());
beforeEach(async () => {
  acme = await api.seed('Acme');
  other = await api.seed('Other');
  address = `new-${acme.projectId}@x.example`;
  world.mail.sent.length = 0;
  world.mail.fails = false;
  world.time.aheadMs = 0;
});

const invites = () => `/api/organizations/${acme.organizationId}/invites`;
// How often mails go out has tests of its own.
const invite = async (body: object) => {
  await world.forgetMails();
  return await world.invite(acme, body);
};
async function invited(email: string, more: object = {}): Promise<string> {
  expect((await invite({ target_email: email, ...more })).status).toBe(201);
  return tokenIn(world.mail.sent.findLast(({ to }) => to.toLowerCase() === email.toLowerCase())?.text ?? '');
}
const accept = (token: string, key: string) =>
  api.as(key).send<InviteReply & { organization: object }>('post', `/api/invites/${token}/accept`);
const show = async (token: string) => (await api.as(undefined).send('get', `/invites/${token}`)).text;
const userOf = (email: string) =>
  api.prisma.user.findFirst({
    where: { email },
    include: { memberships: true, projectAccess: true, personalApiKeys: true },
  });
const count = async () => await api.prisma.organizationInvite.count({ where: { organizationId: acme.organizationId } });

describe('a person without an account opens the link', () => {
  test('looking changes nothing; the form makes a user with a key, shown once', async () => {
    const secret = await api.admin.createProject({ organizationId: acme.organizationId, name: 'Secret' });
    const gone = await api.admin.createProject({ organizationId: acme.organizationId, name: 'Gone' });
    const grants = [
      { id: secret.projectId, level: 'admin' },
      { id: gone.projectId, level: 'member' },
      { id: acme.projectId, level: 'none' },
    ];
    const token = await invited(address, { first_name: 'Bobby', private_project_access: grants });
    await api.admin.deleteProject({ projectId: gone.projectId });
    for (const page of [await show(token), await show(token)])
      expect(page).toContain('name="first_name" value="Bobby"');
    expect([await count(), await userOf(address)]).toEqual([1, null]);

    const { status, text, headers } = await world.join(token);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    const user = await userOf(address);
    expect(user).toMatchObject({
      firstName: 'Olga',
      lastName: 'Owner',
      isEmailVerified: true,
      currentOrganizationId: acme.organizationId,
      currentProjectId: acme.projectId,
    });
    expect(user?.memberships).toMatchObject([{ organizationId: acme.organizationId, level: 1 }]);
    expect(user?.projectAccess).toEqual([{ projectId: secret.projectId, userId: user?.id, level: 'admin' }]);
    expect(await count()).toBe(0);

    const key = keyIn(text);
    expect((await api.as(key).send('get', invites())).status).toBe(200);
    expect((await api.as(key).send('get', '/api/projects/@current/endpoints')).status).toBe(200);
    expect(await show(token)).toContain('This invite link is no longer valid');
    expect((await world.join(token)).text).not.toContain('phx_');
  });

  test('all others are notified by mail, and the log names the created objects', async () => {
    const plain = await addMember(api, acme, 'Plain', 1);
    const gone = await addMember(api, acme, 'Gone', 1);
    await api.prisma.user.update({ where: { id: gone.userId }, data: { isActive: false } });
    await world.join(await invited(address));
    await eventually(() => expect(world.mail.sent.slice(1).map(({ to }) => to)).toEqual([acme.email, plain.email]));
    expect(world.mail.sent[1]?.subject).toBe(`Olga (${address}) joined Acme`);
    const entries = await api.prisma.activityLogEntry.findMany({
      where: { organizationId: acme.organizationId, actor: address },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ itemType, activity }) => `${itemType} ${activity}`)).toEqual([
      'user created',
      'personal_api_key created',
      'invite accepted',
      'member created',
    ]);
  });

  test('members who may not see the others are not notified', async () => {
    await addMember(api, acme, 'Plain', 1);
    const boss = await addMember(api, acme, 'Boss', 8);
    await api.prisma.organization.update({
      where: { id: acme.organizationId },
      data: { membersCanSeeOrgMembers: false },
    });
    await world.join(await invited(address));
    await eventually(() => expect(world.mail.sent.slice(1).map(({ to }) => to)).toEqual([acme.email, boss.email]));
  });

  test('mails that fail keep nobody out', async () => {
    const token = await invited(address);
    world.mail.fails = true;
    expect(keyIn((await world.join(token)).text)).not.toBe('');
  });

  test.each<[string, string, string]>([
    ['no first name', 'last_name=Bee', 'first name is missing'],
    ['a blank first name', 'first_name=+', 'first name is missing'],
    ['a long name', `first_name=${'a'.repeat(151)}`, 'at most 150'],
    ['a script for a name', `first_name=${encodeURIComponent('"><script>')}${'a'.repeat(150)}`, 'at most 150'],
  ])('%s: the form again, and nobody joins', async (_name, form, words) => {
    const token = await invited(address);
    const { text } = await world.join(token, form);
    expect(text).toContain(words);
    expect(text).not.toContain('<script');
    expect([await count(), await userOf(address)]).toEqual([1, null]);
  });

  test('a form that another site sends is not taken', async () => {
    const token = await invited(address);
    for (const site of ['cross-site', 'same-site'])
      expect((await world.join(token).set('Sec-Fetch-Site', site)).text).toContain('sent from another page');
    expect(await userOf(address)).toBeNull();
    expect(keyIn((await world.join(token).set('Sec-Fetch-Site', 'same-origin')).text)).not.toBe('');
  });

  test('by a copied link the address counts as not verified, and the key opens this organization alone', async () => {
    const { id } = (await invite({ target_email: address, send_email: false })).body;
    const { link } = (await api.as(acme.key).send<InviteReply>('post', `${invites()}/${id}/copy_link`)).body;
    const key = keyIn((await world.join(tokenIn(link))).text);
    expect(await userOf(address)).toMatchObject({
      isEmailVerified: false,
      personalApiKeys: [{ scopes: ['*'], scopedOrganizations: [acme.organizationId] }],
    });
    expect((await api.as(key).send('get', invites())).status).toBe(200);
    // Whoever copied the link may hold the key: it must not let them into what its user is invited to later.
    await api
      .as(other.key)
      .send('post', `/api/organizations/${other.organizationId}/invites`)
      .send({ target_email: address });
    const later = tokenIn(world.mail.sent.findLast(({ to }) => to === address)?.text ?? '');
    expect((await accept(later, key)).body.detail).toBe(
      `This API key has no access to organization ${other.organizationId}.`,
    );
  });

  test('of two concurrent sends of the form, one joins', async () => {
    const token = await invited(address);
    const keys = (await Promise.all(Array.from({ length: 6 }, () => world.join(token)))).map(({ text }) => keyIn(text));
    expect(keys.filter((key) => key !== '')).toHaveLength(1);
    expect((await userOf(address))?.memberships).toHaveLength(1);
  });

  test('invited by two organizations, and joining both at once, it is one user', async () => {
    const one = await invited(address);
    await api
      .as(other.key)
      .send('post', `/api/organizations/${other.organizationId}/invites`)
      .send({ target_email: address.toUpperCase() });
    const two = tokenIn(world.mail.sent.at(-1)?.text ?? '');
    const replies = await Promise.all([world.join(one), world.join(two)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(
      await api.prisma.user.count({
        where: {
          email: { in: [address, address.toUpperCase(), address.toUpperCase().replace('X.EXAMPLE', 'x.example')] },
        },
      }),
    ).toBe(1);
    expect(replies.filter(({ text }) => keyIn(text) !== '')).toHaveLength(1);
  });
});

describe('a person with an account', () => {
  test('is shown how to join with a key, and is not joined by the form', async () => {
    const token = await invited(other.email);
    expect(await show(token)).toContain(`/api/invites/${token}/accept`);
    const { text } = await world.join(token);
    expect([text.includes('You have an account already'), keyIn(text), await count()]).toEqual([true, '', 1]);
  });

  test('joins with a key, keeps what is current, and all invites of the address here are gone', async () => {
    const token = await invited(other.email.toUpperCase(), { level: 8 });
    const { status, body } = await accept(token, other.key);
    expect([status, body]).toEqual([200, { organization: { id: acme.organizationId, name: 'Acme' }, level: 8 }]);
    expect(await userOf(other.email)).toMatchObject({
      currentOrganizationId: other.organizationId,
      currentProjectId: other.projectId,
    });
    expect((await api.as(other.key).send<{ count: number }>('get', invites())).body.count).toBe(0);
    expect(refusalOf(await accept(token, other.key))).toEqual([404, 'not_found', null]);
  });

  test('reasons against it, in their order', async () => {
    const token = await invited(other.email);
    expect(refusalOf(await accept(token, acme.key))).toEqual([400, 'invalid_recipient', null]);
    world.time.aheadMs = 3 * 86_400_000 + 60_000;
    expect(refusalOf(await accept(token, acme.key))).toEqual([400, 'invalid_recipient', null]);
    expect(refusalOf(await accept(token, other.key))).toEqual([400, 'expired', null]);
    expect(await show(token)).toContain('has expired');
    world.time.aheadMs = 0;
    await api.prisma.membership.create({
      data: { id: crypto.randomUUID(), organizationId: acme.organizationId, userId: other.userId, level: 1 },
    });
    expect(refusalOf(await accept(token, other.key))).toEqual([400, 'user_already_member', null]);
    expect(await show(token)).toContain('a member of this organization already');
    expect(refusalOf(await accept('x'.repeat(43), other.key))).toEqual([404, 'not_found', null]);
  });

  test('a key that is limited to something else does not join', async () => {
    const token = await invited(other.email);
    const limits = [{ projects: [other.projectId] }, { organizations: [other.organizationId] }];
    for (const limit of limits) {
      const { key } = await api.admin.createKey({ email: other.email, scopes: ['*'], ...limit });
      expect(refusalOf(await accept(token, key))).toEqual([403, 'permission_denied', null]);
    }
    const { key } = await api.admin.createKey({
      email: other.email,
      scopes: ['organization_member:write'],
      organizations: [acme.organizationId],
    });
    expect((await accept(token, key)).status).toBe(200);
  });

  test('domains that are enforced since keep others out', async () => {
    const token = await invited(other.email);
    await api.prisma.organization.update({
      where: { id: acme.organizationId },
      data: { enforceVerifiedDomains: true },
    });
    expect(refusalOf(await accept(token, other.key))).toEqual([403, 'permission_denied', null]);
    expect((await world.join(await invitedAnyway())).text).toContain('only email addresses of its verified domains');
  });

  async function invitedAnyway(): Promise<string> {
    await api.prisma.organization.update({
      where: { id: acme.organizationId },
      data: { enforceVerifiedDomains: false },
    });
    const token = await invited(address);
    await api.prisma.organization.update({
      where: { id: acme.organizationId },
      data: { enforceVerifiedDomains: true },
    });
    return token;
  }

  test('of two calls at once one joins; one that meets a withdrawal is either before or after it', async () => {
    const token = await invited(other.email);
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => accept(token, other.key))))
      .map(({ status }) => status)
      .sort();
    expect(statuses).toEqual([200, 404, 404, 404, 404]);
    const token2 = await invited(address);
    const { id } = await api.prisma.organizationInvite.findFirstOrThrow({
      where: { organizationId: acme.organizationId },
    });
    const [joined, removed] = await Promise.all([
      world.join(token2),
      api.as(acme.key).send('delete', `${invites()}/${id}`),
    ]);
    expect([204, 404]).toContain(removed.status);
    expect((await userOf(address)) !== null).toBe(keyIn(joined.text) !== '');
    expect(await count()).toBe(0);
  });
});

describe('handing the setup over (contract/orgs-errors 2.2)', () => {
  const delegate = (email: string, more: object = {}, key = acme.key) =>
    api
      .as(key)
      .send<InviteReply>('post', `${invites()}/delegate`)
      .send({ target_email: email, ...more });
  const owner = () => api.prisma.user.findUniqueOrThrow({ where: { id: acme.userId } });

  test('makes one administrator invite with a mail of its own, and is recorded at the inviter', async () => {
    const { status, body } = await delegate(address, { message: 'Please', step_at_delegation: 'install' });
    expect([status, body.level, body.emailing_attempt_made]).toEqual([200, 8, true]);
    expect(world.mail.sent).toEqual([
      {
        to: address,
        subject: expect.stringContaining('asks you to set up Acme'),
        text: expect.stringContaining('> Please'),
      },
    ]);
    expect(await owner()).toMatchObject({
      onboardingDelegatedToInviteId: body.id,
      onboardingDelegatedToOrganizationId: acme.organizationId,
      onboardingSkippedReason: 'delegated',
      onboardingDelegationAcceptedAt: null,
    });
    expect((await owner()).onboardingSkippedAt).toBeInstanceOf(Date);
    const [entry] = await api.prisma.activityLogEntry.findMany({ where: { itemId: body.id } });
    expect(entry?.after).toMatchObject({ is_setup_delegation: true, step_at_delegation: 'install' });
  });

  test('again to the same address: the same invite, and a mail only if the first never went out', async () => {
    world.mail.fails = true;
    const first = await delegate(address);
    expect(first.body.emailing_attempt_made).toBe(false);
    world.mail.fails = false;
    const again = [await delegate(address.toUpperCase()), await delegate(address)];
    expect(again.map(({ status, body }) => [status, body.id, body.emailing_attempt_made])).toEqual([
      [200, first.body.id, true],
      [200, first.body.id, true],
    ]);
    expect(world.mail.sent.length).toBe(1);
    expect(await show(tokenIn(world.mail.sent[0]?.text ?? ''))).toContain('<form');
  });

  test('to another address, or after it has expired: the old invite is replaced', async () => {
    const first = (await delegate(address)).body;
    const second = (await delegate(`other-${address}`)).body;
    expect([await count(), (await owner()).onboardingDelegatedToInviteId]).toEqual([1, second.id]);
    world.time.aheadMs = 3 * 86_400_000 + 60_000;
    const third = (await delegate(`other-${address}`)).body;
    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
    expect([await count(), (await owner()).onboardingDelegatedToInviteId]).toEqual([1, third.id]);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['withdrawn', async (id) => await api.as(acme.key).send('delete', `${invites()}/${id}`)],
    ['replaced by an ordinary invite', async () => await invite({ target_email: address })],
  ])('an invite that is %s leaves the setup with its owner', async (_name, work) => {
    await work((await delegate(address)).body.id);
    expect(await owner()).toMatchObject({
      onboardingDelegatedToInviteId: null,
      onboardingDelegatedToOrganizationId: null,
      onboardingSkippedAt: null,
      onboardingSkippedReason: null,
    });
  });

  test('accepted, it stays handed over', async () => {
    const { id } = (await delegate(address)).body;
    await world.join(tokenIn(world.mail.sent[0]?.text ?? ''));
    const { onboardingDelegationAcceptedAt: acceptedAt, onboardingDelegatedToInviteId: inviteId } = await owner();
    expect([acceptedAt instanceof Date, inviteId]).toEqual([true, id]);
    expect((await userOf(address))?.memberships).toMatchObject([{ level: 8 }]);
  });

  test('members cannot, and members cannot be delegated to; fields have their limits', async () => {
    const plain = await addMember(api, acme, 'Plain', 1);
    expect(refusalOf(await delegate(address, {}, plain.key))).toEqual([403, 'permission_denied', null]);
    expect(refusalOf(await delegate(plain.email))).toEqual([400, 'invalid_input', null]);
    expect(refusalOf(await delegate('nobody'))).toEqual([400, 'invalid_input', 'target_email']);
    expect(refusalOf(await delegate(address, { message: 'x'.repeat(1001) }))).toEqual([400, 'max_length', 'message']);
    expect(refusalOf(await delegate(address, { step_at_delegation: 'x'.repeat(65) }))).toEqual([
      400,
      'max_length',
      'step_at_delegation',
    ]);
    expect(await count()).toBe(0);
  });

  test('two concurrent requests make one invite and one mail that opens', async () => {
    const replies = await Promise.all([delegate(address), delegate(address), delegate(address)]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    const last = world.mail.sent.at(-1)?.text ?? '';
    const pages = await Promise.all(world.mail.sent.map(({ text }) => show(tokenIn(text))));
    expect(pages.filter((page) => page.includes('<form'))).toHaveLength(1);
    expect(last).toContain('set up');
  });
});
