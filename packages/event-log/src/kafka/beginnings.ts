import { delay } from '@millrace/runtime/clock.ts';
import type { Admin } from 'kafkajs';
import type { Commit, LogCut } from '../event-log.ts';
import type { CommitQueue } from './commit-queue.ts';
import { readCommit, writeCommit } from './stream-commit.ts';
import type { TopicOffsets } from './topic-offsets.ts';

/** Partitions by the names of their topics. */
export type Assignment = Readonly<Record<string, readonly number[]>>;

interface Position {
  topic: string;
  partition: number;
}

/**
 * The offset at which the work on a partition begins; its `history` is that of its commits (see `stream-commit.ts`).
 */
export interface Beginning extends Position {
  commit: Commit | null;
  history: string;
}

interface BeginningsContext {
  admin: Admin;
  groupId: string;
  offsets: TopicOffsets;
  commits: CommitQueue;
  /** Called for each partition that ends before the offset that the group has read. */
  onCut: (position: Position, cut: Omit<LogCut, 'id'>) => void;
}

const readsMax = 3;
const readPauseMs = 300;

/** Finds where a group begins its work on partitions: after its commits, unless the log has lost its end since. */
export class Beginnings {
  readonly #context: BeginningsContext;

  constructor(context: BeginningsContext) {
    this.#context = context;
  }

  /** @throws what kafkajs throws when the broker does not respond. */
  async find(assignment: Assignment): Promise<Beginning[]> {
    const { admin, groupId } = this.#context;
    const commits = await admin.fetchOffsets({ groupId, topics: Object.keys(assignment) });
    const own = commits.flatMap(({ topic, partitions }) =>
      partitions
        .filter(({ partition }) => assignment[topic]?.includes(partition))
        .map((stored) => ({ topic, ...stored })),
    );
    return Promise.all(
      own.map(async ({ topic, partition, ...stored }) => {
        const position = { topic, partition };
        const { commit, history, wasReset } = readCommit(stored);
        const isWhole = !wasReset && (commit === null || (await this.#reaches(position, commit.offset)));
        return isWhole ? { ...position, commit, history } : await this.anew(position, commit?.offset ?? null);
      }),
    );
  }

  /** True when the partition certainly ends before that offset, or kafkajs found that it does. @throws like `find`. */
  async isCut(position: Position, offset: bigint): Promise<boolean> {
    const { admin, groupId } = this.#context;
    const [response] = await admin.fetchOffsets({ groupId, topics: [position.topic] });
    const stored = response?.partitions.find(({ partition }) => partition === position.partition);
    return (stored !== undefined && readCommit(stored).wasReset) || !(await this.#reaches(position, offset));
  }

  /**
   * The log has lost its end, so from an unknown offset on other records may have the offsets that were read before.
   * The work begins with the oldest record, under a new history, which the group's commit holds.
   */
  async anew(position: Position, read: bigint | null): Promise<Beginning> {
    const { offsets, commits, onCut } = this.#context;
    const { low, high } = await offsets.of(position.topic, position.partition);
    const history = Date.now().toString(36);
    const commit = { offset: low, metadata: '' };
    await commits.commit(position, writeCommit(commit, history));
    onCut(position, { read, end: high });
    return { ...position, commit, history };
  }

  /** False when the partition certainly ends before that offset: a new leader may take a moment to know how far it reaches. */
  async #reaches({ topic, partition }: Position, offset: bigint): Promise<boolean> {
    for (let read = 0; read < readsMax; read++) {
      if (read > 0) await delay(readPauseMs);
      if (offset <= (await this.#context.offsets.of(topic, partition)).high) return true;
    }
    return false;
  }
}
