import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { PrismaClient } from './generated/client.ts';
import { openTestPrisma, type TestPrisma } from './testing/open-test-prisma.ts';

// Rules of contract/llm-surveys 2.1, 2.2, 3 and 4.2 that the database itself holds.

let database: TestPrisma;
let prisma: PrismaClient;
let projectId: number;
let queueId: string;
let reviewId: string;
let score: { reviewId: string; definitionId: string; versionId: string };

beforeAll(async () => {
  database = await openTestPrisma();
  ({ prisma } = database);
});
afterAll(() => database?.close());

const id = (): string => crypto.randomUUID();

beforeEach(async () => {
  projectId = await database.makeProject();
  [queueId, reviewId] = [id(), id()];
  await prisma.reviewQueue.create({ data: { id: queueId, projectId, name: 'First' } });
  await prisma.reviewQueueItem.create({ data: { id: id(), projectId, queueId, traceId: 't' } });
  await prisma.traceReview.create({ data: { id: reviewId, projectId, traceId: 't' } });
  score = { reviewId, definitionId: id(), versionId: id() };
  await prisma.scoreDefinition.create({ data: { id: score.definitionId, projectId, name: 'S', kind: 'numeric' } });
  await prisma.scoreDefinitionVersion.create({
    data: { id: score.versionId, definitionId: score.definitionId, version: 1, config: {} },
  });
});

test.each<[string, () => Promise<unknown>, (deletedAt: Date) => Promise<unknown>]>([
  [
    'the name of a queue',
    () => prisma.reviewQueue.create({ data: { id: id(), projectId, name: 'First' } }),
    (deletedAt) => prisma.reviewQueue.updateMany({ where: { projectId }, data: { deletedAt } }),
  ],
  [
    'the trace of an item',
    () => prisma.reviewQueueItem.create({ data: { id: id(), projectId, queueId, traceId: 't' } }),
    (deletedAt) => prisma.reviewQueueItem.updateMany({ where: { projectId }, data: { deletedAt } }),
  ],
  [
    'the trace of a review',
    () => prisma.traceReview.create({ data: { id: id(), projectId, traceId: 't' } }),
    (deletedAt) => prisma.traceReview.updateMany({ where: { projectId }, data: { deletedAt } }),
  ],
])('%s is unique in a project among live rows', async (_name, create, remove) => {
  await expect(create()).rejects.toThrow('Unique constraint');
  await remove(new Date());
  await expect(create()).resolves.toMatchObject({ projectId, deletedAt: null });
});

test('a version is there once, and so is the score of a definition in a review', async () => {
  const version = { definitionId: score.definitionId, version: 1, config: {} };
  await expect(prisma.scoreDefinitionVersion.create({ data: { ...version, id: id() } })).rejects.toThrow('Unique');
  await prisma.traceScore.create({ data: { ...score, id: id(), booleanValue: true } });
  await expect(prisma.traceScore.create({ data: { ...score, id: id(), booleanValue: false } })).rejects.toThrow(
    'Unique',
  );
});

test.each<[string, Record<string, unknown>]>([
  ['none', {}],
  ['an empty list', { categoricalValues: [] }],
  ['two', { numericValue: '1', booleanValue: true }],
  ['three', { categoricalValues: ['a'], numericValue: '1', booleanValue: true }],
])('a score has exactly one value: %s is refused', async (_name, values) => {
  await expect(prisma.traceScore.create({ data: { ...score, id: id(), ...values } })).rejects.toThrow('_check');
});

test.each<[string, Record<string, unknown>]>([
  ['categories', { categoricalValues: ['good'] }],
  ['a number, exact to six decimals', { numericValue: '-123456.000001' }],
  ['false', { booleanValue: false }],
])('a score has exactly one value: %s is stored', async (_name, values) => {
  const { numericValue, ...stored } = await prisma.traceScore.create({ data: { ...score, id: id(), ...values } });
  expect({ ...stored, ...(numericValue !== null && { numericValue: numericValue.toFixed(6) }) }).toMatchObject(values);
});

test('the keys of a config keep their order', async () => {
  const config = { step: 0.5, max: 5, min: null, passing_rule: { threshold: 3, operator: 'gte' } };
  await prisma.scoreDefinitionVersion.create({
    data: { id: id(), definitionId: score.definitionId, version: 2, config },
  });
  const stored = await prisma.scoreDefinitionVersion.findFirstOrThrow({
    where: { definitionId: score.definitionId, version: 2 },
  });
  expect(JSON.stringify(stored.config)).toBe(JSON.stringify(config));
});

test('the rows of a project go with it', async () => {
  await prisma.traceScore.create({ data: { ...score, id: id(), booleanValue: true } });
  await prisma.project.delete({ where: { id: projectId } });
  const left = await Promise.all([
    prisma.scoreDefinition.count({ where: { projectId } }),
    prisma.scoreDefinitionVersion.count({ where: { definitionId: score.definitionId } }),
    prisma.reviewQueue.count({ where: { projectId } }),
    prisma.reviewQueueItem.count({ where: { projectId } }),
    prisma.traceReview.count({ where: { projectId } }),
    prisma.traceScore.count({ where: { reviewId } }),
  ]);
  expect(left).toEqual([0, 0, 0, 0, 0, 0]);
});
