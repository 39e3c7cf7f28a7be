import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aborted } from '@millrace/runtime/aborted.ts';
import type { LogUnderTest } from '../contract-suite.ts';
import {
  LogUnavailableError,
  OffsetGoneError,
  StreamRevokedError,
  type AssignedStream,
  type Commit,
  type EventLog,
  type LogCut,
} from '../event-log.ts';
import { Begun } from '../testing/begun.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { gather } from '../testing/read-log.ts';
import type { Child } from '../testing/start-child.ts';
import { withStream } from '../testing/with-stream.ts';
import type { KafkaLogOptions } from './kafka-log.ts';
import { describeOwnBroker } from './testing/describe-kafka.ts';
import { startTestBroker, type TestBroker } from './testing/test-broker.ts';
import { topicOf } from './topic-names.ts';

describeOwnBroker('groups', () => {
  let broker: TestBroker;
  let log: LogUnderTest;
  let begun: Begun;

  beforeAll(async () => {
    broker = await startTestBroker();
  }, 90_000);
  afterAll(() => broker.stop(), 30_000);

  beforeEach(() => {
    log = broker.log();
    begun = new Begun();
  });
  afterEach(async () => {
    await begun.end();
    await log.destroy();
  }, 30_000);

  const open = async (writer?: string): Promise<EventLog> => begun.keep(await log.open(writer));
  const subscriber = (): Child => begun.start({ do: 'subscribe', log: log.opener(), lane: 'main', group: 'g' });

  test('members join, leave, are killed (-9): every record is read, in order within each assignment', async () => {
    const writer = await open('capture');
    const one = subscriber();
    await one.said('assigned');
    let number = 0;
    const append = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n++, number++) await writer.append('main', [record(number % 8, `${number}`)]);
    };
    await append(200);
    const two = subscriber();
    await two.said('assigned');
    await append(200);
    const three = subscriber();
    await three.said('assigned');
    await append(200);
    await two.kill();
    await append(200);
    await one.end();
    await append(200);
    const readBy = (child: Child): number[] =>
      child.lines.filter((line) => line.startsWith('read ')).map((line) => Number(line.split(' ')[3]));
    await waitUntil(() => new Set(begun.children.flatMap(readBy)).size === number, 'every record', 30_000);
    await waitUntil(
      () => three.lines.filter((line) => line.startsWith('assigned')).length > 8,
      'the last member to have taken over',
    );
    // Committed records are not read again: only those between reading and committing when a member went.
    expect(begun.children.flatMap(readBy).length).toBeLessThan(number + 100);
  }, 90_000);

  test('a zombie (SIGSTOP, others took over, SIGCONT) is refused its commit; what the others committed stays', async () => {
    const writer = await open('capture');
    const zombie = subscriber();
    await waitUntil(() => zombie.lines.filter((line) => line.startsWith('assigned')).length === 8, 'all partitions');
    // It is stopped in the middle of its work: it has read records that it will want to commit.
    const flood = Array.from({ length: 2_000 }, (_, number) => record(number % 8, `${number}`));
    await writer.append('main', flood);
    await zombie.said('committed');
    zombie.signal('SIGSTOP');
    const heir = await gather(await open(), { group: 'g', lanes: ['main'], commits: true });
    await waitUntil(() => heir.streams.size === 8, 'the heir to have all partitions', 20_000);
    await waitUntil(
      async () =>
        (await Promise.all([...heir.streams.values()].map(async (stream) => (await stream.end()) === 250n))).every(
          Boolean,
        ),
      'the ends',
    );
    await waitUntil(
      () => new Set(heir.found.map(({ id, offset }) => (offset === 249n ? id.partition : -1))).size >= 8,
      'the heir to have read all',
    );
    zombie.signal('SIGCONT');
    await zombie.said('refused');
    expect(zombie.lines.find((line) => line.startsWith('refused'))).toContain(StreamRevokedError.name);
    await zombie.kill();
    await heir.close();
    const committed = await commitsOf(writer);
    expect([...committed.values()]).toEqual(Array.from({ length: 8 }, () => 250n));
  }, 90_000);

  test('a partition goes to another member only when its handler has returned, however long that takes; it can commit until then', async () => {
    const writer = await open('capture');
    await writer.append('main', [record(0, 'x')]);
    const events: string[] = [];
    const release = Promise.withResolvers<void>();
    const slow = await writer.subscribe({
      group: 'g',
      lanes: ['main'],
      onStream: async (stream) => {
        await aborted(stream.revoked);
        if (stream.id.partition !== 0 || events.length > 0) return;
        events.push('revoked');
        await release.promise;
        await stream.commit({ offset: 1n, metadata: 'finished' });
        events.push('returned');
      },
    });
    const second = await open();
    const joining = second.subscribe({
      group: 'g',
      lanes: ['main'],
      onStream: async (stream) => {
        if (stream.id.partition === 0)
          events.push(`taken over at ${stream.committed?.offset} ${stream.committed?.metadata}`);
        await aborted(stream.revoked);
      },
    });
    await waitUntil(() => events.length === 1, 'the revocation');
    // Longer than the session would last without a sign of life is not waited for: a second is longer than any join.
    setTimeout(() => release.resolve(), 1_000);
    const joined = await joining;
    await waitUntil(() => events.length >= 2, 'the first to return');
    await slow.close();
    await waitUntil(() => events.length === 3, 'the second to take over', 20_000);
    expect(events).toEqual(['revoked', 'returned', 'taken over at 1 finished']);
    await joined.close();
  }, 60_000);

  test('records that retention removed are reported; a group without a commit begins at the oldest record', async () => {
    const writer = await open('capture');
    await writer.append(
      'main',
      Array.from({ length: 20 }, (_, number) => record(0, `${number}`)),
    );
    const admin = broker.kafka.admin();
    await admin.connect();
    const topic = topicOf((log.opener().options as unknown as KafkaLogOptions).topicPrefix, 'main');
    // kafkajs knows a topic here only after a request about it.
    await admin.fetchTopicOffsets(topic);
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '12' }] });
    await admin.disconnect();
    await withStream(writer, { lane: 'main', partition: 0, group: 'g' }, async (stream) => {
      await expect(stream.read(3n, { maxBytes: 1, waitMs: 100 })).rejects.toThrow(OffsetGoneError);
      expect((await stream.read(0n, { maxBytes: 1_000, waitMs: 5_000 }))[0]?.offset).toBe(12n);
      await stream.commit({ offset: 5n, metadata: 'before what is kept' });
    });
    await withStream(writer, { lane: 'main', partition: 0, group: 'g' }, async (stream) => {
      // kafkajs has not put something else in its place.
      expect(stream.committed).toEqual({ offset: 5n, metadata: 'before what is kept' });
      await expect(stream.read(5n, { maxBytes: 1, waitMs: 100 })).rejects.toThrow(OffsetGoneError);
    });
  }, 30_000);

  test('existing records are read also without a wait', async () => {
    const writer = await open('capture');
    await writer.append(
      'main',
      Array.from({ length: 8 }, (_, partition) => record(partition, 'x')),
    );
    let found = 0;
    const subscription = await writer.subscribe({
      group: 'g',
      lanes: ['main'],
      onStream: async (stream) => {
        const records = await stream.read(0n, { maxBytes: 1_000, waitMs: 0 });
        found += records.length;
      },
    });
    await waitUntil(() => found === 8, 'the records');
    await subscription.close();
  }, 30_000);

  test('streams without a reader hold little memory; their records come when they are read', async () => {
    const writer = await open('capture');
    const payload = Buffer.alloc(100_000, 'x');
    for (let round = 0; round < 80; round++)
      await writer.append(
        'main',
        Array.from({ length: 8 * 3 }, (_, number) => ({ partition: number % 8, payload })),
      );
    const before = arrayBuffers();
    const streams: AssignedStream[] = [];
    const subscription = await writer.subscribe({
      group: 'g',
      lanes: ['main'],
      onStream: async (stream) => {
        streams.push(stream);
        expect(await stream.read(0n, { maxBytes: 1, waitMs: 5_000 })).toHaveLength(1);
        await aborted(stream.revoked);
      },
    });
    await waitUntil(() => streams.length === 8, 'all streams');
    const until = performance.now() + 1_500;
    // 192 MB lie in the log; a stream fetches 1 MB ahead, one fetch may bring another, and what was read is freed later.
    await waitUntil(() => {
      expect(arrayBuffers() - before).toBeLessThan(80_000_000);
      return performance.now() > until;
    }, 'the time to pass');
    for (const stream of streams) {
      let next = 1n;
      while (next < 240n)
        for (const { offset } of await stream.read(next, { maxBytes: 2_000_000, waitMs: 5_000 })) next = offset + 1n;
    }
    await subscription.close();
  }, 60_000);

  test('a broker that hangs, then one that is killed: reads fail and the log is unhealthy; afterwards they continue where they were', async () => {
    const writer = await open('capture');
    const failures: unknown[] = [];
    const found: string[] = [];
    const subscription = await writer.subscribe({
      group: 'g',
      lanes: ['main'],
      onStream: async (stream) => {
        let next = stream.committed?.offset ?? 0n;
        while (!stream.revoked.aborted && stream.id.partition === 0) {
          try {
            for (const { offset, payload } of await stream.read(next, { maxBytes: 1_000, waitMs: 500 })) {
              await stream.commit({ offset: offset + 1n, metadata: '' });
              next = offset + 1n;
              found.push(payload.toString());
            }
          } catch (error) {
            failures.push(error);
          }
        }
        await aborted(stream.revoked);
      },
    });
    const arrives = async (text: string): Promise<void> => {
      await waitUntil(
        () =>
          writer.append('main', [record(0, text)]).then(
            () => true,
            () => false,
          ),
        'an append',
        30_000,
      );
      await waitUntil(() => found.includes(text), 'its record', 30_000);
    };
    await arrives('before');
    process.kill(broker.pid, 'SIGSTOP');
    await waitUntil(() => failures.some((failure) => failure instanceof LogUnavailableError), 'a read that says so');
    process.kill(broker.pid, 'SIGCONT');
    await arrives('after it hung');
    await broker.end('SIGKILL');
    await waitUntil(() => writer.unhealthyReason() !== null, 'an unhealthy log');
    await broker.startAgain();
    await arrives('after it was killed');
    expect(found.filter((text) => text === 'before')).toHaveLength(1);
    await subscription.close();
  }, 150_000);

  describe('a log that has lost its end', () => {
    /** Puts the group's commit of partition 0 there, as if more had been read than there is. */
    async function commitAt(offset: string): Promise<void> {
      const { topicPrefix } = log.opener('capture').options as unknown as KafkaLogOptions;
      const admin = broker.kafka.admin();
      await admin.connect();
      await waitUntil(
        () =>
          admin
            .setOffsets({
              groupId: `${topicPrefix}g`,
              topic: topicOf(topicPrefix, 'main'),
              partitions: [{ partition: 0, offset }],
            })
            .then(
              () => true,
              () => false,
            ),
        'an empty group',
        20_000,
      );
      await admin.disconnect();
    }

    test.each([
      ['1000', 1000n],
      ['-2', null],
    ])(
      'is noticed at the next start (commit %s): what is kept is read again, under a log epoch that stays',
      async (offset, read) => {
        const writer = await open('capture');
        for (const text of ['a', 'b', 'c']) await writer.append('main', [record(0, text)]);
        let first = '';
        await withStream(writer, { lane: 'main', partition: 0, group: 'g' }, async (stream) => {
          first = stream.logEpoch;
          await stream.commit({ offset: 3n, metadata: 'pending:1-2' });
        });
        await commitAt(offset);
        const cuts: LogCut[] = [];
        const logEpochs: string[] = [];
        for (const from of [0n, 2n]) {
          const committed: (Commit | null)[] = [];
          await withStream(
            await open(),
            { lane: 'main', partition: 0, group: 'g', onCut: (cut) => cuts.push(cut) },
            async (stream) => {
              committed.push(stream.committed);
              logEpochs.push(stream.logEpoch);
              expect(
                (await stream.read(from, { maxBytes: 1_000, waitMs: 5_000 })).map(({ payload }) => payload.toString()),
              ).toEqual(['a', 'b', 'c'].slice(Number(from)));
              await stream.commit({ offset: 2n, metadata: 'pending:2-2' });
            },
          );
          expect(committed).toEqual([
            from === 0n ? { offset: 0n, metadata: '' } : { offset: 2n, metadata: 'pending:2-2' },
          ]);
        }
        expect(cuts).toEqual([{ id: { lane: 'main', partition: 0, writer: '' }, read, end: 3n }]);
        expect(logEpochs[0]).not.toBe(first);
        expect(logEpochs[1]).toBe(logEpochs[0]);
      },
      60_000,
    );

    test('is noticed under a reader: the subscription ends, and the next one begins anew', async () => {
      const writer = await open('capture');
      for (const text of ['a', 'b', 'c']) await writer.append('main', [record(0, text)]);
      const cuts: LogCut[] = [];
      const subscription = await (
        await open()
      ).subscribe({
        group: 'g',
        lanes: ['main'],
        onCut: (cut) => cuts.push(cut),
        onStream: async (stream) => {
          // As a reader who has read further than the log reaches now.
          if (stream.id.partition === 0)
            while (!stream.revoked.aborted) await stream.read(8n, { maxBytes: 1_000, waitMs: 200 });
        },
      });
      await expect(subscription.ended).rejects.toThrow('the log has lost its end');
      expect(cuts).toEqual([{ id: { lane: 'main', partition: 0, writer: '' }, read: 8n, end: 3n }]);
      await withStream(await open(), { lane: 'main', partition: 0, group: 'g' }, (stream) =>
        Promise.resolve(expect(stream.committed).toEqual({ offset: 0n, metadata: '' })),
      );
    }, 60_000);
  });

  /** Where group `g` is. */
  async function commitsOf(from: EventLog): Promise<Map<number, bigint | undefined>> {
    const commits = new Map<number, bigint | undefined>();
    const subscription = await from.subscribe({
      group: 'g',
      lanes: ['main'],
      onStream: async (stream) => {
        commits.set(stream.id.partition, stream.committed?.offset);
        await aborted(stream.revoked);
      },
    });
    await waitUntil(() => commits.size === 8, 'the commits');
    await subscription.close();
    return commits;
  }
});

function record(partition: number, text: string): { partition: number; payload: Buffer } {
  return { partition, payload: Buffer.from(text) };
}

function arrayBuffers(): number {
  return process.memoryUsage().arrayBuffers;
}
