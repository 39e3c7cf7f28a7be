import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Prisma, PrismaClient } from './generated/client.ts';
import { openTestPrisma, type TestPrisma } from './testing/open-test-prisma.ts';

// contract/decisions 140: an alert is written with the issue that it tells of, once.

let database: TestPrisma;
let prisma: PrismaClient;
let projectId: number;

beforeAll(async () => {
  database = await openTestPrisma();
  ({ prisma } = database);
});
afterAll(() => database?.close());
beforeEach(async () => void (projectId = await database.makeProject()));

type Settings = Omit<Prisma.ErrorTrackingAlertSettingsUncheckedCreateInput, 'projectId'>;
const choose = (data: Settings) => prisma.errorTrackingAlertSettings.create({ data: { projectId, ...data } });
const webhookUrl = 'https://example.com';

const ids = new Map<string, string>();
const idOf = (fingerprint: string): string => {
  const id = ids.get(`${projectId} ${fingerprint}`) ?? crypto.randomUUID();
  ids.set(`${projectId} ${fingerprint}`, id);
  return id;
};
const seen = (fingerprint: string) => ({
  project_id: projectId,
  fingerprint,
  issue_id: idOf(fingerprint),
  ...{ version: 1, name: 'TypeError', description: 'x is undefined' },
  ...{ first_seen_at: '2026-11-01 10:00:00+00', received_at: new Date().toISOString(), makes: true },
});
const see = (...fingerprints: string[]) =>
  prisma.$queryRaw`SELECT * FROM see_issues(${JSON.stringify(fingerprints.map(seen))}::json)`;
const resolve = () =>
  prisma.errorTrackingIssue.updateMany({
    where: { projectId },
    data: { status: 'resolved', resolvedAt: new Date(Date.now() - 1_000) },
  });
async function alerts(): Promise<string[]> {
  const rows = await prisma.errorTrackingAlertDelivery.findMany({ where: { projectId } });
  return rows.map(({ channel, type }) => `${channel} ${type}`).toSorted();
}
/** Places in the last alert of each issue. */
async function places(): Promise<Record<string, object>> {
  const rows = await prisma.errorTrackingAlertDelivery.findMany({
    where: { projectId },
    orderBy: { createdAt: 'asc' },
  });
  const issues = rows.flatMap((row) => row.issues as unknown as { id: string; frame: unknown; release: unknown }[]);
  return Object.fromEntries(issues.map(({ id, frame, release }) => [id, { frame, release }]));
}
const queues = async () =>
  (await prisma.errorTrackingAlertQueue.findMany({ where: { projectId } })).map(({ channel }) => channel).toSorted();

describe('an issue that is new', () => {
  test('is alerted to by each channel that is set up, with its texts', async () => {
    await choose({ webhookUrl, recipientIds: [1] });
    await see('f');
    expect(await alerts()).toEqual(['mail issue.created', 'webhook issue.created']);
    const [row] = await prisma.errorTrackingAlertDelivery.findMany({ where: { projectId, channel: 'webhook' } });
    expect(row).toMatchObject({
      ...{ status: 'pending', attempts: 0, nextAttemptAt: null, createdCount: 1, regressedCount: 0 },
      issues: [
        {
          id: idOf('f'),
          name: 'TypeError',
          description: 'x is undefined',
          first_seen_at: expect.stringContaining('2026-11-01T10:00:00'),
        },
      ],
    });
    expect(await queues()).toEqual(['mail', 'webhook']);
  });

  test('is alerted to with the place where it was thrown, as far as it is known', async () => {
    await choose({ webhookUrl });
    const place = {
      frame: { function: 'addToCart', file: 'src/cart.ts', line: 12 },
      release: { version: '1.4.2', project: 'shop-web' },
    };
    const given = [{ ...seen('known'), ...place }, { ...seen('unknown'), frame: null, release: null }, seen('old')];
    await prisma.$queryRaw`SELECT * FROM see_issues(${JSON.stringify(given)}::json)`;
    const none = { frame: null, release: null };
    expect(await places()).toEqual({ [idOf('known')]: place, [idOf('unknown')]: none, [idOf('old')]: none });
  });

  test('is alerted to once, whoever sees it at the same time and again', async () => {
    await choose({ webhookUrl });
    const fingerprints = Array.from({ length: 20 }, (_, index) => `f${index}`);
    await Promise.all([see(...fingerprints), see(...fingerprints.toReversed()), see(...fingerprints)]);
    await see(...fingerprints);
    expect(await alerts()).toEqual(fingerprints.map(() => 'webhook issue.created'));
  });

  test('is not, when its statement is rolled back', async () => {
    await choose({ webhookUrl });
    const gone = prisma.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT * FROM see_issues(${JSON.stringify([seen('f')])}::json)`;
      throw new Error('rolled back');
    });
    await expect(gone).rejects.toThrow('rolled back');
    expect(await alerts()).toEqual([]);
    await see('f');
    expect(await alerts()).toEqual(['webhook issue.created']);
  });

  test.each<[string, Settings | undefined]>([
    ['without settings', undefined],
    ['without a channel', {}],
    ['when alerts are off', { webhookUrl, enabled: false }],
    ['when new ones are not wanted', { webhookUrl, onNew: false }],
  ])('is not alerted to %s', async (_name, settings) => {
    if (settings !== undefined) await choose(settings);
    await see('f');
    expect([await alerts(), await queues()]).toEqual([[], []]);
  });

  test('of another project is not told here', async () => {
    await choose({ webhookUrl });
    const own = projectId;
    projectId = await database.makeProject();
    await see('f');
    projectId = own;
    expect(await alerts()).toEqual([]);
  });
});

describe('an issue that was resolved', () => {
  test('is alerted to once for each time that it comes back', async () => {
    await choose({ webhookUrl, onNew: false });
    await see('f');
    await resolve();
    await Promise.all([see('f'), see('f')]);
    expect(await alerts()).toEqual(['webhook issue.regressed']);
    await see('f');
    expect(await alerts()).toEqual(['webhook issue.regressed']);
    await resolve();
    await see('f', 'g');
    expect(await alerts()).toEqual(['webhook issue.regressed', 'webhook issue.regressed']);
  });

  test('has the place of the exception that brought it back, by whichever of its fingerprints', async () => {
    await choose({ webhookUrl });
    await see('f', 'merged');
    const where = { projectId, fingerprint: 'merged' };
    await prisma.errorTrackingFingerprint.updateMany({ where, data: { issueId: idOf('f') } });
    await resolve();
    const release = { version: '1.5', project: 'shop-web' };
    const [early, late] = [Date.now() - 500, Date.now()].map((ms) => new Date(ms).toISOString());
    const given = [
      { ...seen('merged'), received_at: late, release },
      { ...seen('f'), received_at: early, release: { ...release, version: '1.4' } },
      { ...seen('merged too'), alerts: false, release: null },
    ];
    await prisma.$queryRaw`SELECT * FROM see_issues(${JSON.stringify(given)}::json)`;
    expect(await alerts()).toContain('webhook issue.regressed');
    expect((await places())[idOf('f')]).toEqual({ frame: null, release });
  });

  test('is not, when these are not wanted, and others that are new are', async () => {
    await choose({ webhookUrl, onRegressed: false });
    await see('f');
    await resolve();
    await see('f', 'g');
    expect(await alerts()).toEqual(['webhook issue.created', 'webhook issue.created']);
  });
});

describe('an exception that is no news', () => {
  const quietly = (...fingerprints: string[]) => {
    const given = fingerprints.map((fingerprint) => ({ ...seen(fingerprint), alerts: false }));
    return prisma.$queryRaw<{ outcome: string }[]>`SELECT outcome FROM see_issues(${JSON.stringify(given)}::json)`;
  };

  test('makes and reopens issues without an alert', async () => {
    await choose({ webhookUrl, recipientIds: [1] });
    expect(await quietly('f')).toEqual([{ outcome: 'new' }]);
    await resolve();
    expect(await quietly('f')).toEqual([{ outcome: 'regressed' }]);
    expect([await alerts(), await queues()]).toEqual([[], []]);
  });

  test('leaves others of the same statement their alerts', async () => {
    await choose({ webhookUrl });
    await see('back', 'silently back');
    await resolve();
    const given = [
      { ...seen('new'), alerts: true },
      seen('back'),
      ...['silently new', 'silently back'].map((fingerprint) => ({ ...seen(fingerprint), alerts: false })),
    ];
    await prisma.errorTrackingAlertDelivery.deleteMany({ where: { projectId } });
    await prisma.$queryRaw`SELECT * FROM see_issues(${JSON.stringify(given)}::json)`;
    const rows = await prisma.errorTrackingAlertDelivery.findMany({ where: { projectId } });
    const told = rows.map(({ type, issues }) => [type, (issues as { id: string }[])[0]?.id]);
    expect(new Map(told as [string, string][])).toEqual(
      new Map([
        ['issue.created', idOf('new')],
        ['issue.regressed', idOf('back')],
      ]),
    );
    expect(rows).toHaveLength(2);
  });
});

test('a queue that waits is due again, and one that is due stays so', async () => {
  await choose({ webhookUrl });
  const where = { projectId_channel: { projectId, channel: 'webhook' } };
  await see('f');
  const later = new Date(Date.now() + 3_600_000);
  for (const nextAt of [null, later]) {
    await prisma.errorTrackingAlertQueue.update({ where, data: { nextAt } });
    await see(`g${nextAt?.getTime()}`);
    const { nextAt: due } = await prisma.errorTrackingAlertQueue.findUniqueOrThrow({ where });
    expect(due?.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
  }
});
