import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { PrismaClient } from './generated/client.ts';
import { openTestPrisma, type TestPrisma } from './testing/open-test-prisma.ts';

let database: TestPrisma;
let prisma: PrismaClient;
let projectId: number;
let otherProjectId: number;

beforeAll(async () => {
  database = await openTestPrisma();
  ({ prisma } = database);
});
afterAll(() => database?.close());

beforeEach(
  async () => void ([projectId, otherProjectId] = [await database.makeProject(), await database.makeProject()]),
);

interface Seen {
  project_id: number;
  fingerprint: string;
  issue_id: string;
}
interface Found extends Seen {
  status: string;
  outcome: string;
}

const seen = (fingerprint: string, more: object = {}): Seen => ({
  project_id: projectId,
  fingerprint,
  issue_id: crypto.randomUUID(),
  ...{ version: 1, name: 'TypeError', description: 'x is undefined' },
  ...{ first_seen_at: '2026-11-01 10:00:00+00', received_at: new Date().toISOString(), makes: true },
  ...more,
});
const see = async (...given: Seen[]): Promise<Found[]> =>
  prisma.$queryRaw<Found[]>`SELECT * FROM see_issues(${JSON.stringify(given)}::json) ORDER BY fingerprint`;
const outcomes = async (...given: Seen[]): Promise<string[]> => (await see(...given)).map(({ outcome }) => outcome);

describe('a fingerprint', () => {
  test('that is new has its issue made, once, whoever sees it at the same time', async () => {
    const fingerprints = Array.from({ length: 20 }, (_, index) => `f${index}`);
    const given = fingerprints.map((fingerprint) => seen(fingerprint));
    const both = await Promise.all([see(...given), see(...given.toReversed()), see(...given)]);
    expect(both.map((found) => found.length)).toEqual([20, 20, 20]);
    expect(both.flat().filter(({ outcome }) => outcome === 'new')).toHaveLength(20);
    const issues = await prisma.errorTrackingIssue.findMany({ where: { projectId } });
    expect(new Set(issues.map(({ id }) => id))).toEqual(new Set(given.map(({ issue_id: id }) => id)));
    expect(issues[0]).toMatchObject({ name: 'TypeError', status: 'active', severity: null, assigneeUserId: null });
  });

  test('that was led to another issue has that one; its own is not made again', async () => {
    const [one, two] = [seen('one'), seen('two')];
    await see(one, two);
    await prisma.$transaction([
      prisma.errorTrackingFingerprint.updateMany({
        where: { projectId, issueId: two.issue_id },
        data: { issueId: one.issue_id },
      }),
      prisma.errorTrackingIssue.delete({ where: { id: two.issue_id } }),
    ]);
    expect(await see(two)).toMatchObject([{ issue_id: one.issue_id, outcome: 'seen' }]);
    expect(await prisma.errorTrackingIssue.count({ where: { projectId } })).toBe(1);
  });

  test('of another project is another, and leads to no issue of this one', async () => {
    const own = seen('f');
    await see(own);
    const foreign = seen('f', { project_id: otherProjectId });
    expect(await see(foreign)).toMatchObject([{ issue_id: foreign.issue_id, outcome: 'new' }]);
    const leading = prisma.errorTrackingFingerprint.updateMany({
      where: { projectId: otherProjectId },
      data: { issueId: own.issue_id },
    });
    await expect(leading).rejects.toThrow('Foreign key');
  });

  test('that may make none has the one that there is', async () => {
    expect(await see(seen('f', { makes: false }))).toEqual([]);
    await see(seen('f'));
    expect(await outcomes(seen('f', { makes: false }))).toEqual(['seen']);
  });

  test('of a project that is gone has none', async () => {
    expect(await see(seen('f', { project_id: 2_000_000_000 }))).toEqual([]);
  });
});

describe('an issue', () => {
  test('that was resolved is active again by what came later, and by nothing earlier', async () => {
    const one = seen('f');
    await see(one);
    const resolvedAt = new Date();
    await prisma.errorTrackingIssue.update({ where: { id: one.issue_id }, data: { status: 'resolved', resolvedAt } });
    const at = (ms: number) => ({ ...one, received_at: new Date(resolvedAt.getTime() + ms).toISOString() });
    expect(await see(at(-1))).toMatchObject([{ status: 'resolved', outcome: 'seen' }]);
    const racing = await Promise.all([outcomes(at(1)), outcomes(at(1)), outcomes(at(1))]);
    expect(racing.flat().sort()).toEqual(['regressed', 'seen', 'seen']);
    const issue = await prisma.errorTrackingIssue.findFirst({ where: { id: one.issue_id } });
    expect(issue).toMatchObject({ status: 'active', resolvedAt: null, regressedAt: expect.any(Date) });
  });

  test('that is suppressed stays so', async () => {
    const one = seen('f');
    await see(one);
    await prisma.errorTrackingIssue.update({ where: { id: one.issue_id }, data: { status: 'suppressed' } });
    expect(await see(one)).toMatchObject([{ status: 'suppressed', outcome: 'seen' }]);
  });

  test('that changes is one change of its project; one that is made is none', async () => {
    const changes = async (): Promise<number> => {
      const [row] = await prisma.$queryRaw<{ count: number }[]>`
        SELECT count(*)::integer AS count FROM changes WHERE topic = 'issue' AND project_id = ${projectId}`;
      return row?.count ?? 0;
    };
    await see(seen('f'), seen('g'));
    expect(await changes()).toBe(0);
    await prisma.errorTrackingIssue.updateMany({ where: { projectId }, data: { status: 'suppressed' } });
    expect(await changes()).toBe(1);
  });

  test('has a status and a severity of those that there are, and one assignee', async () => {
    const one = seen('f');
    await see(one);
    for (const data of [{ status: 'archived' }, { severity: 'odd' }, { status: 'resolved' }])
      await expect(prisma.errorTrackingIssue.update({ where: { id: one.issue_id }, data })).rejects.toThrow('check');
  });
});
