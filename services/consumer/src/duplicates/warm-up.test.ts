import { describe, expect, test } from '@jest/globals';
import { encodeBundle } from '@millrace/captured-event/event-bundle.ts';
import { OffsetGoneError, type Commit, type LogRecord } from '@millrace/event-log/event-log.ts';
import { lookupOf, testEntry, testHead, testProject } from '../test/drafts.ts';
import type { Retry } from '../stream/retry.ts';
import { createRecentEvents, type RecentEvents } from './recent-events.ts';
import { warmUp } from './warm-up.ts';

const startMs = Date.UTC(2026, 4, 4, 10);
const uuid = (record: number, index: number): string =>
  `0190f3a0-0000-4000-8000-${String(record).padStart(6, '0')}${String(index).padStart(6, '0')}`;

interface Reported {
  records?: number;
  perRecord?: number;
  /** The oldest record that is left. */
  oldest?: number;
  events?: number;
  ageMs?: number;
}

/** A log with a record a second, all of it before the commit; returns what memory knows afterwards. */
async function warmed({ records = 1_000, perRecord = 1, oldest = 0, events = 10_000, ageMs = Infinity }: Reported) {
  let reads = 0;
  const record = (offset: number): LogRecord => ({
    offset: BigInt(offset),
    appendedAtMs: startMs + offset * 1000,
    payload: encodeBundle(
      Array.from({ length: perRecord }, (_, index) =>
        testEntry({ uuid: uuid(offset, index), projectId: offset % 2 === 0 ? 7 : null }),
      ),
    ),
  });
  const stream = {
    committed: { offset: BigInt(records), metadata: '' },
    read: (from: bigint): Promise<LogRecord[]> => {
      if (from > 0n && from < BigInt(oldest)) return Promise.reject(new OffsetGoneError('gone'));
      reads += 1;
      const begin = Math.max(oldest, Number(from));
      return Promise.resolve(
        Array.from({ length: Math.min(50, records - begin) }, (_, index) => record(begin + index)),
      );
    },
  };
  const recent = createRecentEvents(16);
  const retry: Retry = (_, work) => work(0, () => undefined);
  const limits = { events, bytes: 100_000_000, ageMs };
  const added = await warmUp(stream, {
    name: 's',
    recent,
    limits,
    projects: { load: () => Promise.resolve(lookupOf(testProject)) },
    retry,
    signal: new AbortController().signal,
  });
  const range = {
    stream: 's',
    firstAppendedAtMs: startMs + records * 1000,
    lastAppendedAtMs: startMs + records * 1000,
  };
  const timestamp = '2300-01-01T00:00:00.000000Z';
  const known = await recent.during(range, (memory) =>
    Promise.resolve(
      Array.from(
        { length: records },
        (_, offset) => memory.meet({ ...testHead, uuid: uuid(offset, 0), timestamp }, 7) === 'unknown',
      ),
    ),
  );
  const sinceMs = await recent.during(range, (memory) => {
    const isNew = (second: number): boolean =>
      memory.meet(
        {
          ...testHead,
          uuid: uuid(second, 999_999),
          timestamp: new Date(startMs + second * 1000).toISOString().replace('Z', '000Z'),
        },
        7,
      ) === 'new';
    return Promise.resolve(Array.from({ length: records }, (_, second) => second).findIndex(isNew));
  });
  return { added, reads, first: known.indexOf(true), count: known.filter(Boolean).length, sinceMs };
}

describe('the memory is filled from the log before the work begins', () => {
  test('all of a short log', async () => {
    expect(await warmed({ records: 1_000 })).toMatchObject({ added: 1_000, first: 0, count: 1_000, sinceMs: 0 });
  });

  test('about the requested number of events, the newest, without gaps', async () => {
    const { added, first, count, sinceMs } = await warmed({ records: 5_000, perRecord: 10, events: 10_000 });
    expect(added).toBeGreaterThan(9_000);
    expect(added).toBeLessThanOrEqual(10_500);
    expect(count).toBe(5_000 - first);
    expect(sinceMs).toBe(first + 5);
  });

  test('nothing older than requested', async () => {
    const { added } = await warmed({ records: 5_000, ageMs: 100_000 });
    expect(added).toBeLessThan(1_000);
  });

  test('as far as retention has left it', async () => {
    const { first, count, sinceMs } = await warmed({ records: 1_000, oldest: 900 });
    expect(first).toBeGreaterThanOrEqual(900);
    expect(first).toBeLessThan(940);
    expect(count).toBe(1_000 - first);
    expect(sinceMs).toBe(first + 5);
  });

  describe('an event of a time that memory does not know whole is unknown, not new', () => {
    const log: LogRecord[] = [0, 1, 2, 3, 4].map((offset) => ({
      offset: BigInt(offset),
      appendedAtMs: startMs + offset * 1000,
      payload: encodeBundle([testEntry({ uuid: uuid(offset, 0) })]),
    }));
    const read = (from: bigint): Promise<LogRecord[]> => Promise.resolve(log.filter(({ offset }) => offset >= from));
    const limits = { events: 100, bytes: 1_000_000, ageMs: Infinity };
    const warm = (recent: RecentEvents, committed: Commit | null): Promise<number> =>
      warmUp(
        { committed, read },
        {
          name: 's',
          recent,
          limits,
          projects: { load: () => Promise.resolve(lookupOf(testProject)) },
          retry: (_, work) => work(0, () => undefined),
          signal: new AbortController().signal,
        },
      );

    /** Answer of the memory, an hour later, about an event of the log's first second that the log does not hold. */
    const meet = (recent: RecentEvents, stream: string, number: number): Promise<string> => {
      const head = {
        ...testHead,
        timestamp: new Date(startMs).toISOString().replace('Z', '000Z'),
        uuid: uuid(number, 1),
      };
      const laterMs = startMs + 3_600_000;
      return recent.during({ stream, firstAppendedAtMs: laterMs, lastAppendedAtMs: laterMs }, (memory) =>
        Promise.resolve(memory.meet(head, 7)),
      );
    };

    test('when events of the log were evicted by others', async () => {
      const recent = createRecentEvents(4);
      expect(await warm(recent, { offset: 5n, metadata: '' })).toBe(5);
      for (let number = 10; number < 40; number++) await meet(recent, 'other', number);
      expect(await meet(recent, 's', 1)).toBe('unknown');
    });

    test('when another process had the stream meanwhile, and nothing is read back', async () => {
      const recent = createRecentEvents(6);
      recent.setKnownSince('s', 0);
      expect(await warm(recent, null)).toBe(0);
      expect(await meet(recent, 's', 1)).toBe('unknown');
    });
  });
});
