import { describe, expect, test } from '@jest/globals';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createExecutionTimes } from './execution-times.ts';

type Written = Record<string, string>[];

/** A fake of Postgres. The test decides when a write fails or waits. */
function times(write: (written: Written) => Promise<void>) {
  const warnings: string[] = [];
  const prisma = {
    $executeRaw: (_sql: TemplateStringsArray, ids: string[], at: string[]) =>
      Object.fromEntries(ids.map((id, index) => [id, at[index]])),
    $transaction: write,
  } as unknown as PrismaClient;
  const logger = { warn: (_fields: object, message: string) => void warnings.push(message) } as unknown as Logger;
  return { made: createExecutionTimes(prisma, logger, { everyMs: 1 }), warnings };
}
const iso = (ms: number): string => new Date(ms).toISOString();

describe('execution times of endpoints and versions', () => {
  test('are written at the stop, the last one of each', async () => {
    const written: Written[] = [];
    const { made } = times((all) => Promise.resolve(void written.push(all)));
    made.record('e', 'v1', 1_000);
    made.record('e', 'v2', 2_000);
    await made.stop();
    expect(written).toEqual([[{ e: iso(2_000) }, { v1: iso(1_000), v2: iso(2_000) }]]);
  });

  test('are written again after a failed write; a later time wins', async () => {
    let isDown = true;
    const written: Written[] = [];
    const { made, warnings } = times((all) =>
      isDown ? Promise.reject(new Error('down')) : Promise.resolve(void written.push(all)),
    );
    made.start();
    made.record('e', 'v1', 1_000);
    made.record('f', 'w', 1_000);
    await eventually(() => expect(warnings.length).toBeGreaterThan(1));
    made.record('e', 'v2', 3_000);
    isDown = false;
    await eventually(() => expect(written.length).toBeGreaterThan(0));
    await made.stop();
    expect(written).toEqual([
      [
        { e: iso(3_000), f: iso(1_000) },
        { v1: iso(1_000), v2: iso(3_000), w: iso(1_000) },
      ],
    ]);
  });

  test('are written before the stop ends, also by a write that runs already', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let begun = 0;
    const { made } = times(() => (begun++, promise));
    made.start();
    made.record('e', 'v', 1_000);
    await eventually(() => expect(begun).toBe(1));
    let isStopped = false;
    const stopped = made.stop().then(() => (isStopped = true));
    await new Promise((next) => setImmediate(next));
    expect(isStopped).toBe(false);
    resolve();
    await stopped;
    expect(begun).toBe(1);
  });
});
