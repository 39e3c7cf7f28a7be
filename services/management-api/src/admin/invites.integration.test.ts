import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../test/test-api.ts';

let api: TestApi;
let acme: Seed;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
});
afterAll(() => api?.stop());

const apiUrl = 'https://m.example';
const nobody = '00000000-0000-4000-8000-000000000000';
const create = (wanted: object) =>
  api.admin.createInvite({
    organizationId: acme.organizationId,
    email: 'bob@x.example',
    level: 1,
    inviteDays: 3,
    apiUrl,
    ...wanted,
  });
const list = () => api.admin.listInvites({ organizationId: acme.organizationId, inviteDays: 3 });

test('an invite of the command line opens by the link that it prints, until it is withdrawn', async () => {
  const made = await create({ email: 'Bob@X.Example', firstName: 'Bob', level: 15 });
  expect(made).toMatchObject({
    email: 'Bob@x.example',
    level: 15,
    emailingAttemptMade: false,
    isExpired: false,
    createdBy: null,
    link: expect.stringMatching(/^https:\/\/m\.example\/invites\/\w{40,}$/),
  });
  const { link, ...shown } = made;
  expect(await list()).toEqual([shown]);
  const page = async (url: string) => (await api.as(undefined).send('get', new URL(url).pathname)).text;
  expect(await page(link)).toContain('An administrator invites');
  const copied = await api.admin.copyInviteLink({ id: made.inviteId, inviteDays: 3, apiUrl });
  expect([(await page(link)).includes('<form'), (await page(copied.link)).includes('<form')]).toEqual([false, true]);
  await api.admin.deleteInvite({ id: made.inviteId });
  expect([await list(), await page(copied.link)]).toEqual([
    [],
    expect.stringContaining('This invite link is no longer valid'),
  ]);
  const entries = await api.prisma.activityLogEntry.findMany({
    where: { itemId: made.inviteId },
    orderBy: { id: 'asc' },
  });
  expect(
    entries.map(({ actor, activity, after }) => [
      actor,
      activity,
      (after as { link_copied?: boolean } | null)?.link_copied,
    ]),
  ).toEqual(
    [
      ['created', undefined],
      ['updated', true],
      ['updated', true],
      ['deleted', undefined],
    ].map((entry) => ['command line', ...entry]),
  );
});

test.each<[string, () => Promise<unknown>, string]>([
  ['an unknown organization', () => create({ organizationId: nobody }), 'no organization with the id'],
  ['a bad address', () => create({ email: 'bob' }), 'valid email'],
  ['an unknown level', () => create({ level: 2 }), 'not a valid choice'],
  ['a member', () => create({ email: acme.email }), 'has this email address already'],
  ['an unknown invite', () => api.admin.deleteInvite({ id: nobody }), 'no invite with the id'],
  ['no id of an invite', () => api.admin.copyInviteLink({ id: 'x', inviteDays: 3, apiUrl }), 'no invite with the id'],
  [
    'an expired invite',
    async () => {
      const { inviteId: id } = await create({});
      await api.prisma.organizationInvite.update({ where: { id }, data: { createdAt: new Date(0) } });
      return api.admin.copyInviteLink({ id, inviteDays: 3, apiUrl });
    },
    'has expired',
  ],
])('%s has a plain message', async (_name, work, words) => {
  await expect(work()).rejects.toThrow(words);
});
