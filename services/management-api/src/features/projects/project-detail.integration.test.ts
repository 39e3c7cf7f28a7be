import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';
import type { moreProjectFields, projectFields } from './project-detail.ts';

interface ProjectBody {
  id: number;
  api_token: string;
  tags: string[];
  timezone: string;
  previous_token: string;
  previous_token_valid_until: string;
  effective_membership_level: number;
  attr: string | null;
  detail: string;
}

let api: TestApi;
let acme: Seed;
beforeAll(async () => {
  api = await startTestApi({}, { clock: { nowMs: () => Date.UTC(2026, 10, 21, 12) } });
  acme = await api.seed('Acme');
});
afterAll(() => api?.stop());

const at = (id: number): string => `/api/projects/${id}/`;
const as = (key: string) => ({
  create: (body: object) =>
    api.as(key).send<ProjectBody>('post', `/api/organizations/${acme.organizationId}/projects/`).send(body),
  change: (id: number, body: object) => api.as(key).send<ProjectBody>('patch', at(id)).send(body),
  get: (id: number) => api.as(key).send<ProjectBody>('get', at(id)),
});

async function member(name: string, level = 1): Promise<{ key: string; userId: number }> {
  const email = `${name}@example.com`;
  const { userId } = await api.admin.createUser({ organizationId: acme.organizationId, email, firstName: name, level });
  return { userId, key: (await api.admin.createKey({ email, scopes: ['*'] })).key };
}

describe('a project over HTTP', () => {
  test('is made by administrators, with a token of its own', async () => {
    const { status, body } = await as(acme.key).create({
      name: 'New',
      timezone: 'europe/berlin',
      tags: [' B', 'a', 'b'],
    });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        name: 'New',
        organization: acme.organizationId,
        timezone: 'Europe/Berlin',
        tags: ['b', 'a'],
        access_control: false,
        is_demo: false,
      }),
    ]);
    expect(body.api_token).toMatch(/^phc_/);
    expect((await as(acme.key).get(body.id)).body).toEqual(body);
    const plain = await member('plain');
    expect([(await as(plain.key).create({ name: 'No' })).status, (await as(plain.key).get(body.id)).status]).toEqual([
      403, 200,
    ]);
  });

  // The promise to other tenants: shares that are counted by project are not multiplied without an end.
  test('is made while there are fewer than the organization may have, however many are made at once', async () => {
    const few = await api.startProcess({ PROJECTS_PER_ORGANIZATION_MAX: '3' });
    const { organizationId, projectId, key } = await api.seed('Few');
    const create = (name: string) =>
      api
        .as(key, few)
        .send<{ id: number; detail: string }>('post', `/api/organizations/${organizationId}/projects/`)
        .send({ name });
    const made = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(create));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403, 403]);
    expect(made.find(({ status }) => status === 403)?.body).toMatchObject({
      code: 'permission_denied',
      detail: expect.stringContaining('at most 3 projects'),
    });
    await api.admin.updateOrganization({ organizationId, projectsMax: 4 });
    expect([(await create('f')).status, (await create('g')).status]).toEqual([201, 403]);
    // Whoever runs the system is not bound, and what is deleted does not count.
    await api.admin.createProject({ organizationId, name: 'h' });
    await api.admin.updateOrganization({ organizationId, projectsMax: null });
    expect((await create('i')).status).toBe(403);
    const { body } = await api
      .as(key)
      .send<{ results: { id: number }[] }>('get', `/api/organizations/${organizationId}/projects/`);
    for (const { id } of body.results) if (id !== projectId) await api.admin.deleteProject({ projectId: id });
    expect((await create('j')).status).toBe(201);
    await few.stop();
  });

  test.each(['+01:00', 'Nowhere', 'Europe/Nowhere', '', 'x'.repeat(65)])('%j is no time zone', async (timezone) => {
    const { status, body } = await as(acme.key).change(acme.projectId, { timezone });
    expect([status, body.attr]).toEqual([400, 'timezone']);
  });

  test('is changed field by field, which is written down with before and after', async () => {
    const { body } = await as(acme.key).change(acme.projectId, {
      name: 'Renamed',
      timezone: 'Asia/Kolkata',
      tags: ['Web'],
      anonymize_ips: true,
      has_completed_onboarding_for: { surveys: true },
    });
    expect(body).toMatchObject({
      name: 'Renamed',
      timezone: 'Asia/Kolkata',
      tags: ['web'],
      anonymize_ips: true,
      has_completed_onboarding_for: { surveys: true },
    });
    expect((await as(acme.key).change(acme.projectId, { has_completed_onboarding_for: null })).body).toMatchObject({
      name: 'Renamed',
      has_completed_onboarding_for: null,
    });
    const [first] = await api.prisma.activityLogEntry.findMany({
      where: { projectId: acme.projectId, activity: 'updated' },
      orderBy: { id: 'asc' },
    });
    expect([first?.actor, first?.before]).toEqual([
      acme.email,
      { name: 'Acme', timezone: 'UTC', tags: [], anonymize_ips: false, has_completed_onboarding_for: null },
    ]);
  });

  // A new setting that is missing here is changed without a trace.
  test('whatever can be set is written down when it is set', async () => {
    const { body } = await as(acme.key).create({ name: 'Settings' });
    const wanted: Record<keyof typeof projectFields | keyof typeof moreProjectFields, unknown> = {
      ...{ name: 'Set', timezone: 'Asia/Kolkata', access_control: true, tags: ['set'], anonymize_ips: true },
      ...{
        allow_dangerous_merges: false,
        completed_snippet_onboarding: true,
        has_completed_onboarding_for: { surveys: true },
      },
      test_account_filters: [{ key: 'email', value: 'own.example', operator: 'not_icontains', type: 'person' }],
    };
    expect((await as(acme.key).change(body.id, wanted)).body).toMatchObject(wanted);
    const entry = await api.prisma.activityLogEntry.findFirstOrThrow({
      where: { projectId: body.id, activity: 'updated' },
    });
    expect([entry.after, Object.keys(entry.before as object).sort()]).toEqual([wanted, Object.keys(wanted).sort()]);
  });

  test('of many changes at once, each is written down from what was before it', async () => {
    const { body } = await as(acme.key).create({ name: 'Changed 0' });
    await Promise.all([1, 2, 3, 4, 5, 6].map((n) => as(acme.key).change(body.id, { name: `Changed ${n}` })));
    const entries = await api.prisma.activityLogEntry.findMany({ where: { projectId: body.id, activity: 'updated' } });
    const next = new Map(
      entries.map(({ before, after }) => [(before as { name: string }).name, (after as { name: string }).name]),
    );
    expect([entries.length, next.size]).toEqual([6, 6]);
    expect(next.has('Changed 0')).toBe(true);
  });

  test('gets another token; the old one works for the requested time', async () => {
    const before = (await as(acme.key).get(acme.projectId)).body.api_token;
    const reset = async (body?: object) =>
      (
        await api
          .as(acme.key)
          .send<ProjectBody>('patch', `${at(acme.projectId)}reset_token/`)
          .send(body)
      ).body;
    const first = await reset();
    expect(first).toMatchObject({
      id: acme.projectId,
      previous_token: before,
      previous_token_valid_until: '2026-11-22T12:00:00.000Z',
    });
    const second = await reset({ grace_hours: 0 });
    expect([second.previous_token, second.previous_token_valid_until]).toEqual([
      first.api_token,
      '2026-11-21T12:00:00.000Z',
    ]);
    expect(await api.prisma.previousProjectToken.count({ where: { projectId: acme.projectId } })).toBe(2);
    const entries = await api.prisma.activityLogEntry.findMany({
      where: { projectId: acme.projectId, activity: 'rolled' },
    });
    expect(JSON.stringify(entries.map(({ after }) => after))).not.toContain('phc_');
  });

  test('ends: it is not found, and what was current is no more', async () => {
    const { body } = await as(acme.key).create({ name: 'Ending' });
    await api.prisma.user.update({ where: { id: acme.userId }, data: { currentProjectId: body.id } });
    expect((await api.as(acme.key).send('delete', at(body.id))).status).toBe(204);
    expect([
      (await as(acme.key).get(body.id)).status,
      (await api.as(acme.key).send('get', '/api/projects/@current')).status,
    ]).toEqual([404, 404]);
    await api.prisma.user.update({ where: { id: acme.userId }, data: { currentProjectId: acme.projectId } });
  });
});

describe('a private project (contract/orgs-errors 1.3, step 7)', () => {
  test('is open to administrators of the organization and to whom they let in; others read the one sentence', async () => {
    const { body: secret } = await as(acme.key).create({ name: 'Secret', access_control: true });
    const [admin, guest, keeper, outsider] = [
      await member('admin', 8),
      await member('guest'),
      await member('keeper'),
      await member('outsider'),
    ];
    await api.prisma.projectAccess.createMany({
      data: [
        { projectId: secret.id, userId: guest.userId, level: 'member' },
        { projectId: secret.id, userId: keeper.userId, level: 'admin' },
      ],
    });
    const levels = await Promise.all(
      [acme, admin, guest, keeper].map(
        async ({ key }) => (await as(key).get(secret.id)).body.effective_membership_level,
      ),
    );
    expect(levels).toEqual([15, 8, 1, 8]);
    const wanderers = [await member('wanderer'), await member('chief', 8)].map(({ userId }) => userId);
    await api.prisma.user.updateMany({ where: { id: { in: wanderers } }, data: { currentProjectId: null } });
    const { body: second } = await as(acme.key).create({ name: 'Second secret', access_control: true });
    const current = await api.prisma.user.findMany({ where: { id: { in: wanderers } }, orderBy: { id: 'asc' } });
    expect(current.map(({ currentProjectId }) => currentProjectId)).toEqual([null, second.id]);
    const refused = await as(outsider.key).get(secret.id);
    expect([refused.status, refused.body.detail]).toEqual([403, `This API key has no access to project ${secret.id}.`]);
    expect([
      (await as(guest.key).change(secret.id, { name: 'Mine' })).status,
      (await as(keeper.key).change(secret.id, { name: 'Kept' })).status,
    ]).toEqual([403, 200]);
  });
});
