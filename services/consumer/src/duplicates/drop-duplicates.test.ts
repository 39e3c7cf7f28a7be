import { describe, expect, test } from '@jest/globals';
import type { EventDraft } from '../events/event-draft.ts';
import { testDraft } from '../test/drafts.ts';
import { dropDuplicates, type CommitTrust } from './drop-duplicates.ts';
import type { Retry } from '../stream/retry.ts';
import { createRecentEvents } from './recent-events.ts';

const uuid = (number: number): string => `0190f3a0-0000-4000-8000-${String(number).padStart(12, '0')}`;
const numberOf = ({ head }: EventDraft): number => Number(head.uuid.slice(-12));
const batchRange = { stream: 'main:0:', firstAppendedAtMs: Date.UTC(2026, 0), lastAppendedAtMs: Date.UTC(2026, 0) };
const drafts = (numbers: readonly number[]): EventDraft[] => numbers.map((number) => testDraft({ uuid: uuid(number) }));
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** A stream whose events are stored batch by batch; ClickHouse has those that `stored` says. */
function createStream(stored: (number: number) => boolean, trust: CommitTrust) {
  const recent = createRecentEvents(12);
  const lookups: number[][] = [];
  const find = (some: readonly EventDraft[]) => {
    lookups.push(some.map(numberOf));
    return Promise.resolve(new Set(some.filter((draft) => stored(numberOf(draft)))));
  };
  return {
    lookups,
    recent,
    batch: (numbers: readonly number[], again = false): Promise<number[]> => {
      const sifting = {
        stored: { find },
        again,
        trust,
        retry: patient,
        withoutSlot: <T>(wait: () => Promise<T>) => wait(),
      };
      return recent.during(batchRange, async (memory) =>
        (await dropDuplicates(drafts(numbers), { ...sifting, memory })).kept.map(numberOf),
      );
    },
  };
}

const patient: Retry = (_, work) => work(0, () => undefined);

describe('dropping duplicates (contract/decisions 35)', () => {
  test('the first of a batch stays, known duplicates go, and normally ClickHouse is not queried', async () => {
    const { batch, lookups } = createStream(() => false, { isProven: true });
    expect(await batch([1, 2, 2, 3])).toEqual([1, 2, 3]);
    expect(await batch([3, 4, 1])).toEqual([4]);
    expect(lookups).toEqual([]);
  });

  test('for a repeated batch everything is looked up in ClickHouse, in one query', async () => {
    const { batch, lookups } = createStream((number) => number === 2, { isProven: true });
    expect(await batch([1, 2, 3, 3], true)).toEqual([1, 3]);
    expect(lookups).toEqual([[1, 2, 3]]);
  });

  test('an event that another batch is about to store is looked up when that has ended, not before', async () => {
    const stored: number[] = [];
    const { batch, recent, lookups } = createStream((number) => stored.includes(number), { isProven: true });
    const ending = Promise.withResolvers<void>();
    const other = recent.during({ ...batchRange, stream: 'overflow:0:' }, async (memory) => {
      drafts([1]).forEach(({ head, project }) => memory.meet(head, project.id));
      await ending.promise;
      stored.push(1);
    });
    const own = batch([1, 2]);
    await new Promise(setImmediate);
    expect(lookups).toEqual([]);
    ending.resolve();
    await other;
    expect(await own).toEqual([2]);
    expect(lookups).toEqual([[1]]);
  });

  test('a few first events prove that a stream was begun where storing had ended', async () => {
    const { batch, lookups } = createStream(() => false, { isProven: false });
    expect(await batch(range(1, 600))).toHaveLength(600);
    expect(await batch(range(601, 700))).toHaveLength(100);
    expect(lookups).toEqual([range(1, 500)]);
  });

  test('when the commit was set back, ClickHouse is queried until it has nothing of a batch', async () => {
    const { batch, lookups } = createStream((number) => number <= 1_000, { isProven: false });
    expect(await batch(range(1, 700))).toEqual([]);
    expect(await batch(range(701, 1_100))).toEqual(range(1_001, 1_100));
    expect(await batch(range(1_101, 1_200))).toHaveLength(100);
    expect(await batch(range(1_201, 1_300))).toHaveLength(100);
    expect(lookups.map(({ length }) => length)).toEqual([500, 200, 400, 100]);
  });
});
