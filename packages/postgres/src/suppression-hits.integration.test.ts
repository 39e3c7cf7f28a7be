import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PrismaClient } from './generated/client.ts';
import { openTestPrisma, type TestPrisma } from './testing/open-test-prisma.ts';

let database: TestPrisma;
let prisma: PrismaClient;
let rules: string[];

beforeAll(async () => {
  database = await openTestPrisma();
  ({ prisma } = database);
  const projectId = await database.makeProject();
  rules = [crypto.randomUUID(), crypto.randomUUID()].sort();
  await prisma.suppressionRule.createMany({ data: rules.map((id) => ({ id, projectId, filters: {} })) });
});
afterAll(() => database?.close());

const add = (hits: { rule_id: string | undefined; day: string; dropped: number }[]) =>
  prisma.$executeRaw`SELECT add_suppression_hits(${JSON.stringify(hits)}::jsonb)`;
const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

test('hits add up by rule and day; rules that are gone are left out, and so are days long past', async () => {
  const [first, second] = rules;
  const today = dayAgo(0);
  await add([{ rule_id: first, day: dayAgo(120), dropped: 9 }]);
  await add([
    { rule_id: first, day: today, dropped: 2 },
    { rule_id: second, day: today, dropped: 1 },
    { rule_id: first, day: today, dropped: 3 },
    { rule_id: first, day: dayAgo(1), dropped: 5 },
    { rule_id: crypto.randomUUID(), day: today, dropped: 7 },
  ]);
  await add([{ rule_id: first, day: today, dropped: 10 }]);
  const hits = await prisma.suppressionRuleHit.findMany({ orderBy: [{ ruleId: 'asc' }, { day: 'asc' }] });
  expect(hits.map(({ ruleId, day, dropped }) => [ruleId, day.toISOString().slice(0, 10), Number(dropped)])).toEqual([
    [first, dayAgo(1), 5],
    [first, today, 15],
    [second, today, 1],
  ]);
});

test('a statement that changes rules is one change of the project, and an unknown rate is refused', async () => {
  const before = await prisma.$queryRaw<
    { count: number }[]
  >`SELECT count(*)::integer AS count FROM changes WHERE topic = 'suppression_rule'`;
  await prisma.suppressionRule.updateMany({ data: { orderKey: 3 } });
  const after = await prisma.$queryRaw<
    { count: number }[]
  >`SELECT count(*)::integer AS count FROM changes WHERE topic = 'suppression_rule'`;
  expect((after[0]?.count ?? 0) - (before[0]?.count ?? 0)).toBe(1);
  await expect(prisma.suppressionRule.updateMany({ data: { samplingRate: 1.1 } })).rejects.toThrow('sampling_rate');
});
