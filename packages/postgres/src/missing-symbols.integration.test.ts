import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { PrismaClient } from './generated/client.ts';
import { openTestPrisma, type TestPrisma } from './testing/open-test-prisma.ts';

// contract/decisions 106: refs that events name and nobody uploaded.

let database: TestPrisma;
let prisma: PrismaClient;
let projectId: number;
beforeAll(async () => {
  database = await openTestPrisma();
  ({ prisma } = database);
});
afterAll(() => database?.close());
beforeEach(async () => void (projectId = await database.makeProject()));

/** As the consumer calls it. */
async function list(refs: readonly string[], reason = 'none'): Promise<void> {
  const missing = JSON.stringify(refs.map((ref) => ({ project_id: projectId, ref, reason })));
  await prisma.$transaction(async (transaction) => {
    await transaction.$executeRaw`SET LOCAL ROLE millrace_consumer`;
    await transaction.$executeRaw`SELECT list_missing_symbols(${missing}::json)`;
  });
}
const listed = async () => await prisma.symbolSet.findMany({ where: { projectId }, orderBy: { ref: 'asc' } });

test('is listed once, with the latest reason; one of a project that is gone is left out', async () => {
  await list(['a', 'b', 'a']);
  await list(['b'], 'still none');
  expect((await listed()).map(({ ref, failureReason }) => [ref, failureReason])).toEqual([
    ['a', 'none'],
    ['b', 'still none'],
  ]);
  projectId = 2_000_000_000;
  await list(['a']);
  expect(await listed()).toEqual([]);
});

test('one with a file, or whose upload has begun, stays as it is', async () => {
  const set = (ref: string, more: object) => ({ data: { id: crypto.randomUUID(), projectId, ref, ...more } });
  await prisma.symbolSet.create(set('file', { storageKey: `symbolsets/${crypto.randomUUID()}`, contentHash: 'h' }));
  const uploads = { create: { key: `symbolsets/${crypto.randomUUID()}`, startedAt: new Date() } };
  await prisma.symbolSet.create(set('begun', { uploads }));
  const before = await listed();
  await list(['file', 'begun']);
  expect(await listed()).toEqual(before);
});

test('a project keeps the thousand that events met last', async () => {
  await list(Array.from({ length: 1_000 }, (_, index) => `old${index}`));
  await list(['new1', 'new2', 'old7']);
  const refs = (await listed()).map(({ ref }) => ref);
  expect([refs.length, refs.includes('new1'), refs.includes('new2'), refs.includes('old7')]).toEqual([
    1_000,
    true,
    true,
    true,
  ]);
});
