import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import kafkajs from 'kafkajs';
import type { LogUnderTest } from '../contract-suite.ts';
import { LogUnavailableError, OutcomeUnknownError, type EventLog } from '../event-log.ts';
import { Begun } from '../testing/begun.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { logEpochOf, readLane, type Found } from '../testing/read-log.ts';
import type { Child } from '../testing/start-child.ts';
import { LogTopicsError } from './log-topics.ts';
import { openKafkaLog, type KafkaLogOptions } from './kafka-log.ts';
import { describeOwnBroker } from './testing/describe-kafka.ts';
import { startProxy, type Proxy } from './testing/proxy.ts';
import { startTestBroker, type TestBroker } from './testing/test-broker.ts';
import { topicOf } from './topic-names.ts';

describeOwnBroker('appends', () => {
  let proxy: Proxy;
  let broker: TestBroker;
  let log: LogUnderTest;
  let begun: Begun;

  beforeAll(async () => {
    proxy = await startProxy();
    // Clients come in by its own port and are sent on to the address that the broker announces.
    broker = await startTestBroker({ 'advertised.listeners': `PLAINTEXT://127.0.0.1:${proxy.port}` });
    proxy.target = Number(broker.address.split(':')[1]);
  }, 90_000);
  afterAll(async () => {
    await broker.stop();
    await proxy.close();
  }, 30_000);

  beforeEach(() => {
    log = broker.log({ appendDeadlineMs: 2_000 });
    begun = new Begun();
    proxy.replyDelayMs = 0;
  });
  afterEach(async () => {
    await begun.end();
    await log.destroy();
  }, 30_000);

  const open = async (writer?: string): Promise<EventLog> => begun.keep(await log.open(writer));
  const appender = (name: string): Child =>
    begun.start({ do: 'append', log: log.opener(name), lane: 'main', name, bytes: 500, width: 32 });
  const optionsOf = (): KafkaLogOptions => log.opener('capture').options as unknown as KafkaLogOptions;

  test('the broker is killed (-9) and comes back: all that was acknowledged is there, once and in order', async () => {
    const child = appender('child');
    for (let round = 1; round <= 2; round++) {
      const soFar = child.acked().length;
      await waitUntil(() => child.acked().length > soFar + 300, 'acknowledgements');
      await broker.end('SIGKILL');
      await broker.startAgain();
      await waitUntil(() => child.acked().length > soFar + 700, 'acknowledgements after the restart', 30_000);
    }
    await child.end();
    await expectOnceInOrder(await open('last'), child);
  }, 180_000);

  test('a lost reply or request costs nothing and doubles nothing', async () => {
    const child = appender('child');
    for (let round = 0; round < 12; round++) {
      const soFar = child.acked().length;
      await waitUntil(() => child.acked().length > soFar + 50, 'acknowledgements');
      await (round % 3 === 2 ? proxy.loseRequest() : proxy.loseReply());
    }
    const soFar = child.acked().length;
    await waitUntil(() => child.acked().length > soFar + 50, 'acknowledgements in the end');
    await child.end();
    expect(child.lines.filter((line) => line.startsWith('failed'))).toEqual([]);
    await expectOnceInOrder(await open('last'), child);
  }, 120_000);

  test('while the broker is away each append has an outcome in time, and the log is unhealthy; afterwards it recovers by itself', async () => {
    const writer = await open('capture');
    await writer.append('main', [record(0, 'before')]);
    await broker.end('SIGTERM');
    const beganMs = performance.now();
    const [first, ...others] = await Promise.all(['first', 'second', 'third'].map((text) => outcome(writer, text)));
    // The one that was on its way may arrive; what waited after it was never sent.
    expect(first).toBe(OutcomeUnknownError.name);
    expect(performance.now() - beganMs).toBeLessThan(3_000);
    expect(await outcome(writer, 'fourth')).toBe(LogUnavailableError.name);
    expect(others).toHaveLength(2);
    expect(writer.unhealthyReason()).toMatch(/has not confirmed/);
    await broker.startAgain();
    await waitUntil(async () => (await outcome(writer, 'after')) === 'written', 'an append that works', 20_000);
    await waitUntil(() => writer.unhealthyReason() === null, 'a healthy log');
    const texts = (await readLane(writer, 'main', (found) => found.some(({ text }) => text === 'after'))).map(
      ({ text }) => text,
    );
    expect(texts.slice(0, 4)).toEqual(['before', 'first', 'second', 'third']);
    expect(texts).not.toContain('fourth');
  }, 120_000);

  test('an idle log notices that its broker is away; closing then takes seconds, not for ever', async () => {
    const writer = await open('capture');
    await broker.end('SIGTERM');
    try {
      await waitUntil(() => writer.unhealthyReason() !== null, 'an unhealthy log');
      const pending = outcome(writer, 'x');
      const beganMs = performance.now();
      await writer.close();
      expect(performance.now() - beganMs).toBeLessThan(8_000);
      expect(await pending).not.toBe('written');
    } finally {
      await broker.startAgain();
    }
  }, 90_000);

  test('a broker that answers late is waited for: appends keep their order, and many leave together', async () => {
    const writer = await open('capture');
    proxy.replyDelayMs = 300;
    const beganMs = performance.now();
    await Promise.all(
      Array.from({ length: 400 }, (_, number) => writer.append('main', [record(number % 2, `late:${number}`)])),
    );
    // Two requests or three, not 400.
    expect(performance.now() - beganMs).toBeLessThan(3_000);
    proxy.replyDelayMs = 0;
    expectOrder(await readLane(writer, 'main', ({ length }) => length === 400));
  }, 30_000);

  test('an append that is more than one request takes is split, in order', async () => {
    log = broker.log({ appendDeadlineMs: 20_000 });
    const writer = await open('capture');
    const records = Array.from({ length: 40 }, (_, number) => record(3, `big:${number}`.padEnd(500_000, '.')));
    await writer.append('main', records);
    const found = await readLane(writer, 'main', ({ length }) => length === 40);
    expect(found.map(({ text }) => text)).toEqual(Array.from({ length: 40 }, (_, number) => `big:${number}`));
  }, 60_000);

  describe('a record that is too large', () => {
    test('for the topic is refused before it is sent; others are taken', async () => {
      const writer = await open('capture');
      const large = writer.append('main', [record(0, 'x'.repeat(5_000_000))]);
      await expect(large).rejects.toThrow(LogUnavailableError);
      await writer.append('main', [record(0, 'small')]);
    });

    test('since the topic was set to take less: it alone fails; its neighbours in the request, and what comes later, are there once', async () => {
      const writer = await open('capture');
      const admin = broker.kafka.admin();
      await admin.connect();
      const name = topicOf(optionsOf().topicPrefix, 'main');
      await admin.alterConfigs({
        validateOnly: false,
        resources: [
          {
            type: kafkajs.ConfigResourceTypes.TOPIC,
            name,
            configEntries: [{ name: 'max.message.bytes', value: '100000' }],
          },
        ],
      });
      await admin.disconnect();
      const sent: string[] = [];
      for (let round = 0; round < 5; round++) {
        const large = writer.append('main', [record(0, 'x'.repeat(200_000))]);
        const small = Array.from({ length: 8 }, (_, partition) => `round ${round} of ${partition}`);
        await Promise.all([
          expect(large).rejects.toThrow(/MESSAGE_TOO_LARGE/),
          ...small.slice(1).map((text, index) => writer.append('main', [record(index + 1, text)])),
        ]);
        sent.push(...small.slice(1));
      }
      await writer.append(
        'main',
        Array.from({ length: 7 }, (_, index) => record(index + 1, 'end')),
      );
      const found = await readLane(writer, 'main', (all) => all.filter(({ text }) => text === 'end').length === 7);
      expect(
        found
          .map(({ text }) => text)
          .filter((text) => text !== 'end')
          .sort(),
      ).toEqual(sent.sort());
    }, 60_000);
  });

  describe('the topics', () => {
    test('made anew give the log another epoch', async () => {
      const before = await logEpochOf(await open('capture'), 'main');
      await log.destroy();
      // The deletion may be seen a moment later.
      let again: EventLog | null = null;
      let logEpoch = before;
      await waitUntil(async () => {
        await again?.close();
        again = await log.open('capture').catch(() => null);
        if (again !== null) logEpoch = await logEpochOf(again, 'main');
        return logEpoch !== before;
      }, 'another log epoch');
      await (again as EventLog | null)?.close();
    }, 60_000);

    test('of a lane that is added change the log epoch of no other', async () => {
      const writer = await open('capture');
      const [main, overflow] = [await logEpochOf(writer, 'main'), await logEpochOf(writer, 'overflow')];
      expect(overflow).not.toBe(main);
      const admin = broker.kafka.admin();
      await admin.connect();
      await admin.deleteTopics({ topics: [topicOf(optionsOf().topicPrefix, 'overflow')] });
      await admin.disconnect();
      const later = await open();
      expect(await logEpochOf(later, 'main')).toBe(main);
      expect(await logEpochOf(later, 'overflow')).not.toBe(overflow);
    }, 60_000);

    test('made by other means are refused, for lack of a mark, unless the log is given an id', async () => {
      const options = optionsOf();
      const admin = broker.kafka.admin();
      await admin.connect();
      await admin.createTopics({
        waitForLeaders: false,
        topics: [{ topic: topicOf(options.topicPrefix, 'main'), numPartitions: 8 }],
      });
      await admin.disconnect();
      await expect(openKafkaLog(options)).rejects.toThrow(/has no mark/);
      const given = await openKafkaLog({ ...options, id: 'given' });
      expect(await logEpochOf(given, 'main')).toBe('given');
      await given.close();
    }, 30_000);

    test('that differ in their partitions are refused', async () => {
      const options = optionsOf();
      const admin = broker.kafka.admin();
      await admin.connect();
      await admin.createTopics({
        waitForLeaders: false,
        topics: [{ topic: topicOf(options.topicPrefix, 'main'), numPartitions: 5 }],
      });
      await admin.disconnect();
      await expect(openKafkaLog(options)).rejects.toThrow(LogTopicsError);
    }, 30_000);
  });

  test('a broker that is not there is a clear error in time', async () => {
    const beganMs = performance.now();
    await expect(openKafkaLog({ brokers: ['127.0.0.1:1'], topicPrefix: 'x.', openDeadlineMs: 1_000 })).rejects.toThrow(
      /Kafka cannot be used: .*ECONNREFUSED/,
    );
    expect(performance.now() - beganMs).toBeLessThan(15_000);
  }, 30_000);
});

function record(partition: number, text: string): { partition: number; payload: Buffer } {
  return { partition, payload: Buffer.from(text) };
}

function outcome(log: EventLog, text: string): Promise<string> {
  return log.append('main', [record(0, text)]).then(
    () => 'written',
    (error: Error) => error.name,
  );
}

/** Checks a child's records: acknowledged ones are there once, others at most once, all in order. */
async function expectOnceInOrder(log: EventLog, child: Child): Promise<void> {
  await log.append(
    'main',
    Array.from({ length: log.partitions }, (_, partition) => record(partition, 'end')),
  );
  const found = await readLane(
    log,
    'main',
    (all) => all.filter(({ text }) => text === 'end').length === log.partitions,
  );
  const times = new Map<string, number>();
  for (const { text } of found) if (text !== 'end') times.set(text, (times.get(text) ?? 0) + 1);
  expect(child.acked().filter((number) => !times.has(`child:${number}`))).toEqual([]);
  expect([...times].filter(([, count]) => count > 1)).toEqual([]);
  expectOrder(found);
}

function expectOrder(found: readonly Found[]): void {
  const last = new Map<number, number>();
  for (const { id, text } of found) {
    const number = Number(text.split(':')[1]);
    if (Number.isNaN(number)) continue;
    expect(number).toBeGreaterThan(last.get(id.partition) ?? -1);
    last.set(id.partition, number);
  }
}
