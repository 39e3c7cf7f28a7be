import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { openTestPrisma, type TestPrisma } from '@millrace/postgres/testing/open-test-prisma.ts';
import { Registry } from '@millrace/runtime/operations/metrics.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { observeAlerts } from '../alert-metrics.ts';
import { createAlertSender, type SenderOptions } from './alert-sender.ts';

let database: TestPrisma;
let prisma: PrismaClient;
beforeAll(async () => {
  database = await openTestPrisma();
  ({ prisma } = database);
});
afterAll(() => database?.close());

test('alerts that wait are counted by channel, with the age of the oldest; those with an end are none of them', async () => {
  const projectId = await database.makeProject();
  const add = (channel: string, status: string, agesSeconds: readonly number[]) =>
    prisma.errorTrackingAlertDelivery.createMany({
      data: agesSeconds.map((age) => ({
        ...{ id: crypto.randomUUID(), projectId, channel, status, type: 'issue.created' },
        createdAt: new Date(Date.now() - age * 1_000),
      })),
    });
  await add('webhook', 'pending', [100, 1_000]);
  for (const status of ['delivered', 'failed', 'digested']) await add('webhook', status, [5_000]);
  const registry = new Registry();
  // No queue is due: nothing is sent.
  const options = { prisma, clock: { nowMs: Date.now }, logger: { warn: () => undefined } } as unknown as SenderOptions;
  const sender = createAlertSender({ ...options, observer: observeAlerts(registry), countEveryMs: 20 });
  const figure = async (name: string, channel: string): Promise<number | undefined> => {
    const metric = await registry.getSingleMetric(`millrace_api_alerts_waiting${name}`)?.get();
    return metric?.values.find(({ labels }) => labels['channel'] === channel)?.value;
  };
  await sender.start?.();
  try {
    await eventually(async () => expect(await figure('', 'webhook')).toBe(2));
    const oldest = await figure('_oldest_seconds', 'webhook');
    expect(oldest).toBeGreaterThanOrEqual(1_000);
    expect(oldest).toBeLessThan(1_100);
    expect([await figure('', 'mail'), await figure('_oldest_seconds', 'mail')]).toEqual([0, 0]);
    await prisma.errorTrackingAlertDelivery.updateMany({ data: { status: 'delivered' } });
    await eventually(async () => expect(await figure('', 'webhook')).toBe(0));
    expect(await figure('_oldest_seconds', 'webhook')).toBe(0);
  } finally {
    await sender.stop?.();
  }
});
