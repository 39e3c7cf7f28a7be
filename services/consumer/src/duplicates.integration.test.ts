import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { encodeBundle } from '@millrace/captured-event/event-bundle.ts';
import { openEventLog } from '@millrace/event-log/open-event-log.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createApp } from './app.ts';
import { createHarness, type Harness, type TestEvent } from './test/harness.ts';

let harness: Harness;
let app: ReturnType<typeof createApp> | null = null;

beforeEach(async () => {
  harness = await createHarness();
}, 60_000);

afterEach(async () => {
  await app?.stop();
  await harness.close();
}, 30_000);

async function start(): Promise<void> {
  app = createApp(harness.config);
  await app.start();
}

async function stop(): Promise<void> {
  await app?.stop();
  app = null;
}

const uuid = (number: number): string => `0190f3a0-0000-4000-8000-${String(number).padStart(12, '0')}`;
const now = (): string => new Date().toISOString().replace('Z', '000Z');
const events = (from: number, to: number, change: TestEvent = {}): TestEvent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    uuid: uuid(from + index),
    distinctId: `user ${(from + index) % 20}`,
    timestamp: now(),
    ...change,
  }));

async function expectStored(count: number): Promise<void> {
  await eventually(async () => expect(await harness.counts()).toEqual({ rows: count, uuids: count }));
}

/** Number of events for which ClickHouse was queried since the start. */
async function requested(): Promise<number> {
  const text = await (await fetch(`${app?.operationsUrl()}/metrics`)).text();
  const counts = text.matchAll(/^millrace_consumer_duplicate_lookups_total\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Sets the group's commits of main back to the beginning, as a restored backup would. */
async function setBack(): Promise<void> {
  const committed = Promise.withResolvers<void>();
  let left = harness.log.partitions;
  const subscription = await harness.log.subscribe({
    group: harness.config.group,
    lanes: ['main'],
    onStream: async (stream) => {
      await stream.commit({ offset: 0n, metadata: '' });
      if (--left === 0) committed.resolve();
    },
  });
  await committed.promise;
  await subscription.close();
}

describe('an event that comes twice is one row (contract/decisions 35)', () => {
  test('also after a restart, which looks up only a few first events of each stream in ClickHouse', async () => {
    await start();
    await harness.send(events(1, 2_000));
    await expectStored(2_000);
    await stop();
    await start();
    await harness.send([...events(1_001, 2_000), ...events(2_001, 2_100)]);
    await expectStored(2_100);
    await harness.send(events(2_101, 4_000));
    await expectStored(4_000);
    // The thousand were met in the log, so ClickHouse was queried for them; of the new ones, at most a few at the
    // beginning.
    expect(await requested()).toBeGreaterThanOrEqual(1_000);
    expect(await requested()).toBeLessThan(1_300);
  });

  test('when the second comes by another lane, in whatever order', async () => {
    await start();
    await Promise.all([harness.send(events(1, 500)), harness.send(events(1, 500), { lane: 'overflow' })]);
    await harness.send([...events(1, 500), { uuid: uuid(501), distinctId: 'end' }]);
    await expectStored(501);
  });

  test('when a commit was set back', async () => {
    await start();
    await harness.send(events(1, 3_000));
    await expectStored(3_000);
    await stop();
    await setBack();
    await start();
    await harness.send(events(3_001, 3_020));
    await expectStored(3_020);
  });

  test('when it is far older than what is remembered', async () => {
    await start();
    await harness.send(events(1, 100, { timestamp: '2025-01-02T03:04:05.000000Z' }));
    await expectStored(100);
    await stop();
    // Nothing is left to fill the memory from: the log was created again.
    const eventLog = { ...harness.config.eventLog, dir: `${harness.config.eventLog.dir}-new` };
    const log = await openEventLog(eventLog, { writer: 'capture' });
    const again = events(2, 101, { timestamp: '2025-01-02T13:04:05.000000Z' }).map((event) => harness.entry(event));
    await log.append('main', [
      { partition: 0, payload: encodeBundle(again.slice(0, 50)) },
      { partition: 0, payload: encodeBundle(again.slice(50)) },
    ]);
    app = createApp({ ...harness.config, eventLog });
    await app.start();
    await expectStored(101);
    await log.close();
  });
});
