import kafkajs, { type Cluster, type GroupMember, type GroupMemberAssignment, type PartitionAssigner } from 'kafkajs';

/** The error by which kafkajs learns that the group is dividing its partitions anew. */
class NotYetError extends Error {
  readonly type = 'REBALANCE_IN_PROGRESS';
}

/**
 * The assigner, with a gate. kafkajs joins a group again as soon as it learns that the others do, without checking
 * whether the work on the old partitions has ended. But for each attempt it calls its assigner for the description of
 * the member: while `mayJoin` is false, the assigner returns that the group is not ready, and kafkajs tries again a
 * moment later. Meanwhile the group waits for this member (for as long as its rebalance timeout allows).
 */
export function gatedAssigner(mayJoin: () => boolean): PartitionAssigner {
  return (config) => {
    const assigner = kafkajs.PartitionAssigners.roundRobin(config);
    return {
      ...assigner,
      assign: ({ members, topics }) => Promise.resolve(assignByPartition(members, topics, config.cluster)),
      protocol: (subscription) => {
        if (!mayJoin()) throw new NotYetError('streams of the last assignment are still worked on');
        return assigner.protocol(subscription);
      },
    };
  };
}

/**
 * PURE: partitions in turn. A partition number goes to the same member in every lane, so that its duplicate memory knows
 * the events of a distinct id that changes lanes.
 */
export function assignByPartition(
  members: readonly Pick<GroupMember, 'memberId'>[],
  topics: readonly string[],
  cluster: Pick<Cluster, 'findTopicPartitionMetadata'>,
): GroupMemberAssignment[] {
  const ids = members.map(({ memberId }) => memberId).sort();
  const shares: { memberId: string; assignment: Record<string, number[]> }[] = ids.map((memberId) => ({
    memberId,
    assignment: {},
  }));
  for (const topic of topics) {
    for (const { partitionId } of cluster.findTopicPartitionMetadata(topic)) {
      const share = shares[partitionId % shares.length];
      if (share !== undefined) (share.assignment[topic] ??= []).push(partitionId);
    }
  }
  const { MemberAssignment } = kafkajs.AssignerProtocol;
  return shares.map(({ memberId, assignment }) => ({
    memberId,
    memberAssignment: MemberAssignment.encode({ version: 0, assignment, userData: Buffer.alloc(0) }),
  }));
}
