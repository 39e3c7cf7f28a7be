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

/** Requests the ends of partitions from the broker: one request a topic at a time, which all callers share. */
export class TopicOffsets {
  readonly #admin: Admin;
  /**
   * A request that has not left yet may be joined; the response of one under way may be from before the caller's event.
   */
  readonly #fetching = new Map<
    string,
    { underWay: Promise<Map<number, Bounds>>; next: Promise<Map<number, Bounds>> | null }
  >();

  constructor(admin: Admin) {
    this.#admin = admin;
  }

  /** As of now. @throws what kafkajs throws when the broker does not respond. */
  async of(topic: string, partition: number): Promise<Bounds> {
    const bounds = (await this.#fetchShared(topic)).get(partition);
    if (bounds === undefined) throw new Error(`the broker knows no ${topic}/${partition}`);
    return bounds;
  }

  #fetchShared(topic: string): Promise<Map<number, Bounds>> {
    const request = this.#fetching.get(topic);
    if (request === undefined) {
      const underWay = this.#fetch(topic);
      const entry = { underWay, next: null };
      this.#fetching.set(topic, entry);
      return underWay;
    }
    request.next ??= request.underWay.then(
      () => this.#fetchShared(topic),
      () => this.#fetchShared(topic),
    );
    return request.next;
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
