import { expect, test } from '@jest/globals';
import { decodeCommit, encodeCommit } from './commit-file.ts';
import {
  decodeDurableEnd,
  durableEndAt,
  encodeDurableEnd,
  isFurther,
  leaseBytes,
} from '../coordination/durable-end.ts';
import { decodeHeartbeat, encodeHeartbeat, ownIdentity } from '../coordination/heartbeat.ts';
import { decodeSegmentHeader, encodeSegmentHeader } from './segment-header.ts';

/** These bytes with one bit of one of them turned, for each of the first `count`. */
function damaged(bytes: Buffer, count = bytes.length): Buffer[] {
  return Array.from({ length: count }, (_, at) => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  });
}

test('a damaged commit is never taken for another one, nor for none', () => {
  const commit = { offset: 2n ** 60n, metadata: 'pending:7-9 ü' };
  const file = encodeCommit(commit);
  expect(decodeCommit(file)).toEqual(commit);
  for (const content of [...damaged(file), Buffer.alloc(0), file.subarray(0, -1)])
    expect(() => decodeCommit(content)).toThrow('damaged');
});

test('metadata of a commit may have 4,000 bytes, as in Kafka', () => {
  expect(decodeCommit(encodeCommit({ offset: 0n, metadata: 'ü'.repeat(2_000) })).metadata).toHaveLength(2_000);
  expect(() => encodeCommit({ offset: 0n, metadata: `${'ü'.repeat(2_000)}x` })).toThrow(RangeError);
});

test('a durable end that is half written is none', () => {
  const end = { sequence: 3, position: 2 ** 40, ends: [0, 7, 2 ** 47] };
  const at = durableEndAt('overflow', 3);
  const entry = encodeDurableEnd(end);
  const lease = (written: Buffer): Buffer => {
    const bytes = Buffer.alloc(leaseBytes(3));
    written.copy(bytes, at);
    return bytes;
  };
  expect(decodeDurableEnd(lease(entry), 'overflow', 3)).toEqual(end);
  expect(decodeDurableEnd(lease(entry), 'main', 3)).toBeNull();
  for (const written of damaged(entry)) expect(decodeDurableEnd(lease(written), 'overflow', 3)).toBeNull();
});

test.each([
  [2, 9, true],
  [1, 11, true],
  [1, 10, false],
  [1, 9, false],
  [0, 99, false],
])('segment %i, byte %i is further than segment 1, byte 10: %p', (sequence, position, further) => {
  expect(isFurther({ sequence, position, ends: [] }, { sequence: 1, position: 10, ends: [] })).toBe(further);
});

test('a heartbeat that is half written is none', () => {
  const heartbeat = { identity: ownIdentity, lanes: ['main'], beat: 5, released: false, settled: true };
  const block = encodeHeartbeat(heartbeat);
  expect(decodeHeartbeat(block)).toEqual(heartbeat);
  for (const written of [...damaged(block, 8 + JSON.stringify(heartbeat).length), block.subarray(1), Buffer.alloc(0)])
    expect(decodeHeartbeat(written)).toBeNull();
});

test('a damaged header of a segment is an error, and so is one of another number of partitions', () => {
  const header = { sequence: 4, epoch: 2, previousEnd: 2 ** 40, ends: [1, 2], next: [3, 2 ** 47] };
  const bytes = encodeSegmentHeader(header);
  expect(decodeSegmentHeader(bytes, 2)).toEqual(header);
  for (const written of [...damaged(bytes), bytes.subarray(1), bytes.subarray(0, -1)])
    expect(() => decodeSegmentHeader(written, 2)).toThrow();
  expect(() => decodeSegmentHeader(bytes, 1)).toThrow('another number of partitions');
});
