import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createHarness, type Harness, type TestEvent } from '../test/harness.ts';

// The promise to all tenants: nobody's events of old months bring ClickHouse to so many parts that inserts fail.
let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
}, 60_000);
afterAll(() => harness?.close(), 30_000);

const old = (lane: string): TestEvent[] =>
  Array.from({ length: 240 }, (_, month) => ({
    event: lane,
    distinctId: `${lane}-${month}`,
    timestamp: new Date(Date.UTC(1990, month, 3)).toISOString().replace('Z', '000Z'),
  }));
const storedOf = async (event: string): Promise<number> =>
  Number(
    (
      await harness.rows<{ rows: string }>(
        `SELECT count() AS rows FROM analytics.events WHERE team_id = {team:Int64} AND event = '${event}'`,
      )
    )[0]?.rows,
  );

test('while the table of events has too many parts, the lanes of past events wait, main continues, and nothing is lost', async () => {
  // Two months are two parts at least.
  await harness.send([
    { event: 'first', distinctId: 'a' },
    { event: 'first', distinctId: 'a', timestamp: '2001-02-03T04:05:06.000000Z' },
  ]);
  const limited = harness.startChild(undefined, { eventPartsMax: 1, logLevel: 'warn' });
  await eventually(() => expect(limited.output()).toContain('the lanes overflow and historical wait'), {
    deadlineMs: 30_000,
  });
  for (const lane of ['historical', 'overflow'] as const) await harness.send(old(lane), { lane });
  await harness.send([{ event: 'main', distinctId: 'b' }]);
  await eventually(async () => expect(await storedOf('main')).toBe(1), { deadlineMs: 30_000 });
  expect([await storedOf('historical'), await storedOf('overflow')]).toEqual([0, 0]);
  limited.process.kill('SIGTERM');
  expect(await limited.exited).toBe(0);

  const free = harness.startChild();
  await eventually(async () => expect([await storedOf('historical'), await storedOf('overflow')]).toEqual([240, 240]), {
    deadlineMs: 60_000,
  });
  free.process.kill('SIGTERM');
  expect(await free.exited).toBe(0);
}, 120_000);
