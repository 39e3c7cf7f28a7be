import { expect, test } from '@jest/globals';
import kafkajs from 'kafkajs';
import { assignByPartition } from './join-gate.ts';

test('each partition number of all topics goes to one member, in whatever order the broker names them', () => {
  const order: Record<string, number[]> = { main: [0, 1, 2, 3, 4], overflow: [3, 0, 4, 1, 2], warnings: [1, 0] };
  const findTopicPartitionMetadata = (topic: string) =>
    (order[topic] ?? []).map((partitionId) => ({ partitionId })) as never;
  const made = assignByPartition(
    [{ memberId: 'c' }, { memberId: 'a' }, { memberId: 'b' }],
    ['main', 'overflow', 'warnings'],
    { findTopicPartitionMetadata },
  );
  const shares = made.map(({ memberId, memberAssignment }) => {
    const { assignment = {} } = kafkajs.AssignerProtocol.MemberAssignment.decode(memberAssignment) ?? {};
    return [
      memberId,
      Object.fromEntries(Object.entries(assignment).map(([topic, partitions]) => [topic, [...partitions].sort()])),
    ];
  });
  expect(shares).toEqual([
    ['a', { main: [0, 3], overflow: [0, 3], warnings: [0] }],
    ['b', { main: [1, 4], overflow: [1, 4], warnings: [1] }],
    ['c', { main: [2], overflow: [2] }],
  ]);
});

// An event may lie in two lanes after an append of unknown outcome: only who reads both of them knows that they are one (docs/reliability.md).
test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
  'with %d consumers every lane of a partition number has one reader, and every partition has one',
  (consumers) => {
    const findTopicPartitionMetadata = () => Array.from({ length: 8 }, (_, partitionId) => ({ partitionId })) as never;
    const members = Array.from({ length: consumers }, (_, at) => ({ memberId: `member-${at}` }));
    const made = assignByPartition(members, ['main', 'overflow', 'historical', 'exceptions', 'warnings'], {
      findTopicPartitionMetadata,
    });
    const shares = made.map(
      ({ memberAssignment }) => kafkajs.AssignerProtocol.MemberAssignment.decode(memberAssignment)?.assignment ?? {},
    );
    for (const { main, ...others } of shares) for (const lane of Object.values(others)) expect(lane).toEqual(main);
    expect(shares.flatMap(({ main = [] }) => main).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  },
);
