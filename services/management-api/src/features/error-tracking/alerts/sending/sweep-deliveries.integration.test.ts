import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { openTestPrisma, type TestPrisma } from '@millrace/postgres/testing/open-test-prisma.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';

// contract/decisions 141: deliveries are kept for 7 days.

let database: TestPrisma;
let prisma: PrismaClient;
beforeAll(async () => {
  database = await openTestPrisma();
  ({ prisma } = database);
});
afterAll(() => database?.close());

/** A project with a delivery for each number of hours. */
async function fill(hours: number): Promise<void> {
  const projectId = await database.makeProject();
  await prisma.errorTrackingAlertQueue.create({ data: { projectId, channel: 'webhook' } });
  await prisma.$executeRaw`
    INSERT INTO error_tracking_alert_deliveries (id, project_id, channel, type, created_at)
    SELECT gen_random_uuid(), ${projectId}, 'webhook', 'issue.created', now() - hours * interval '1 hour'
    FROM generate_series(1, ${hours}::integer) AS hours`;
}

test('old deliveries are removed in portions, by two processes at once too; others stay', async () => {
  await fill(1_700);
  await fill(1_000);
  const removed: number[] = [];
  const counting = {
    $executeRaw: async (...statement: Parameters<PrismaClient['$executeRaw']>) => {
      const count = await prisma.$executeRaw(...statement);
      removed.push(count);
      return count;
    },
  } as PrismaClient;
  const options = { prisma: counting, clock: { nowMs: () => Date.now() + 1_000 } };
  await Promise.all([sweepDeliveries(options), sweepDeliveries(options)]);
  await sweepDeliveries(options);
  const [kept, old] = [2 * 7 * 24 - 2, 2_700 - (2 * 7 * 24 - 2)];
  expect(removed.reduce((sum, count) => sum + count, 0)).toBe(old);
  expect(Math.max(...removed)).toBe(1_000);
  expect(await prisma.errorTrackingAlertDelivery.count()).toBe(kept);
});
