import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';

interface UserBody {
  organization: { id: string; is_ai_data_processing_approved: boolean | null } | null;
  organizations: { id: string }[];
  team: { id: number; timezone: string; organization: string } | null;
  first_name: string;
  role_at_organization: string | null;
  attr: string | null;
}

let api: TestApi;
let acme: Seed;
let other: Seed;
beforeAll(async () => {
  api = await startTestApi();
  [acme, other] = [await api.seed('Acme'), await api.seed('Other')];
});
afterAll(() => api?.stop());

const me = '/api/users/@me/';
const patch = async (key: string, body: object) => await api.as(key).send<UserBody>('patch', me).send(body);

describe('the user of the key', () => {
  test('has what clients read: what is current, all organizations, consent, time zone', async () => {
    const { body } = await api.as(acme.key).send<UserBody>('get', me);
    expect(body.organization).toEqual({
      id: acme.organizationId,
      name: 'Acme',
      membership_level: 15,
      is_ai_data_processing_approved: null,
    });
    expect(body.organizations).toHaveLength(1);
    expect(body.team).toMatchObject({
      id: acme.projectId,
      name: 'Acme',
      timezone: 'UTC',
      organization: acme.organizationId,
      api_token: expect.stringMatching(/^phc_/),
    });
  });

  test('changes their names and their role, which is written down', async () => {
    const { status, body } = await patch(acme.key, {
      first_name: 'Ada',
      last_name: 'L',
      role_at_organization: 'data',
      email: 'ignored@example.com',
    });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ first_name: 'Ada', last_name: 'L', role_at_organization: 'data', email: acme.email }),
    ]);
    const entry = await api.prisma.activityLogEntry.findFirstOrThrow({
      where: { itemType: 'user', itemId: acme.userUuid },
    });
    expect(entry).toMatchObject({
      activity: 'updated',
      actor: acme.email,
      organizationId: acme.organizationId,
      after: { first_name: 'Ada', last_name: 'L', role_at_organization: 'data' },
    });
    expect((await patch(acme.key, { role_at_organization: 'king' })).body.attr).toBe('role_at_organization');
    const reader = await api.admin.createKey({ email: acme.email, scopes: ['user:read'] });
    expect((await patch(reader.key, { first_name: 'X' })).status).toBe(403);
  });

  test('shows the current project and organization: a project brings its organization, an organization its first project', async () => {
    await api.prisma.membership.create({
      data: { id: randomUUID(), organizationId: other.organizationId, userId: acme.userId, level: 1 },
    });
    const project = await patch(acme.key, { set_current_team: other.projectId });
    expect([project.body.team?.id, project.body.organization?.id]).toEqual([other.projectId, other.organizationId]);
    const organization = await patch(acme.key, { set_current_organization: acme.organizationId.toUpperCase() });
    expect([organization.body.team?.id, organization.body.organization?.id]).toEqual([
      acme.projectId,
      acme.organizationId,
    ]);
    const second = await api.admin.createProject({ organizationId: acme.organizationId, name: 'Second' });
    await patch(acme.key, { set_current_team: second.projectId });
    expect((await patch(acme.key, { set_current_organization: acme.organizationId })).body.team?.id).toBe(
      second.projectId,
    );
  });

  test('a user who moves between organizations shows neither the other one', async () => {
    await patch(acme.key, { set_current_team: acme.projectId });
    await patch(acme.key, { set_current_team: other.projectId });
    await patch(acme.key, { set_current_team: acme.projectId });
    const logOf = async (organizationId: string) =>
      JSON.stringify(
        await api.prisma.activityLogEntry.findMany({
          where: { organizationId, itemType: 'user' },
          select: { before: true, after: true },
        }),
      );
    expect(await logOf(acme.organizationId)).not.toContain(other.organizationId);
    expect(await logOf(other.organizationId)).not.toContain(acme.organizationId);
    expect(await logOf(other.organizationId)).toContain(`"current_team":${other.projectId}`);
  });

  test('cannot be where they or their key are not let in', async () => {
    const stranger = await api.seed('Stranger');
    const { projectId: hidden } = await api.admin.createProject({
      organizationId: other.organizationId,
      name: 'Hidden',
    });
    await api.prisma.project.update({ where: { id: hidden }, data: { accessControl: true } });
    await api.prisma.user.update({ where: { id: acme.userId }, data: { currentProjectId: hidden } });
    expect((await api.as(acme.key).send<UserBody>('get', me)).body.team).toBeNull();
    const limited = await api.admin.createKey({
      email: acme.email,
      scopes: ['*'],
      organizations: [acme.organizationId],
    });
    const toProject = await api.admin.createKey({ email: acme.email, scopes: ['*'], projects: [acme.projectId] });
    const { projectId: sibling } = await api.admin.createProject({
      organizationId: acme.organizationId,
      name: 'Sibling',
    });
    const refused: [string, object, string][] = [
      [acme.key, { set_current_team: stranger.projectId }, 'set_current_team'],
      [acme.key, { set_current_team: hidden }, 'set_current_team'],
      [
        acme.key,
        { set_current_team: acme.projectId, set_current_organization: other.organizationId },
        'set_current_team',
      ],
      [acme.key, { set_current_organization: stranger.organizationId }, 'set_current_organization'],
      [limited.key, { set_current_organization: other.organizationId }, 'set_current_organization'],
      [limited.key, { set_current_team: other.projectId }, 'set_current_team'],
      [toProject.key, { set_current_organization: acme.organizationId }, 'set_current_organization'],
      [toProject.key, { set_current_team: other.projectId }, 'set_current_team'],
      [toProject.key, { set_current_team: sibling }, 'set_current_team'],
    ];
    for (const [key, body, attr] of refused) {
      const reply = await patch(key, body);
      expect([body, reply.status, reply.body.attr]).toEqual([body, 400, attr]);
    }
  });

  test('sees with a limited key only what it opens: other objects, and their tokens, are hidden', async () => {
    const seed = await api.seed('Limited');
    await api.prisma.membership.create({
      data: { id: randomUUID(), organizationId: other.organizationId, userId: seed.userId, level: 15 },
    });
    const { projectId: second } = await api.admin.createProject({
      organizationId: seed.organizationId,
      name: 'Second',
    });
    const shown = async (limits: { organizations?: string[]; projects?: number[] }) => {
      const { key } = await api.admin.createKey({ email: seed.email, scopes: ['*'], ...limits });
      const { body } = await api.as(key).send<UserBody>('get', me);
      return [body.organizations.map(({ id }) => id), body.organization?.id ?? null, body.team?.id ?? null];
    };
    const here = [seed.organizationId, seed.projectId];
    expect(await shown({})).toEqual([[seed.organizationId, other.organizationId], ...here]);
    expect(await shown({ organizations: [seed.organizationId] })).toEqual([[seed.organizationId], ...here]);
    expect(await shown({ organizations: [other.organizationId] })).toEqual([[other.organizationId], null, null]);
    expect(await shown({ projects: [seed.projectId] })).toEqual([[seed.organizationId], ...here]);
    expect(await shown({ projects: [second] })).toEqual([[seed.organizationId], seed.organizationId, null]);
    expect(await shown({ projects: [other.projectId] })).toEqual([[other.organizationId], null, null]);
  });
});
