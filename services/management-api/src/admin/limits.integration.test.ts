import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { createPrisma } from '@millrace/postgres/prisma.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { createTestDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import { createAdmin, type Admin } from '../admin.ts';

let database: TestDatabase;
let prisma: PrismaClient;
let admin: Admin;
let projectId: number;
let projectToken: string;
let nowMs = Date.UTC(2026, 10, 21, 12);

beforeAll(async () => {
  database = await createTestDatabase({
    template: 'postgres',
    migrate: async (url) => void (await migratePostgres(url, { log: { info: () => {} } })),
  });
  prisma = createPrisma(database.url, { applicationName: 'test', onError: () => {} });
  admin = createAdmin(prisma, { nowMs: () => nowMs });
  const { organizationId } = await admin.createOrganization({ name: 'O' });
  ({ projectId, projectToken } = await admin.createProject({ organizationId, name: 'P' }));
});
afterAll(async () => {
  await prisma?.$disconnect();
  await database?.drop();
});

describe('what the command line does to tokens and limits', () => {
  test('a rotated token is another one; the old one is kept until its grace is over', async () => {
    const rotated = await admin.rotateToken({ projectId, graceHours: 24 });
    expect(rotated).toEqual({
      projectId,
      projectToken: expect.stringMatching(/^phc_/),
      previousToken: projectToken,
      previousTokenValidUntil: '2026-11-22T12:00:00.000Z',
    });
    expect(rotated.projectToken).not.toBe(projectToken);
    expect((await admin.listProjects()).map((project) => project.projectToken)).toEqual([rotated.projectToken]);
    expect(await prisma.previousProjectToken.count()).toBe(1);
  });

  test('tokens that nothing can be waiting for any more are forgotten at the next rotation', async () => {
    nowMs += 9 * 24 * 3_600_000;
    await admin.rotateToken({ projectId, graceHours: 0 });
    expect((await prisma.previousProjectToken.findMany()).map(({ token }) => token)).not.toContain(projectToken);
  });

  test('two concurrent rotations: one gets the new token, the other an error that nothing was changed', async () => {
    const both = await Promise.allSettled([
      admin.rotateToken({ projectId, graceHours: 1 }),
      admin.rotateToken({ projectId, graceHours: 1 }),
    ]);
    const done = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value.projectToken] : []));
    const [project] = await admin.listProjects();
    expect(done).toContain(project?.projectToken);
    const tokens = await prisma.previousProjectToken.findMany();
    for (const one of done) if (one !== project?.projectToken) expect(tokens.map(({ token }) => token)).toContain(one);
  });

  test('a quota is set, set again, and listed with its use', async () => {
    await admin.setQuota({ projectId, resource: 'events', limit: 5, period: 'day' });
    expect(await admin.setQuota({ projectId, resource: 'events', limit: 1000, period: 'month' })).toEqual({
      projectId,
      resource: 'events',
      limit: 1000,
      period: 'month',
    });
    await prisma.quotaUsage.create({
      data: { projectId, resource: 'events', periodStart: new Date('2026-11-01'), used: 12 },
    });
    const quota = { projectId, resource: 'events', limit: 1000, period: 'month', used: 12, periodStart: '2026-11-01' };
    expect(await admin.listQuotas()).toEqual([quota]);
    expect(await admin.listQuotas({ projectId: projectId + 1 })).toEqual([]);
  });

  test('what is listed as used is of the present period, and of the kind that the quota has now', async () => {
    const listed = async () => (await admin.listQuotas()).map(({ used, periodStart }) => [used, periodStart]);
    nowMs = Date.UTC(2026, 10, 30, 23, 59);
    await prisma.quotaUsage.createMany({
      data: [
        ['2026-11-29', 5],
        ['2026-11-30', 3],
      ].map(([day, used]) => ({
        projectId,
        resource: 'events',
        periodStart: new Date(day as string),
        used: used as number,
      })),
    });
    expect(await listed()).toEqual([[12, '2026-11-01']]);
    await admin.setQuota({ projectId, resource: 'events', limit: 1000, period: 'day' });
    expect(await listed()).toEqual([[3, '2026-11-30']]);
    nowMs += 120_000;
    expect(await listed()).toEqual([[0, '2026-12-01']]);
    await admin.setQuota({ projectId, resource: 'events', limit: 1000, period: 'month' });
    expect(await listed()).toEqual([[0, '2026-12-01']]);
    await admin.removeQuota({ projectId, resource: 'events' });
    expect([await admin.listQuotas(), await prisma.quotaUsage.count()]).toEqual([[], 0]);
  });

  test('a restriction is added, listed and removed', async () => {
    const uuid = '0190AAAA-0000-7000-8000-000000000001';
    const added = await admin.addRestriction({ projectId, action: 'drop_event', distinctIds: ['a,b'], uuids: [uuid] });
    expect(added).toEqual({
      id: expect.any(Number),
      projectId,
      action: 'drop_event',
      distinctIds: ['a,b'],
      events: [],
      sessionIds: [],
      uuids: [uuid.toLowerCase()],
    });
    expect(await admin.listRestrictions({ projectId })).toEqual([{ ...added, createdAt: expect.any(String) }]);
    expect(await admin.removeRestriction({ id: added.id })).toEqual({ id: added.id });
    expect(await admin.listRestrictions()).toEqual([]);
  });

  test.each<[string, () => Promise<unknown>, string]>([
    [
      'a quota of nobody',
      () => admin.setQuota({ projectId: 9999, resource: 'events', limit: 1, period: 'day' }),
      'no project with the id 9999',
    ],
    [
      'an unknown resource',
      () => admin.setQuota({ projectId, resource: 'clicks', limit: 1, period: 'day' }),
      'Unknown resource clicks. Known: events',
    ],
    [
      'an unknown period',
      () => admin.setQuota({ projectId, resource: 'events', limit: 1, period: 'week' }),
      'Unknown period week',
    ],
    ['a limit below 0', () => admin.setQuota({ projectId, resource: 'events', limit: -1, period: 'day' }), '0 or more'],
    ['a quota that is not there', () => admin.removeQuota({ projectId, resource: 'surveys' }), 'no quota for surveys'],
    ['an unknown action', () => admin.addRestriction({ projectId, action: 'redirect_to_topic' }), 'Unknown action'],
    [
      'a uuid that is none',
      () => admin.addRestriction({ projectId, action: 'drop_event', uuids: ['x'] }),
      'not a UUID',
    ],
    ['a restriction that is not there', () => admin.removeRestriction({ id: 9999 }), 'no restriction'],
    ['a token of nobody', () => admin.rotateToken({ projectId: 9999, graceHours: 1 }), 'no project'],
  ])('%s has a plain message', async (_name, work, words) => {
    await expect(work()).rejects.toThrow(words);
  });

  test('a deleted project is nobody’s current one, and cannot be deleted again', async () => {
    const organizationId = (await admin.listProjects())[0]?.organizationId ?? '';
    const user = await admin.createUser({ organizationId, email: 'a@b', firstName: 'A', level: 1 });
    await admin.deleteProject({ projectId });
    expect(await admin.listProjects()).toEqual([]);
    expect((await prisma.user.findUniqueOrThrow({ where: { id: user.userId } })).currentProjectId).toBeNull();
    await expect(admin.deleteProject({ projectId })).rejects.toThrow('no project');
  });
});
