import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eventKey } from './event-key.ts';
import { createRecentEvents, type BatchRange, type RecentEvents } from './recent-events.ts';
import { UuidTable } from './uuid-table.ts';

const startMs = Date.UTC(2026, 4, 4, 10);
const range = (appendedAtMs = startMs, stream = 'main:0:'): BatchRange => ({
  stream,
  firstAppendedAtMs: appendedAtMs,
  lastAppendedAtMs: appendedAtMs,
});
const uuid = (number: number): string => `0190f3a0-0000-4000-8000-${String(number).padStart(12, '0')}`;
const event = (number: number, change = {}) => ({
  uuid: uuid(number),
  token: 'phc_a',
  event: 'clicked',
  distinctId: 'user',
  timestamp: '2026-05-04T10:01:00.000000Z',
  ...change,
});

async function store(recent: RecentEvents, numbers: readonly number[], at = range()): Promise<string[]> {
  return recent.during(at, (memory) => Promise.resolve(numbers.map((number) => memory.meet(event(number), 7))));
}

describe('answers of the memory (contract/decisions 35)', () => {
  test('what was stored is known; another event under its uuid is not it', async () => {
    const recent = createRecentEvents(6);
    expect(await store(recent, [1, 1])).toEqual(['new', 'twice']);
    const changes = [
      {},
      { event: 'other' },
      { distinctId: 'other' },
      { token: 'phc_rotated' },
      { timestamp: '2026-05-05T10:00:00.000000Z' },
      { uuid: uuid(1).toUpperCase() },
    ];
    const said = await recent.during(range(), (memory) =>
      Promise.resolve(changes.map((change) => memory.meet(event(1, change), 7))),
    );
    expect(said).toEqual(['stored', 'new', 'new', 'stored', 'stored', 'stored']);
    expect(await recent.during(range(), (memory) => Promise.resolve(memory.meet(event(1), 8)))).toBe('new');
  });

  test('a name and a distinct id are no other pair that reads the same together', async () => {
    const recent = createRecentEvents(6);
    const pairs = [
      { event: 'ab', distinctId: 'c' },
      { event: 'a', distinctId: 'bc' },
    ];
    expect(
      await recent.during(range(), (memory) => Promise.resolve(pairs.map((pair) => memory.meet(event(1, pair), 7)))),
    ).toEqual(['new', 'new']);
  });

  test('what a batch left unfinished is not taken for stored as long as the memory has it', async () => {
    const recent = createRecentEvents(4);
    await recent
      .during(range(), (memory) => Promise.reject(new Error(memory.meet(event(1), 7))))
      .catch(() => undefined);
    // Ten fill a table: the one with that event is the older of the two now.
    for (let number = 2; number <= 15; number++) await store(recent, [number]);
    expect(await store(recent, [1])).toEqual(['unknown']);
  });

  test('one that its batch does not store after all is unknown; a batch that is about to store it meanwhile is waited for', async () => {
    const recent = createRecentEvents(6);
    const main = Promise.withResolvers<void>();
    const overflow = Promise.withResolvers<void>();
    const said: string[] = [];
    const first = recent.during(range(), async (memory) => {
      said.push(memory.meet(event(1), 7), memory.meet(event(2), 7));
      await main.promise;
      memory.markUnknown(event(1), 7);
      memory.markUnknown(event(2), 7);
    });
    const second = recent.during(range(startMs, 'overflow:0:'), async (memory) => {
      said.push(memory.meet(event(1), 7));
      await overflow.promise;
    });
    main.resolve();
    await first;
    let isWaitedFor = true;
    const third = recent.during(range(), async (memory) => {
      said.push(memory.meet(event(1), 7), memory.meet(event(2), 7));
      await memory.othersEnded((wait) => wait());
      isWaitedFor = isOverflowDone;
    });
    let isOverflowDone = false;
    await new Promise(setImmediate);
    isOverflowDone = true;
    overflow.resolve();
    await Promise.all([second, third]);
    expect([said, isWaitedFor]).toEqual([['new', 'new', 'unknown', 'unknown', 'unknown'], true]);
  });

  test('an event may have come first five seconds before the last of what is forgotten', async () => {
    const recent = createRecentEvents(4);
    await store(recent, [1]);
    for (let number = 2; number <= 25; number++) await store(recent, [number], range(startMs, 'main:1:'));
    const made = (number: number, second: string) => event(number, { timestamp: `2026-05-04T10:00:${second}.000000Z` });
    const said = await recent.during(range(startMs + 100_000), (memory) =>
      Promise.resolve([memory.meet(made(1, '04'), 7), memory.meet(made(99, '06'), 7)]),
    );
    expect(said).toEqual(['unknown', 'new']);
  });

  test('a stream that another process had meanwhile is known from where it is taken up, not from where it was left', async () => {
    const recent = createRecentEvents(6);
    await store(recent, [1]);
    recent.forget('main:0:');
    const said = await recent.during(range(startMs + 100_000), (memory) => Promise.resolve(memory.meet(event(2), 7)));
    expect(said).toBe('unknown');
  });

  test('it knows what any stream of the process stored', async () => {
    const recent = createRecentEvents(6);
    await store(recent, [1]);
    expect(await store(recent, [1], range(startMs, 'overflow:0:'))).toEqual(['stored']);
  });

  test('at least 0.67 of its slots are remembered, at most twice as many; what is older is unknown, not new', async () => {
    const recent = createRecentEvents(4);
    for (let number = 1; number <= 25; number++) await store(recent, [number], range(startMs + number * 1000));
    const said = await recent.during(range(startMs + 26_000), (memory) =>
      Promise.resolve(
        [1, 5, 11, 16, 25].map((number) => memory.meet(event(number, { timestamp: '2026-05-04T10:00:01.000000Z' }), 7)),
      ),
    );
    expect(said).toEqual(['unknown', 'unknown', 'stored', 'stored', 'stored']);
  });

  test('events of the log are forgotten like all others, and then it is unknown, though its stream had no batch meanwhile', async () => {
    const recent = createRecentEvents(4);
    recent.setKnownSince('main:0:', startMs);
    recent.addRecordTime('main:0:', startMs + 90_000);
    recent.addSeen(event(1), 7);
    for (let number = 2; number <= 12; number++) await store(recent, [number], range(startMs, 'main:1:'));
    await store(recent, [13], range(startMs + 100_000));
    for (let number = 14; number <= 25; number++) await store(recent, [number], range(startMs, 'main:1:'));
    expect(await store(recent, [1], range(startMs + 110_000))).toEqual(['unknown']);
  });

  test('what is forgotten while a batch waits is unknown to it', async () => {
    const recent = createRecentEvents(4);
    await store(recent, [1]);
    await store(recent, [2], range(startMs + 90_000));
    const said = await recent.during(range(startMs + 100_000), async (memory) => {
      for (let number = 3; number <= 25; number++) await store(recent, [number], range(startMs, 'main:1:'));
      return memory.meet(event(1), 7);
    });
    expect(said).toBe('unknown');
  });

  test('an event is unknown that was made before the memory begins, by its timestamp or its uuid', async () => {
    const recent = createRecentEvents(6);
    const made = (ms: number): string =>
      `${ms
        .toString(16)
        .padStart(12, '0')
        .replace(/^(.{8})/, '$1-')}-7000-8000-000000000001`;
    recent.setKnownSince('main:0:', startMs + 5_000);
    const said = await recent.during(range(startMs + 600_000), (memory) =>
      Promise.resolve([
        memory.meet(event(1, { timestamp: '2026-05-04T09:59:59.000000Z' }), 7),
        memory.meet(event(2, { timestamp: '2026-05-04T10:00:06.000000Z' }), 7),
        memory.meet(event(0, { uuid: made(startMs - 1000) }), 7),
        memory.meet(event(0, { uuid: made(startMs + 6000) }), 7),
      ]),
    );
    expect(said).toEqual(['unknown', 'new', 'unknown', 'new']);
  });

  test('what lies in the log, what a batch left unfinished and what was refused may be stored or not', async () => {
    const recent = createRecentEvents(6);
    recent.addSeen(event(1), 7);
    await expect(
      recent.during(range(), (memory) => Promise.reject(new Error(memory.meet(event(2), 7)))),
    ).rejects.toThrow('new');
    await recent.during(range(), (memory) => {
      memory.meet(event(3), 7);
      memory.markUnknown(event(3), 7);
      return Promise.resolve();
    });
    expect(await store(recent, [1, 2, 3])).toEqual(['unknown', 'unknown', 'unknown']);
    expect(await store(recent, [1, 2, 3])).toEqual(['stored', 'stored', 'stored']);
  });

  test('of however many unfinished batches nothing is taken for stored; nor, later, for unfinished what was stored long ago', async () => {
    const recent = createRecentEvents(12);
    const numbers = Array.from({ length: 1_500 }, (_, index) => index);
    await store(recent, [9_999]);
    for (const number of numbers)
      await recent
        .during(range(), (memory) => Promise.reject(new Error(memory.meet(event(number), 7))))
        .catch(() => undefined);
    expect(new Set(await store(recent, numbers))).toEqual(new Set(['unknown']));
    // Far more than it holds: what failed is forgotten, and so is that it did.
    for (let from = 10_000; from < 20_000; from += 1_000)
      await store(
        recent,
        Array.from({ length: 1_000 }, (_, index) => from + index),
      );
    expect(await store(recent, [19_999, 19_000])).toEqual(['stored', 'stored']);
  });

  test('of two batches under way with one event, the later one waits for the earlier one', async () => {
    const recent = createRecentEvents(6);
    const earlier = Promise.withResolvers<void>();
    const order: string[] = [];
    const first = recent.during(range(), async (memory) => {
      memory.meet(event(1), 7);
      await earlier.promise;
      order.push('earlier');
    });
    const second = recent.during(range(startMs, 'overflow:0:'), async (memory) => {
      expect(memory.meet(event(1), 7)).toBe('unknown');
      await memory.othersEnded((wait) => wait());
      order.push('later');
    });
    await new Promise(setImmediate);
    expect(order).toEqual([]);
    earlier.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual(['earlier', 'later']);
  });
});

test('the table has what a Map has', () => {
  const keys = fc.record({ uuid: fc.uuid(), distinctId: fc.constantFrom('a', 'b') });
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, fc.integer({ min: 1, max: 9 })), { maxLength: 80 }), (entries) => {
      const table = new UuidTable(7);
      const map = new Map<string, number>();
      for (const [{ uuid: id, distinctId }, mark] of entries) {
        table.set(eventKey(event(0, { uuid: id, distinctId }), 7), mark);
        map.set(id + distinctId, mark);
      }
      for (const [{ uuid: id, distinctId }] of entries)
        expect(table.get(eventKey(event(0, { uuid: id, distinctId }), 7))).toBe(map.get(id + distinctId));
      expect(table.size).toBe(map.size);
    }),
  );
});
