import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';

let api: TestApi;
let acme: Seed;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
});
afterAll(() => api?.stop());

const pathOf = ({ organizationId }: Seed): string => `/api/organizations/${organizationId}/`;
interface Listed {
  count: number;
  results: { id: string; membership_level: number }[];
}

describe('an organization over HTTP', () => {
  test('begins with the settings of contract/decisions 20, and nobody has decided about AI', async () => {
    const { body } = await api.as(acme.key).send('get', pathOf(acme));
    expect(body).toMatchObject({
      name: 'Acme',
      membership_level: 15,
      members_can_invite: true,
      members_can_see_org_members: true,
      enforce_verified_domains: false,
      is_ai_data_processing_approved: null,
    });
  });

  test('is changed by administrators, field by field; only what changed is written down', async () => {
    const wanted = {
      name: 'Acme & Sons',
      members_can_invite: false,
      is_ai_data_processing_approved: true,
      enforce_verified_domains: false,
      unknown: 1,
    };
    const { status, body } = await api.as(acme.key).send('patch', pathOf(acme)).send(wanted);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        name: 'Acme & Sons',
        members_can_invite: false,
        members_can_see_org_members: true,
        is_ai_data_processing_approved: true,
      }),
    ]);
    await api.as(acme.key).send('patch', pathOf(acme)).send({ is_ai_data_processing_approved: null });
    await api.as(acme.key).send('patch', pathOf(acme)).send({});
    const entries = await api.prisma.activityLogEntry.findMany({
      where: { itemType: 'organization', itemId: acme.organizationId, activity: 'updated' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ before, after }) => [before, after])).toEqual([
      [
        { name: 'Acme', members_can_invite: true, is_ai_data_processing_approved: null },
        { name: 'Acme & Sons', members_can_invite: false, is_ai_data_processing_approved: true },
      ],
      [{ is_ai_data_processing_approved: true }, { is_ai_data_processing_approved: null }],
    ]);
  });

  test('of many changes at once, each is written down from what was before it', async () => {
    const { organizationId, key } = await api.seed('Busy');
    await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) =>
        api
          .as(key)
          .send('patch', `/api/organizations/${organizationId}/`)
          .send({ name: `Busy ${n}` }),
      ),
    );
    const entries = await api.prisma.activityLogEntry.findMany({
      where: { organizationId, itemType: 'organization', activity: 'updated' },
    });
    const befores = entries.map(({ before }) => (before as { name: string }).name);
    expect([befores.length, new Set(befores).size, befores.includes('Busy')]).toEqual([6, 6, true]);
  });

  test('plain members read it and change nothing', async () => {
    await api.admin.createUser({
      organizationId: acme.organizationId,
      email: 'plain@example.com',
      firstName: 'P',
      level: 1,
    });
    const { key } = await api.admin.createKey({ email: 'plain@example.com', scopes: ['*'] });
    expect((await api.as(key).send('get', pathOf(acme))).status).toBe(200);
    expect((await api.as(key).send('patch', pathOf(acme)).send({ name: 'Mine' })).status).toBe(403);
  });

  test('the list has the organizations of the user that the key opens', async () => {
    const other = await api.seed('Other');
    await api.prisma.membership.create({
      data: {
        id: crypto.randomUUID(),
        organizationId: other.organizationId,
        userId: acme.userId,
        level: 1,
        joinedAt: new Date(Date.now() + 1000),
      },
    });
    const list = async (key: string) => await api.as(key).send<Listed>('get', '/api/organizations/');
    expect((await list(acme.key)).body.results.map(({ id, membership_level }) => [id, membership_level])).toEqual([
      [acme.organizationId, 15],
      [other.organizationId, 1],
    ]);
    const limited = await api.admin.createKey({
      email: acme.email,
      scopes: ['organization:read'],
      organizations: [other.organizationId],
    });
    expect((await list(limited.key)).body).toMatchObject({ count: 1, results: [{ id: other.organizationId }] });
    const toProject = await api.admin.createKey({
      email: acme.email,
      scopes: ['organization:read'],
      projects: [acme.projectId],
    });
    expect((await list(toProject.key)).status).toBe(403);
  });
});
