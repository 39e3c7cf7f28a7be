import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { LogUnderTest } from '../contract-suite.ts';
import { LogUnavailableError, type EventLog, type LogRecord } from '../event-log.ts';
import type { LogView, ViewedStream } from '../log-view.ts';
import { waitUntil } from './wait-until.ts';
import { gather } from './read-log.ts';

/** An empty log of its own for one test, and how a view of it is opened. */
export interface ViewUnderTest {
  log: LogUnderTest;
  view(): Promise<LogView>;
}

/** The promises of every view of a log. The suite runs against each implementation. */
export function describeLogView(name: string, create: () => Promise<ViewUnderTest>): void {
  describe(`look at an event log: ${name}`, () => {
    let tested: ViewUnderTest;
    let writer: EventLog | null;
    let view: LogView | null;

    beforeEach(async () => {
      tested = await create();
      writer = view = null;
    });
    afterEach(async () => {
      await view?.close();
      await writer?.close();
      await tested.log.destroy();
    });

    test('without a log there is nothing to look at, and none is made', async () => {
      await expect(tested.view()).rejects.toThrow(LogUnavailableError);
      await expect(tested.view()).rejects.toThrow(LogUnavailableError);
    });

    test('every record that is there is seen in order, from any offset; what comes later is not', async () => {
      writer = await tested.log.open('capture');
      for (let number = 0; number < 30; number++) await writer.append('main', [record(number % 2, `n${number}`)]);
      view = await tested.view();
      expect(view.partitions).toBe(writer.partitions);
      const streams = await view.streams(['main']);
      await writer.append('main', [record(0, 'later')]);
      const first = streamOf(streams, 0);
      expect([first.begin, first.end]).toEqual([0n, 15n]);
      const even = Array.from({ length: 15 }, (_, at) => `n${at * 2}`);
      expect(await readAll(first, 0n)).toEqual(even);
      expect(await readAll(first, 11n)).toEqual(even.slice(11));
      expect(await readAll(first, 3n)).toEqual(even.slice(3));
      expect(await readAll(streamOf(streams, 1), 14n)).toEqual(['n29']);
      expect(await first.read(15n, 1000)).toEqual([]);
      const again = streamOf(await view.streams(['main']), 0);
      expect(await readAll(again, 14n)).toEqual(['n28', 'later']);
    });

    test('who reads in a group goes on undisturbed, and is seen to', async () => {
      writer = await tested.log.open('capture');
      const reader = await gather(writer, { group: 'readers', lanes: ['main'], commits: true });
      await writer.append('main', [record(0, 'a'), record(0, 'b')]);
      await waitUntil(() => reader.found.length === 2, 'the records');
      const before = [...reader.streams.values()];
      view = await tested.view();
      const stream = streamOf(await view.streams(['main']), 0);
      expect(await readAll(stream, 0n)).toEqual(['a', 'b']);
      await waitUntil(async () => (await view?.committed('readers', stream.id))?.offset === 2n, 'the commit');
      expect(await view.committed('nobody', stream.id)).toBeNull();
      await writer.append('main', [record(0, 'c')]);
      await waitUntil(() => reader.found.length === 3, 'the next record');
      expect(before.every(({ revoked }) => !revoked.aborted)).toBe(true);
      await reader.close();
    });
  });
}

function record(partition: number, text: string): { partition: number; payload: Buffer } {
  return { partition, payload: Buffer.from(text) };
}

function streamOf(streams: readonly ViewedStream[], partition: number): ViewedStream {
  const found = streams.find(({ id }) => id.partition === partition);
  if (found === undefined) throw new Error(`no stream of partition ${partition}`);
  return found;
}

/** In small pieces. */
async function readAll(stream: ViewedStream, from: bigint): Promise<string[]> {
  const texts: string[] = [];
  for (let next = from; ;) {
    const records: LogRecord[] = await stream.read(next, 10);
    if (records.length === 0) return texts;
    texts.push(...records.map(({ payload }) => payload.toString()));
    next = (records.at(-1)?.offset ?? next) + 1n;
  }
}
