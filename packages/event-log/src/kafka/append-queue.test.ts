import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { takeRequest, type Append, type PartitionQueue } from './append-queue.ts';

const append: Append = { left: 0, begun: false, written: false, deadlineMs: 0, error: null, settle: null };

function queueOf(partition: number, sizes: readonly number[]): PartitionQueue {
  return { topic: 't', partition, busy: false, waiting: sizes.map((size) => ({ append, value: Buffer.alloc(size) })) };
}

test('requests take everything, in order, and no batch is more than the broker takes', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 30 });
  fc.assert(
    fc.property(fc.array(sizes, { maxLength: 5 }), (partitions) => {
      const queues = partitions.map((each, partition) => queueOf(partition, each));
      const before = queues.map(({ waiting }) => [...waiting]);
      const taken = queues.map((): PartitionQueue['waiting'] => []);
      for (let requests = 0; queues.some(({ waiting }) => waiting.length > 0); requests++) {
        expect(requests).toBeLessThan(200);
        for (const part of takeRequest(queues, { requestBytesMax: 300, partBytesMax: 150, partRecordsMax: 4 })) {
          expect(part.records.length).toBeGreaterThan(0);
          expect(part.records.length).toBeLessThanOrEqual(4);
          expect(part.bytes).toBeLessThanOrEqual(150);
          taken[part.queue.partition]?.push(...part.records);
        }
      }
      expect(taken).toEqual(before);
    }),
  );
});

test('a request ends where it is large enough: the queues behind have the next one', () => {
  const queues = [queueOf(0, [100]), queueOf(1, [100]), queueOf(2, [100])];
  const parts = takeRequest(queues, { requestBytesMax: 200, partBytesMax: 1_000, partRecordsMax: 10 });
  expect(parts.map(({ queue }) => queue.partition)).toEqual([0, 1]);
  expect(queues.map(({ waiting }) => waiting.length)).toEqual([0, 0, 1]);
});
