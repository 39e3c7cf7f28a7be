import kafkajs, { type PartitionAssigner } from 'kafkajs';

/** What kafkajs takes for the news that the group is dividing its partitions anew. */
class NotYetError extends Error {
  readonly type = 'REBALANCE_IN_PROGRESS';
}

/**
 * The round-robin assigner, behind a gate. kafkajs joins a group again as soon as it hears that the others do, without
 * asking whether the work on the old partitions has ended. But for each attempt it asks its assigner how to describe
 * itself: while `mayJoin` says no, the answer is that the group is not ready, and kafkajs tries again a moment later.
 * Meanwhile the group waits for this member (for as long as its rebalance timeout allows).
 */
export function gatedAssigner(mayJoin: () => boolean): PartitionAssigner {
  return (config) => {
    const assigner = kafkajs.PartitionAssigners.roundRobin(config);
    return {
      ...assigner,
      protocol: (subscription) => {
        if (!mayJoin()) throw new NotYetError('streams of the last assignment are still worked on');
        return assigner.protocol(subscription);
      },
    };
  };
}
