import { withTimeout } from '@millrace/runtime/with-timeout.ts';
import type { Consumer } from 'kafkajs';
import { LogUnavailableError, StreamRevokedError, type Commit } from '../event-log.ts';
import { describeError, isFencing } from './errors.ts';

interface Position {
  topic: string;
  partition: number;
}

interface Waiting extends Position {
  commit: Commit;
  settle: (error: Error | null) => void;
}

const deadlineMs = 5_000;

/**
 * Sends commits one request after the other, each with what has come for different partitions meanwhile. So a commit that
 * is late can never overtake the one after it, and many streams cost few requests.
 */
export class CommitQueue {
  readonly #consumer: Consumer;
  readonly #onFenced: () => void;
  #waiting: Waiting[] = [];
  /** Commits of the request under way that the broker has confirmed. */
  readonly #confirmed = new Set<string>();
  #busy = false;

  constructor(consumer: Consumer, onFenced: () => void) {
    this.#consumer = consumer;
    this.#onFenced = onFenced;
    // kafkajs resolves a commit also when it has not sent it, because it was just stopping; only this shows it.
    consumer.on(consumer.events.COMMIT_OFFSETS, ({ payload }) => {
      for (const { topic, partitions } of payload.topics)
        for (const { partition } of partitions) this.#confirmed.add(nameOf({ topic, partition }));
    });
  }

  /** True while kafkajs may still send one. */
  get busy(): boolean {
    return this.#busy;
  }

  /**
   * Resolves when the broker has it.
   * @throws {StreamRevokedError} when the group continues without this member.
   * @throws {LogUnavailableError} when the broker does not confirm; then it may know it nevertheless.
   */
  commit(position: Position, commit: Commit): Promise<void> {
    const sent = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ ...position, commit, settle: (error) => (error === null ? resolve() : reject(error)) });
      if (!this.#busy) void this.#drain();
    });
    return withTimeout(
      sent,
      deadlineMs,
      () => new LogUnavailableError(`the broker did not confirm a commit within ${deadlineMs} ms`),
    );
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      const error = await this.#send(group);
      for (const each of group)
        each.settle(
          error ?? (this.#confirmed.has(nameOf(each)) ? null : new LogUnavailableError('the commit was not sent')),
        );
    }
    this.#busy = false;
  }

  /** The oldest of each partition. */
  #takeGroup(): Waiting[] {
    const group = new Map<string, Waiting>();
    for (const each of this.#waiting) if (!group.has(nameOf(each))) group.set(nameOf(each), each);
    const taken = new Set(group.values());
    this.#waiting = this.#waiting.filter((each) => !taken.has(each));
    return [...taken];
  }

  async #send(group: readonly Waiting[]): Promise<Error | null> {
    this.#confirmed.clear();
    try {
      await this.#consumer.commitOffsets(
        group.map(({ topic, partition, commit }) => ({
          topic,
          partition,
          offset: String(commit.offset),
          metadata: commit.metadata,
        })),
      );
      return null;
    } catch (error) {
      if (!isFencing(error))
        return new LogUnavailableError(`the broker did not take a commit: ${describeError(error)}`, { cause: error });
      this.#onFenced();
      return new StreamRevokedError('the group goes on without this member', { cause: error });
    }
  }
}

function nameOf({ topic, partition }: Position): string {
  return `${topic}/${partition}`;
}
