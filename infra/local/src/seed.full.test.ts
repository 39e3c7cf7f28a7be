import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Admin, createAdmin } from '@millrace/management-api/admin';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { createPrisma } from '@millrace/postgres/prisma.ts';
import { createTestDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { loadSecrets } from './secrets.ts';
import { type Demo, seedDemo } from './seed.ts';

const email = 'demo@localhost.localdomain';

let database: TestDatabase;
let prisma: PrismaClient;
let admin: Admin;
let folder: DataFolder;

beforeEach(async () => {
  const log = { info: () => {} };
  database = await createTestDatabase({
    template: 'management',
    migrate: async (url) => void (await migratePostgres(url, { log })),
  });
  prisma = createPrisma(database.url, { applicationName: 'test', max: 2, onError: () => {} });
  admin = createAdmin(prisma);
  folder = openDataFolder(mkdtempSync(join(tmpdir(), 'millrace-seed-')));
});

afterEach(async () => {
  await prisma?.$disconnect();
  await database?.drop();
  rmSync(folder.root, { recursive: true, force: true });
});

const seed = (): Promise<Demo> => seedDemo(database.url, folder, loadSecrets(folder.secrets));

/** Checks the promises of the ready message: capture accepts the token, the key is the user's, the endpoint runs. */
async function expectUsable(demo: Demo): Promise<void> {
  const project = await prisma.project.findFirstOrThrow({
    where: { id: demo.projectId, deletedAt: null },
    include: { endpoints: true },
  });
  expect(project).toMatchObject({ apiToken: demo.projectToken, organizationId: demo.organizationId });
  expect(project.endpoints.filter(({ deletedAt }) => deletedAt === null).map(({ name }) => name)).toEqual([
    'event_counts',
  ]);
  expect((await admin.listKeys({ email })).map(({ maskValue }) => maskValue)).toContain(
    `phx_...${demo.personalApiKey.slice(-4)}`,
  );
  expect(await prisma.membership.count({ where: { organizationId: demo.organizationId, user: { email } } })).toBe(1);
}

describe('the demo project', () => {
  test('is the same one on every start', async () => {
    const first = await seed();
    await expectUsable(first);
    expect(await seed()).toEqual(first);
    expect(await prisma.personalApiKey.count()).toBe(1);
    // A user who sends an event and looks must find it, and not a cached result.
    expect(await prisma.endpointVersion.findMany({ select: { dataFreshnessSeconds: true } })).toEqual([
      { dataFreshnessSeconds: 10 },
    ]);
  });

  // contract/decisions 47: without it posthog-cli does not offer its tool for summaries.
  test('belongs to an organization that consents to AI data processing until somebody takes that back', async () => {
    const { organizationId } = await seed();
    const consents = { select: { isAiDataProcessingApproved: true } };
    expect(await prisma.organization.findMany(consents)).toEqual([{ isAiDataProcessingApproved: true }]);
    await admin.updateOrganization({ organizationId, isAiDataProcessingApproved: false });
    await seed();
    expect(await prisma.organization.findMany(consents)).toEqual([{ isAiDataProcessingApproved: false }]);
  });

  const steps: [string, (made: { organizationId: string; projectId: number }) => Promise<unknown>][] = [
    ['organization', async (made) => Object.assign(made, await admin.createOrganization({ name: 'Demo' }))],
    ['user', ({ organizationId }) => admin.createUser({ organizationId, email, firstName: 'Demo', level: 15 })],
    [
      'project',
      async (made) =>
        Object.assign(made, await admin.createProject({ organizationId: made.organizationId, name: 'Demo' })),
    ],
    [
      'endpoint',
      ({ projectId }) =>
        admin.createEndpoint({ projectId, email, name: 'event_counts', sql: 'SELECT count() FROM events' }),
    ],
    ['key', () => admin.createKey({ email, label: 'Demo', scopes: ['*'] })],
  ];

  test.each(steps.map(([name], index) => [name, index + 1] as const))(
    'is finished by the next start when one was killed after its %s',
    async (_, count) => {
      const made = { organizationId: '', projectId: 0 };
      for (const [, step] of steps.slice(0, count)) await step(made);
      const demo = await seed();
      await expectUsable(demo);
      if (count >= 3) expect(demo.projectId).toBe(made.projectId);
      expect(await seed()).toEqual(demo);
    },
  );

  test('has its current token after a rotation', async () => {
    const first = await seed();
    const { projectToken } = await admin.rotateToken({ projectId: first.projectId, graceHours: 0 });
    const next = await seed();
    expect(next).toEqual({ ...first, projectToken });
    expect(await seed()).toEqual(next);
  });

  test('is created again after a deletion; user and key stay', async () => {
    const first = await seed();
    await admin.deleteProject({ projectId: first.projectId });
    const next = await seed();
    expect(next).toEqual({ ...first, projectId: expect.any(Number), projectToken: expect.any(String) });
    expect(next.projectId).not.toBe(first.projectId);
    await expectUsable(next);
  });

  test("stays, with its events, when its user or its organization's membership is gone", async () => {
    const first = await seed();
    await prisma.membership.deleteMany();
    expect(await seed()).toEqual(first);
    await prisma.user.deleteMany();
    const next = await seed();
    expect(next).toEqual({ ...first, personalApiKey: expect.any(String) });
    await expectUsable(next);
  });

  test('gets a new key when its own was revoked', async () => {
    const first = await seed();
    for (const { id } of await admin.listKeys({ email })) await admin.revokeKey({ id });
    const next = await seed();
    expect(next.personalApiKey).not.toBe(first.personalApiKey);
    await expectUsable(next);
  });
});
