import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { aborted } from '@millrace/runtime/aborted.ts';
import {
  LogUnavailableError,
  StreamRevokedError,
  type AssignedStream,
  type EventLog,
  type LogRecord,
} from './event-log.ts';
import { Begun } from './testing/begun.ts';
import type { LogOpener } from './testing/child.ts';
import { waitUntil } from './testing/wait-until.ts';
import { gather, logEpochOf, readLane, type Found } from './testing/read-log.ts';
import type { Child } from './testing/start-child.ts';
import { withStream } from './testing/with-stream.ts';

/** An empty log of its own for one test. */
export interface LogUnderTest {
  /** Opens the log in a process, as the writer of that name or only for reading. */
  opener(writer?: string): LogOpener;
  /** Opens it in this process. */
  open(writer?: string): Promise<EventLog>;
  /** Removes it; all that were opened are closed by then. */
  destroy(): Promise<void>;
}

/**
 * The promises of every event log. The suite runs against each implementation; a service may rely on these promises
 * alone.
 */
export function describeEventLog(name: string, create: () => Promise<LogUnderTest>): void {
  describe(`event log: ${name}`, () => {
    let log: LogUnderTest;
    let begun: Begun;

    beforeEach(async () => {
      log = await create();
      begun = new Begun();
    });

    afterEach(async () => {
      await begun.end();
      await log.destroy();
    });

    const open = async (writer?: string): Promise<EventLog> => begun.keep(await log.open(writer));
    const appender = (writer: string, width = 8): Child =>
      begun.start({ do: 'append', log: log.opener(writer), lane: 'main', name: writer, bytes: 200, width });

    describe('appending and reading', () => {
      test('records of a partition are read in the order of the appends, at offsets that grow by one from 0', async () => {
        const writer = await open('capture');
        for (let number = 0; number < 20; number++)
          await writer.append('main', [record(number % 2, `first ${number}`), record(number % 2, `second ${number}`)]);
        const found = await readLane(writer, 'main', ({ length }) => length === 40);
        for (const partition of [0, 1]) {
          const numbers = Array.from({ length: 10 }, (_, index) => index * 2 + partition);
          expect(inPartition(found, partition)).toEqual(
            numbers.flatMap((number) => [`first ${number}`, `second ${number}`]),
          );
          expect(found.filter(({ id }) => id.partition === partition).map(({ offset }) => offset)).toEqual(
            Array.from({ length: 20 }, (_, index) => BigInt(index)),
          );
        }
      });

      test('appends that are under way together keep the order in which they were begun', async () => {
        const writer = await open('capture');
        await Promise.all(Array.from({ length: 300 }, (_, number) => writer.append('main', [record(3, `${number}`)])));
        const found = await readLane(writer, 'main', ({ length }) => length === 300);
        expect(inPartition(found, 3)).toEqual(Array.from({ length: 300 }, (_, number) => `${number}`));
      });

      test('payloads come back byte for byte, with the time of the append; lanes are apart', async () => {
        const writer = await open('capture');
        const payloads = [
          Buffer.alloc(0),
          Buffer.from([0, 255, 10, 13, 0]),
          Buffer.from('ünïcode 🙂'),
          Buffer.alloc(1_200_000, 7),
        ];
        const beforeMs = Date.now();
        await writer.append(
          'exceptions',
          payloads.map((payload) => ({ partition: 5, payload })),
        );
        await writer.append('main', [record(5, 'elsewhere')]);
        await withStream(writer, { lane: 'exceptions', partition: 5 }, async (stream) => {
          const records: LogRecord[] = [];
          while (records.length < payloads.length)
            records.push(...(await stream.read(BigInt(records.length), { maxBytes: 1000, waitMs: 1000 })));
          expect(Buffer.concat(records.map(({ payload }) => payload)).equals(Buffer.concat(payloads))).toBe(true);
          expect(records.map(({ payload }) => payload.length)).toEqual(payloads.map(({ length }) => length));
          expect(
            records.every(({ appendedAtMs }) => appendedAtMs >= beforeMs - 1000 && appendedAtMs <= Date.now() + 1000),
          ).toBe(true);
        });
      });

      test('a read gives about as many bytes as asked for, at least one record, and can begin anywhere', async () => {
        const writer = await open('capture');
        await writer.append(
          'main',
          Array.from({ length: 50 }, (_, number) => record(0, `${number}`.padEnd(1000, '.'))),
        );
        await withStream(writer, { lane: 'main', partition: 0 }, async (stream) => {
          expect(await stream.read(0n, { maxBytes: 1, waitMs: 1000 })).toHaveLength(1);
          const some = await stream.read(20n, { maxBytes: 10_000, waitMs: 1000 });
          expect(some[0]?.offset).toBe(20n);
          expect(some.length).toBeGreaterThanOrEqual(1);
          expect(some.length).toBeLessThanOrEqual(11);
          expect((await stream.read(3n, { maxBytes: 1, waitMs: 1000 }))[0]?.offset).toBe(3n);
          expect(await stream.end()).toBe(50n);
        });
      });

      test('a read waits for the first record: it ends with it, or with nothing when the time is over', async () => {
        const writer = await open('capture');
        await writer.append('main', [record(0, 'zero')]);
        await withStream(writer, { lane: 'main', partition: 0 }, async (stream) => {
          expect(await stream.read(1n, { maxBytes: 1000, waitMs: 30 })).toEqual([]);
          const reading = stream.read(1n, { maxBytes: 1000, waitMs: 10_000 });
          const beganMs = performance.now();
          await writer.append('main', [record(0, 'one')]);
          expect((await reading).map(({ offset }) => offset)).toEqual([1n]);
          expect(performance.now() - beganMs).toBeLessThan(5000);
        });
      });

      test('several processes append at once: each of their acknowledged records is there once, in order', async () => {
        const appenders = [appender('one'), appender('two'), appender('three')];
        await waitUntil(() => appenders.every((child) => child.acked().length > 200), 'acknowledgements of all');
        await Promise.all(appenders.map((child) => child.end()));
        const acked = appenders.flatMap((child, index) =>
          child.acked().map((number) => `${['one', 'two', 'three'][index]}:${number}`),
        );
        const found = await readLane(await open(), 'main', ({ length }) => length >= acked.length);
        expect(found.map(({ text }) => text).sort()).toEqual(acked.sort());
        expectOrder(found);
      });

      test('what a process got acknowledged before kill -9 is there; its successor goes on behind it', async () => {
        const first = appender('capture');
        await waitUntil(() => first.acked().length > 100, 'acknowledgements');
        await first.kill();
        const writer = await open('capture');
        await writer.append(
          'main',
          Array.from({ length: writer.partitions }, (_, partition) => record(partition, 'after')),
        );
        const found = await readLane(
          writer,
          'main',
          (all) => all.filter(({ text }) => text === 'after').length === writer.partitions,
        );
        const texts = found.map(({ text }) => text);
        for (const number of first.acked())
          expect(texts.filter((text) => text === `capture:${number}`)).toHaveLength(1);
        for (let partition = 0; partition < writer.partitions; partition++)
          expect(inPartition(found, partition).at(-1)).toBe('after');
        expectOrder(found);
      });

      test('the log epoch of a stream is the same for all who open the log, and of no other log', async () => {
        const [writer, reader] = [await open('capture'), await open()];
        const other = await create();
        const elsewhere = await other.open('capture');
        for (const log of [writer, elsewhere]) await log.append('main', [record(0, 'x')]);
        const own = await logEpochOf(writer, 'main');
        expect(await logEpochOf(reader, 'main')).toBe(own);
        expect(await logEpochOf(elsewhere, 'main')).not.toBe(own);
        await elsewhere.close();
        await other.destroy();
      });

      test('a closed log takes nothing and says so', async () => {
        const writer = await open('capture');
        expect(writer.unhealthyReason()).toBeNull();
        await writer.close();
        expect(writer.unhealthyReason()).not.toBeNull();
        await expect(writer.append('main', [record(0, 'late')])).rejects.toThrow(LogUnavailableError);
      });
    });

    describe('groups', () => {
      test('a group goes on where it committed, with its metadata; other groups are not moved by that', async () => {
        const writer = await open('capture');
        await writer.append('main', [record(0, 'a'), record(0, 'b'), record(0, 'c')]);
        const metadata = JSON.stringify({ pending: ['ü', '🙂'] }).padEnd(3900, ' ');
        await withStream(writer, { lane: 'main', partition: 0 }, async (stream) => {
          expect(stream.committed).toBeNull();
          await stream.commit({ offset: 1n, metadata: 'early' });
          await stream.commit({ offset: 2n, metadata });
        });
        await writer.close();
        const reader = await open();
        await withStream(reader, { lane: 'main', partition: 0 }, async (stream) => {
          expect(stream.committed).toEqual({ offset: 2n, metadata });
          await stream.commit({ offset: 1n, metadata: 'back again' });
        });
        await withStream(reader, { lane: 'main', partition: 0 }, (stream) =>
          expect(stream.committed).toEqual({ offset: 1n, metadata: 'back again' }),
        );
        await withStream(reader, { lane: 'main', partition: 0, group: 'another-group' }, (stream) =>
          expect(stream.committed).toBeNull(),
        );
      });

      test('two subscribers share the streams, never the same one at once, and take over from one that closes', async () => {
        const writer = await open('capture');
        const all = Array.from({ length: writer.partitions }, (_, partition) => `main/${partition}/`);
        await writer.append(
          'main',
          all.map((_, partition) => record(partition, 'x')),
        );
        const holders = new Map<string, number>();
        const handler = async (stream: AssignedStream): Promise<void> => {
          const key = `${stream.id.partition}`;
          holders.set(key, (holders.get(key) ?? 0) + 1);
          expect(holders.get(key)).toBe(1);
          counts.set(stream, true);
          await aborted(stream.revoked);
          counts.delete(stream);
          holders.set(key, (holders.get(key) ?? 0) - 1);
        };
        const counts = new Map<AssignedStream, boolean>();
        const one = await writer.subscribe({ group: 'shared', lanes: ['main'], onStream: handler });
        await waitUntil(() => counts.size === writer.partitions, 'all streams with the first');
        const second = await open();
        const mine = new Set<AssignedStream>();
        const two = await second.subscribe({
          group: 'shared',
          lanes: ['main'],
          onStream: async (stream) => {
            mine.add(stream);
            await handler(stream);
            mine.delete(stream);
          },
        });
        await waitUntil(
          () => counts.size === writer.partitions && mine.size === writer.partitions / 2,
          'half of the streams with the second',
        );
        await one.close();
        await one.ended;
        await waitUntil(() => mine.size === writer.partitions, 'all streams with the second');
        await two.close();
      });

      test('a revoked stream takes no commit from its former owner', async () => {
        const writer = await open('capture');
        await writer.append('main', [record(0, 'x')]);
        let former: AssignedStream | undefined;
        await withStream(writer, { lane: 'main', partition: 0 }, async (stream) => {
          former = stream;
          await stream.commit({ offset: 1n, metadata: 'mine' });
        });
        await expect(former?.commit({ offset: 0n, metadata: 'late' })).rejects.toThrow(StreamRevokedError);
        await withStream(writer, { lane: 'main', partition: 0 }, (stream) =>
          expect(stream.committed).toEqual({ offset: 1n, metadata: 'mine' }),
        );
      });

      test('a waiting read ends when the stream is revoked', async () => {
        const writer = await open('capture');
        await writer.append('main', [record(0, 'x')]);
        const beganMs = performance.now();
        await withStream(
          writer,
          { lane: 'main', partition: 0 },
          (stream) => void stream.read(1n, { maxBytes: 1, waitMs: 60_000 }),
        );
        expect(performance.now() - beganMs).toBeLessThan(20_000);
      });

      test('after kill -9 of a subscriber another goes on at its last commit', async () => {
        const writer = await open('capture');
        const count = writer.partitions * 3;
        for (let number = 0; number < count; number++)
          await writer.append('main', [record(number % writer.partitions, `${number}`)]);
        const child = begun.start({ do: 'subscribe', log: log.opener(), lane: 'main', group: 'g' });
        await waitUntil(
          () => child.lines.filter((line) => line.startsWith('committed ')).length === count,
          'commits of the child',
        );
        await child.kill();
        await writer.append(
          'main',
          Array.from({ length: writer.partitions }, (_, partition) => record(partition, `new ${partition}`)),
        );
        const gatherer = await gather(writer, { group: 'g', lanes: ['main'] });
        await waitUntil(() => gatherer.found.length >= writer.partitions, 'the new records');
        expect(gatherer.found.map(({ text }) => text).sort()).toEqual(
          Array.from({ length: writer.partitions }, (_, partition) => `new ${partition}`),
        );
        await gatherer.close();
      });

      test('a handler that fails ends the subscription, which says why', async () => {
        const writer = await open('capture');
        await writer.append('main', [record(0, 'x')]);
        const subscription = await writer.subscribe({
          group: 'g',
          lanes: ['main'],
          onStream: () => Promise.reject(new Error('handler broke')),
        });
        await expect(subscription.ended).rejects.toThrow('handler broke');
      });
    });
  });
}

function record(partition: number, text: string): { partition: number; payload: Buffer } {
  return { partition, payload: Buffer.from(text) };
}

function inPartition(found: readonly Found[], partition: number): string[] {
  return found.filter(({ id }) => id.partition === partition).map(({ text }) => text);
}

/** Numbers of one appender (`name:number`) rise within a partition when it has one append under way for each. */
function expectOrder(found: readonly Found[]): void {
  const last = new Map<string, number>();
  for (const { id, text } of found) {
    const [name, number] = text.split(':');
    if (number === undefined) continue;
    const key = `${name}/${id.partition}`;
    expect(Number(number)).toBeGreaterThan(last.get(key) ?? -1);
    last.set(key, Number(number));
  }
}
