import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { addMember, startInviteApi } from '../../../test/invite-world.ts';
import type { Seed } from '../../../test/test-api.ts';

// However much somebody has made, whoever ends their membership or account comes through: all of it ends with them, within seconds.

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
  eve = await addMember(api, acme, `Many${(count += 1)}`, 1);
});

const usual = 20_000;
let made = usual;
const msMax = 9_000;
const member = () => `/api/organizations/${acme.organizationId}/members/${eve.userUuid}`;
const invitesLeft = () => api.prisma.organizationInvite.count({ where: { createdById: eve.userId } });
const tokensLeft = () => api.prisma.endpointToken.count({ where: { createdById: eve.userId } });
const keysLeft = () => api.prisma.personalApiKey.count({ where: { userId: eve.userId } });
const ended = (itemType: string) =>
  api.prisma.activityLogEntry.count({ where: { organizationId: acme.organizationId, itemType, activity: 'deleted' } });

const makeInvites = () => api.prisma.$executeRaw`
  INSERT INTO organization_invites (id, organization_id, target_email, level, created_by_id, updated_at)
  SELECT gen_random_uuid(), ${acme.organizationId}::uuid, 'n' || n || '@x.example', 1, ${eve.userId}, now() FROM generate_series(1, ${made}::integer) AS n`;

async function makeTokens(): Promise<void> {
  const base = `/api/projects/${acme.projectId}/endpoints`;
  expect(
    (
      await api
        .as(eve.key)
        .send('post', base)
        .send({ name: 'n', query: { kind: 'HogQLQuery', query: 'SELECT 1' } })
    ).status,
  ).toBe(201);
  await api.prisma.$executeRaw`
    INSERT INTO endpoint_tokens (id, endpoint_id, label, secure_value, mask_value, created_by_id)
    SELECT gen_random_uuid(), e.id, 'one of many', gen_random_uuid()::text, 'phr_...', ${eve.userId}
    FROM generate_series(1, ${made}::integer), endpoints e WHERE e.project_id = ${acme.projectId}`;
}

const makeKeys = () => api.prisma.$executeRaw`
  INSERT INTO personal_api_keys (id, label, secure_value, mask_value, user_id, scopes)
  SELECT 'many' || ${count}::integer || 'x' || n, 'one of many', gen_random_uuid()::text, 'phx_...', ${eve.userId}, '{*}' FROM generate_series(1, ${made}::integer) AS n`;

async function within(work: () => Promise<unknown>): Promise<void> {
  const begunMs = performance.now();
  await work();
  expect(performance.now() - begunMs).toBeLessThan(msMax);
}

const remove = async () => expect((await api.as(acme.key).send('delete', member())).status).toBe(204);

describe('a user makes no more than can be ended at once', () => {
  beforeEach(() => {
    made = 10_000;
  });
  afterEach(() => {
    made = usual;
  });
  const refused = [403, 'permission_denied'];

  test('10,000 invites in an organization, however many are made at once', async () => {
    await api.prisma.$executeRaw`
      INSERT INTO organization_invites (id, organization_id, target_email, level, created_by_id, updated_at)
      SELECT gen_random_uuid(), ${acme.organizationId}::uuid, 'n' || n || '@x.example', 1, ${eve.userId}, now() FROM generate_series(1, 9999) AS n`;
    const path = `/api/organizations/${acme.organizationId}/invites`;
    const invite = (name: string, key = eve.key) =>
      api
        .as(key)
        .send('post', path)
        .send({ target_email: `${name}@y.example`, send_email: false });
    expect((await Promise.all([invite('a'), invite('b'), invite('c')])).map(({ status }) => status).sort()).toEqual([
      201, 403, 403,
    ]);
    const list = await api
      .as(eve.key)
      .send('post', `${path}/bulk`)
      .send([{ target_email: 'd@y.example', send_email: false }]);
    expect([list.status, list.body.code]).toEqual(refused);
    expect((await invite('e', acme.key)).status).toBe(201);
  });

  test('10,000 keys', async () => {
    await makeKeys();
    const { status, body } = await api
      .as(eve.key)
      .send('post', '/api/personal_api_keys')
      .send({ label: 'more', scopes: ['*'] });
    expect([status, body.code]).toEqual(refused);
  });

  test('50,000 run tokens', async () => {
    made = 50_000;
    await makeTokens();
    const { status, body } = await api
      .as(eve.key)
      .send('post', `/api/projects/${acme.projectId}/endpoints/n/tokens`)
      .send({ label: 'more' });
    expect([status, body.code]).toEqual(refused);
    await within(remove);
    expect([await tokensLeft(), await ended('endpoint_token')]).toEqual([0, made]);
  });
});

test('the member who made very many invites is removed', async () => {
  await makeInvites();
  await within(remove);
  expect([await invitesLeft(), await ended('invite')]).toEqual([0, made]);
});

test('the member who made very many run tokens is removed', async () => {
  await makeTokens();
  await within(remove);
  expect([await tokensLeft(), await ended('endpoint_token')]).toEqual([0, made]);
});

test('the user who made very many invites is switched off', async () => {
  await makeInvites();
  await within(() => api.admin.updateUser({ email: eve.email, isActive: false }));
  expect([await invitesLeft(), await ended('invite')]).toEqual([0, made]);
});

test('the account that has very many keys and run tokens is claimed', async () => {
  await makeKeys();
  await makeTokens();
  await within(() => api.admin.claimUser({ email: eve.email }));
  expect([await keysLeft(), await tokensLeft(), await ended('endpoint_token')]).toEqual([1, 0, made]);
});

test('the endpoint that has very many run tokens is deleted', async () => {
  await makeTokens();
  await within(async () =>
    expect((await api.as(acme.key).send('delete', `/api/projects/${acme.projectId}/endpoints/n`)).status).toBe(204),
  );
  expect(await tokensLeft()).toBe(0);
});
