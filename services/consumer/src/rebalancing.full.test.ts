import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { describeOwnBroker } from '@millrace/event-log/kafka/testing/describe-kafka.ts';
import { startTestBroker, type TestBroker } from '@millrace/event-log/kafka/testing/test-broker.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startProxyTo } from '@millrace/testkit/tcp-proxy.ts';
import type { ConsumerConfig } from './config.ts';
import { startConsumerProcess, type ConsumerProcess } from './test/consumer-process.ts';
import { createHarness, type Harness } from './test/harness.ts';
import { startSteadyEvents, type SteadyEvents } from './test/steady-events.ts';

/** The default of the product. */
const sessionMs = 10_000;
/** Longer than a silent member keeps its streams, on either log. */
const stoppedMs = 16_000;

/** Consumers come and go under load; whoever has a stream, each event is stored once, and none waits for half a minute. */
function membersComeAndGo(eventLog: () => Record<string, string>, log: 'embedded' | 'kafka'): void {
  let harness: Harness;
  let running: ConsumerProcess[];
  let steady: SteadyEvents;

  beforeEach(async () => {
    harness = await createHarness(eventLog());
    running = [];
    await Promise.all([join('one'), join('two'), join('three')]);
    steady = startSteadyEvents(harness);
    await flow(200);
  }, 90_000);
  afterEach(async () => {
    await steady?.finish();
    for (const each of running) {
      each.signal('SIGKILL');
      await each.exited;
    }
    await harness?.close();
  }, 60_000);

  async function join(writer: string, changes: Partial<ConsumerConfig> = {}): Promise<ConsumerProcess> {
    const member = startConsumerProcess(
      { ...harness.config, writer, ...changes },
      { KAFKA_SESSION_TIMEOUT_MS: String(sessionMs) },
    );
    running.push(member);
    await member.started;
    return member;
  }

  /** So many more events are stored. */
  async function flow(count: number): Promise<void> {
    const { uuids } = await harness.counts();
    await eventually(async () => expect((await harness.counts()).uuids).toBeGreaterThan(uuids + count), {
      deadlineMs: 40_000,
      intervalMs: 100,
    });
  }

  async function expectOnce(): Promise<void> {
    const sent = await steady.finish();
    await eventually(async () => expect(await harness.counts()).toEqual({ rows: sent, uuids: sent }), {
      deadlineMs: 40_000,
      intervalMs: 100,
    });
    const {
      rows: [newest],
    } = await harness.sql.query<{ n: number }>("SELECT max((properties->>'n')::int) AS n FROM persons");
    expect(newest?.n).toBe(sent - 1);
    expect(await harness.deadLetters()).toEqual([]);
    process.stderr.write(`longest wait of an event: ${steady.longestWaitSeconds()} s of ${sent} events\n`);
    expect(steady.longestWaitSeconds()).toBeLessThan(30);
  }

  test('members join and leave', async () => {
    const four = await join('four');
    await flow(200);
    running[0]?.signal('SIGTERM');
    expect(await running[0]?.exited).toBe(0);
    await flow(200);
    four.signal('SIGTERM');
    expect(await four.exited).toBe(0);
    await join('five');
    await flow(200);
    await expectOnce();
  }, 180_000);

  test('one of three is killed (-9)', async () => {
    running[1]?.signal('SIGKILL');
    await running[1]?.exited;
    await flow(400);
    await join('two');
    await flow(200);
    await expectOnce();
  }, 180_000);

  if (log === 'kafka') {
    test('one is killed (-9) while another hangs in the middle of a batch and shows life: the group waits for neither too long', async () => {
      const { proxy, url } = await startProxyTo(harness.config.clickhouse.url);
      try {
        await join('hanging', { clickhouse: { ...harness.config.clickhouse, url } });
        await flow(400);
        proxy.state = 'silent';
        running[0]?.signal('SIGKILL');
        await flow(2_000);
        proxy.state = 'open';
        await flow(400);
        await expectOnce();
      } finally {
        await proxy.close();
      }
    }, 240_000);
  }

  test('one of three stops for longer than its session, and continues as before', async () => {
    running[1]?.signal('SIGSTOP');
    const since = performance.now();
    await eventually(() => expect(performance.now() - since).toBeGreaterThan(stoppedMs), { deadlineMs: 2 * stoppedMs });
    await flow(200);
    running[1]?.signal('SIGCONT');
    await flow(400);
    // It is a member again, or has left and would be started again.
    running[0]?.signal('SIGKILL');
    running[2]?.signal('SIGKILL');
    await flow(400);
    await expectOnce();
  }, 240_000);
}

describe('several consumers of an embedded log', () => membersComeAndGo(() => ({}), 'embedded'));

describeOwnBroker('several consumers', () => {
  let broker: TestBroker;
  beforeAll(async () => {
    broker = await startTestBroker();
  }, 120_000);
  afterAll(() => broker.stop(), 30_000);
  membersComeAndGo(() => ({ KAFKA_BROKERS: broker.address, KAFKA_TOPIC_PREFIX: `test-${randomUUID()}.` }), 'kafka');
});
