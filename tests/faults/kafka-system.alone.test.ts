import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeOwnBroker } from '@millrace/event-log/kafka/testing/describe-kafka.ts';
import { startTestBroker, type TestBroker } from '@millrace/event-log/kafka/testing/test-broker.ts';
import { PostHog } from 'posthog-node';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { expectAllOnce, saveUuids } from '../support/exactly-once.ts';
import { rowsTwice } from '../support/rows-twice.ts';
import { startSteadyLoad, type SteadyLoad } from '../support/steady-load.ts';
import { saveStoredEvents, storedEvents } from '../support/stored-events.ts';
import { startSystem, type System } from '../support/system.ts';

// The launcher with its event log in Kafka. What dies, hangs or is away there, the scenarios do: scenarios-kafka.alone.test.ts.
describeOwnBroker('the whole product', () => {
  let folder: string;
  let broker: TestBroker;
  let system: System;
  /** The same for each start: a second one finds what the first left. */
  const start = async (): Promise<void> => {
    const environment = { CAPTURE_PROCESSES: '2', KAFKA_SESSION_TIMEOUT_MS: '6000' };
    system = await startSystem(join(folder, 'data'), { args: ['--kafka', broker.address], environment });
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-kafka-system-'));
    broker = await startTestBroker();
    await start();
    await saveUuids(system.local());
    await saveStoredEvents(system.local());
  }, 180_000);

  afterAll(async () => {
    await system?.stop();
    await broker?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  // On a machine of two cores, a client that tries more often keeps what died from starting again.
  const load = (event: string): SteadyLoad =>
    startSteadyLoad({
      captureUrl: system.local().captureUrl,
      token: system.local().projectToken,
      event,
      perSecond: 50,
      retryMs: 500,
    });

  const comeIn = async (load: SteadyLoad, count: number): Promise<void> => {
    const before = load.acknowledged().length;
    await eventually(() => expect(load.acknowledged().length).toBeGreaterThan(before + count), { deadlineMs: 10_000 });
  };

  async function expectOnce(event: string, acknowledged: readonly string[]): Promise<void> {
    await expectAllOnce(system.local, event, acknowledged, 40_000);
    expect(await rowsTwice(system)).toEqual([]);
  }

  test('several processes take events, and local.json names each', () => {
    const { capture, consumer } = system.local().processes;
    expect(capture).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
    expect(consumer).toEqual(expect.any(Number));
  });

  test('1,000 events of posthog-node arrive exactly once, as they were sent', async () => {
    const { captureUrl, projectToken } = system.local();
    const sdk = new PostHog(projectToken, { host: captureUrl, flushAt: 100, flushInterval: 1_000 });
    for (let index = 0; index < 1_000; index++) {
      sdk.capture({
        distinctId: `user ${index % 50}`,
        event: 'bought',
        properties: { run: 'thousand', index, deep: { list: [index, 'zwölf'] } },
      });
    }
    await sdk.shutdown(20_000);
    const found = await eventually(
      async () => {
        const stored = await storedEvents(system.local(), 'thousand');
        expect(stored).toHaveLength(1_000);
        return stored;
      },
      { deadlineMs: 15_000 },
    );
    const sorted = found
      .map(({ count, distinctId, properties }) => [Number(properties['index']), count, distinctId, properties['deep']])
      .sort((a, b) => Number(a[0]) - Number(b[0]));
    expect(sorted).toEqual(
      Array.from({ length: 1_000 }, (_, index) => [index, 1, `user ${index % 50}`, { list: [index, 'zwölf'] }]),
    );
  }, 60_000);

  test('stopped under load and started again, with the broker restarted between: it continues where it was', async () => {
    const steady = load('restart');
    await comeIn(steady, 100);
    expect(await system.stop()).toMatchObject({ code: 0 });
    const acknowledged = [...steady.giveUp()];
    await broker.end('SIGTERM');
    await broker.startAgain();
    await start();
    await expectOnce('restart', acknowledged);
    const again = load('restart');
    await comeIn(again, 50);
    await expectOnce('restart', [...acknowledged, ...(await again.finish())]);
  }, 180_000);
});
