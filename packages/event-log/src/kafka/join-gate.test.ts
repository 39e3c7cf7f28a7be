import { expect, test } from '@jest/globals';
import kafkajs from 'kafkajs';
import { assignByPartition } from './join-gate.ts';

test('each partition number of all topics goes to one member, in whatever order the broker names them', () => {
  const order: Record<string, number[]> = { main: [0, 1, 2, 3, 4], overflow: [3, 0, 4, 1, 2], warnings: [1, 0] };
  const findTopicPartitionMetadata = (topic: string) => (order[topic] ?? []).map((partitionId) => ({ partitionId })) as never;
  const made = assignByPartition([{ memberId: 'c' }, { memberId: 'a' }, { memberId: 'b' }], ['main', 'overflow', 'warnings'], { findTopicPartitionMetadata });
  const shares = made.map(({ memberId, memberAssignment }) => {
    const { assignment = {} } = kafkajs.AssignerProtocol.MemberAssignment.decode(memberAssignment) ?? {};
    return [memberId, Object.fromEntries(Object.entries(assignment).map(([topic, partitions]) => [topic, [...partitions].sort()]))];
  });
  expect(shares).toEqual([
    ['a', { main: [0, 3], overflow: [0, 3], warnings: [0] }],
    ['b', { main: [1, 4], overflow: [1, 4], warnings: [1] }],
    ['c', { main: [2], overflow: [2] }],
  ]);
});
