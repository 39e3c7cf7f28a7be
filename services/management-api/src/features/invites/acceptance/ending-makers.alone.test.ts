import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { addMember, keyIn, startInviteApi, tokenIn, type InviteReply } from '../../../test/invite-world.ts';
import type { Seed } from '../../../test/test-api.ts';
import { findByToken } from '../invite-store.ts';

// A key in the wrong hands is used as fast as it goes. Whoever ends it, its user's membership or the account comes through all the
// same, within seconds, and nothing that was made beside it stays.

type World = Awaited<ReturnType<typeof startInviteApi>>;

let world: World;
let api: World['api'];
let acme: Seed;
let eve: Awaited<ReturnType<typeof addMember>>;
let count = 0;
beforeAll(async () => {
  world = await startInviteApi();
  api = world.api;
});
afterAll(() => api?.stop());
beforeEach(async () => {
  acme = await api.seed('Acme');
  eve = await addMember(api, acme, `Eve${(count += 1)}`, 8);
  world.mail.sent.length = 0;
});

const atOnce = 20;
const msMax = 9_000;
const invites = (of: Seed) => `/api/organizations/${of.organizationId}/invites`;
const member = () => `/api/organizations/${acme.organizationId}/members/${eve.userUuid}`;

/** Calls again and again, `atOnce` at a time, until the calls are refused; meanwhile does the work and answers how long that took. */
async function during(call: () => PromiseLike<{ status: number }>, work: () => Promise<unknown>): Promise<number> {
  const over = new AbortController();
  let calls = 0;
  async function loop(): Promise<void> {
    while (!over.signal.aborted && (await call()).status < 400) calls += 1;
  }
  const loops = Array.from({ length: atOnce }, loop);
  await eventually(() => Promise.resolve(expect(calls).toBeGreaterThan(2 * atOnce)));
  const begunMs = performance.now();
  try {
    await work();
    return performance.now() - begunMs;
  } finally {
    over.abort();
    await Promise.all(loops);
  }
}

async function makesTokens(of: Seed, key: string): Promise<() => PromiseLike<{ status: number }>> {
  const base = `/api/projects/${of.projectId}/endpoints`;
  expect(
    (
      await api
        .as(key)
        .send('post', base)
        .send({ name: 'n', query: { kind: 'HogQLQuery', query: 'SELECT 1' } })
    ).status,
  ).toBe(201);
  return () => api.as(key).send('post', `${base}/n/tokens`).send({ label: 'one of many' });
}

/** Links that copying made: those that still open something. */
async function copiesLinks(): Promise<{ call: () => PromiseLike<{ status: number }>; open: () => Promise<string[]> }> {
  const { id } = (await world.invite(acme, { target_email: `new-${count}@x.example`, level: 8, send_email: false }))
    .body;
  const links: string[] = [];
  return {
    async call() {
      const reply = await api.as(eve.key).send<InviteReply>('post', `${invites(acme)}/${id}/copy_link`);
      if (reply.status === 200) links.push(reply.body.link);
      return reply;
    },
    async open() {
      expect(links.length).toBeGreaterThan(0);
      const found = await Promise.all(
        links.map(async (link) => ((await findByToken(api.prisma, tokenIn(link))) === null ? [] : [link])),
      );
      return found.flat();
    },
  };
}

describe('while run tokens are made as fast as it goes', () => {
  const tokensLeft = () => api.prisma.endpointToken.count({ where: { createdById: eve.userId } });

  test('the key is revoked by another key of its user', async () => {
    const { id } = await api.prisma.personalApiKey.findFirstOrThrow({ where: { userId: eve.userId } });
    const { key: other } = await api.admin.createKey({ email: eve.email, scopes: ['*'] });
    const ms = await during(await makesTokens(acme, eve.key), async () =>
      expect((await api.as(other).send('delete', `/api/personal_api_keys/${id}`)).status).toBe(204),
    );
    expect(ms).toBeLessThan(msMax);
  });

  test('the key is revoked by the command line', async () => {
    const { id } = await api.prisma.personalApiKey.findFirstOrThrow({ where: { userId: eve.userId } });
    expect(await during(await makesTokens(acme, eve.key), () => api.admin.revokeKey({ id }))).toBeLessThan(msMax);
  });

  test('the member is removed, and no token stays', async () => {
    expect(
      await during(await makesTokens(acme, eve.key), async () =>
        expect((await api.as(acme.key).send('delete', member())).status).toBe(204),
      ),
    ).toBeLessThan(msMax);
    expect(await tokensLeft()).toBe(0);
  });

  test('the account is claimed by the command line, and no token stays', async () => {
    expect(
      await during(await makesTokens(acme, eve.key), () => api.admin.claimUser({ email: eve.email })),
    ).toBeLessThan(msMax);
    expect(await tokensLeft()).toBe(0);
  });

  test('the account is claimed by a mailed link', async () => {
    const evil = await api.seed('Evil');
    const address = `victim-${count}@x.example`;
    const { id } = (await world.invite(evil, { target_email: address, send_email: false })).body;
    const { link } = (await api.as(evil.key).send<InviteReply>('post', `${invites(evil)}/${id}/copy_link`)).body;
    const stolen = keyIn((await world.join(tokenIn(link))).text);
    await world.invite(acme, { target_email: address });
    const mailed = tokenIn(world.mail.sent.findLast(({ to }) => to === address)?.text ?? '');
    expect(
      await during(await makesTokens(evil, stolen), async () =>
        expect(keyIn((await world.join(mailed)).text)).not.toBe(''),
      ),
    ).toBeLessThan(msMax);
  });
});

describe('while links of invites are copied as fast as it goes', () => {
  test('the administrator is removed, and no link stays', async () => {
    const { call, open } = await copiesLinks();
    expect(
      await during(call, async () => expect((await api.as(acme.key).send('delete', member())).status).toBe(204)),
    ).toBeLessThan(msMax);
    expect(await open()).toEqual([]);
  });

  test('the administrator becomes a member, and no link to a higher level stays', async () => {
    const { call, open } = await copiesLinks();
    expect(
      await during(call, async () =>
        expect((await api.as(acme.key).send('patch', member()).send({ level: 1 })).status).toBe(200),
      ),
    ).toBeLessThan(msMax);
    expect(await open()).toEqual([]);
  });

  test('the user is switched off, and no link stays', async () => {
    const { call, open } = await copiesLinks();
    expect(await during(call, () => api.admin.updateUser({ email: eve.email, isActive: false }))).toBeLessThan(msMax);
    expect(await open()).toEqual([]);
  });
});

test('an invite that waits while its maker is switched off is not made', async () => {
  const making = await api.prisma.$transaction(
    async (transaction) => {
      await transaction.$queryRaw`SELECT FROM organizations WHERE id = ${acme.organizationId}::uuid FOR NO KEY UPDATE`;
      const reply = api
        .as(eve.key)
        .send<InviteReply>('post', invites(acme))
        .send({ target_email: `mine-${count}@x.example`, level: 8 })
        .then(({ status }) => status);
      await waitsForLock();
      await transaction.user.update({ where: { id: eve.userId }, data: { isActive: false } });
      return { reply };
    },
    { timeout: 20_000 },
  );
  expect(await making.reply).toBe(401);
  expect([await api.prisma.organizationInvite.count({ where: { createdById: eve.userId } }), world.mail.sent]).toEqual([
    0,
    [],
  ]);
});

test('keys that wait while the key they are made with is rolled are not made', async () => {
  const { id } = await api.prisma.personalApiKey.findFirstOrThrow({ where: { userId: eve.userId } });
  const made = await api.prisma.$transaction(
    async (transaction) => {
      await transaction.$queryRaw`SELECT FROM users WHERE id = ${eve.userId} FOR NO KEY UPDATE`;
      const reply = api
        .as(eve.key)
        .send('post', '/api/personal_api_keys')
        .send({ label: 'mine', scopes: ['*'] })
        .then(({ status }) => status);
      await waitsForLock();
      await transaction.personalApiKey.update({ where: { id }, data: { secureValue: `rolled-${count}` } });
      return { reply };
    },
    { timeout: 20_000 },
  );
  expect(await made.reply).toBe(401);
  expect(await api.prisma.personalApiKey.count({ where: { userId: eve.userId } })).toBe(1);
});

/** A statement of this test's database waits for a lock. */
async function waitsForLock(): Promise<void> {
  await eventually(async () => {
    const [row] = await api.prisma.$queryRaw<
      { waiting: bigint }[]
    >`SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    expect(Number(row?.waiting)).toBeGreaterThan(0);
  });
}
