import { delay } from '@millrace/runtime/clock.ts';
import type { Admin } from 'kafkajs';
import { rootOf } from './errors.ts';

/** First and next offset of a partition's records. */
export interface Bounds {
  low: bigint;
  high: bigint;
}

const attemptsMax = 20;
const attemptPauseMs = 100;

/** Asks the broker how far partitions reach; one request a topic at a time, which all who wait share. */
export class TopicOffsets {
  readonly #admin: Admin;
  /** A request that has not left yet may be joined; one under way may have been answered before the caller's event. */
  readonly #fetching = new Map<
    string,
    { underWay: Promise<Map<number, Bounds>>; next: Promise<Map<number, Bounds>> | null }
  >();

  constructor(admin: Admin) {
    this.#admin = admin;
  }

  /** As of now. @throws what kafkajs throws when the broker does not answer. */
  async of(topic: string, partition: number): Promise<Bounds> {
    const bounds = (await this.#fetchShared(topic)).get(partition);
    if (bounds === undefined) throw new Error(`the broker knows no ${topic}/${partition}`);
    return bounds;
  }

  #fetchShared(topic: string): Promise<Map<number, Bounds>> {
    const asking = this.#fetching.get(topic);
    if (asking === undefined) {
      const underWay = this.#fetch(topic);
      const entry = { underWay, next: null };
      this.#fetching.set(topic, entry);
      return underWay;
    }
    asking.next ??= asking.underWay.then(
      () => this.#fetchShared(topic),
      () => this.#fetchShared(topic),
    );
    return asking.next;
  }

  async #fetch(topic: string): Promise<Map<number, Bounds>> {
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          const offsets = await this.#admin.fetchTopicOffsets(topic);
          return new Map(
            offsets.map(({ partition, low, high }) => [partition, { low: BigInt(low), high: BigInt(high) }]),
          );
        } catch (error) {
          // A topic that was just made, or whose leader has moved, is ready a moment later. kafkajs does not try again.
          if (attempt === attemptsMax || rootOf(error).retriable !== true) throw error;
          await delay(attemptPauseMs);
        }
      }
    } finally {
      this.#fetching.delete(topic);
    }
  }
}
