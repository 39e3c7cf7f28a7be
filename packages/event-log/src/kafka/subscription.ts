import type { Lane } from '@millrace/contracts/lanes.ts';
import { delay } from '@millrace/runtime/clock.ts';
import type { Admin, Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { SubscribeOptions, Subscription } from '../event-log.ts';
import { Beginnings, type Assignment, type Beginning } from './beginnings.ts';
import { retry } from './client.ts';
import { CommitQueue } from './commit-queue.ts';
import { gatedAssigner } from './join-gate.ts';
import { KafkaStream } from './kafka-stream.ts';
import { TopicOffsets } from './topic-offsets.ts';
import { topicOf } from './topic-names.ts';

/** The part of the log that a subscription needs. */
export interface SubscriptionContext {
  kafka: Kafka;
  admin: Admin;
  topicPrefix: string;
  /** A member that is silent for this long is taken for dead. */
  sessionTimeoutMs: number;
  /** Marks of topics by their names: they distinguish a topic from a later one of its name. */
  ids: ReadonlyMap<string, string>;
}

const silenceMsMax = 5_000;
const leaveMsMax = 3_000;
/**
 * How long the others wait for a member that has not finished its batch; then the group continues without it, and its commits are
 * refused. Together with the time until a dead member is missed (`KAFKA_SESSION_TIMEOUT_MS`, 10 s by default) that is less than
 * half a minute.
 */
const rebalanceMsMax = 12_000;

/** Joins a group. Resolves when the handlers of this member's share run. */
export async function openSubscription(
  context: SubscriptionContext,
  options: SubscribeOptions,
): Promise<KafkaSubscription> {
  const subscription = new KafkaSubscription(context, options);
  await subscription.begin();
  return subscription;
}

/**
 * A member of a group. kafkajs fetches and keeps the membership; its handler only files what came with the streams and
 * returns, so that however long the work on a batch takes, the member shows life.
 *
 * In a rebalance all streams are revoked, as Kafka's classic protocol requires, and the member joins again when their
 * handlers have returned (see `gatedAssigner`). The broker refuses the commits of a member that comes back too late,
 * because they carry the generation of an earlier rebalance.
 */
export class KafkaSubscription implements Subscription {
  readonly ended: Promise<void>;
  readonly #context: SubscriptionContext;
  readonly #options: SubscribeOptions;
  readonly #laneOf: ReadonlyMap<string, Lane>;
  readonly #consumer: Consumer;
  readonly #commits: CommitQueue;
  readonly #offsets: TopicOffsets;
  readonly #beginnings: Beginnings;
  readonly #streams = new Map<string, KafkaStream>();
  readonly #handlers = new Set<Promise<void>>();
  readonly #begun = Promise.withResolvers<void>();
  readonly #end: { resolve: () => void; reject: (error: unknown) => void };
  /** Counts rebalances, so that work for an earlier one stops. */
  #division = 0;
  #heartbeatAtMs = performance.now();
  #closing: Promise<void> | null = null;
  #error: { error: unknown } | null = null;

  constructor(context: SubscriptionContext, options: SubscribeOptions) {
    this.#context = context;
    this.#options = options;
    this.#laneOf = new Map(options.lanes.map((lane) => [topicOf(context.topicPrefix, lane), lane]));
    const groupId = `${context.topicPrefix}${options.group}`;
    this.#consumer = context.kafka.consumer({
      groupId,
      partitionAssigners: [gatedAssigner(() => this.#mayJoin())],
      sessionTimeout: context.sessionTimeoutMs,
      rebalanceTimeout: rebalanceMsMax,
      heartbeatInterval: Math.min(1_000, context.sessionTimeoutMs / 4),
      maxWaitTimeInMs: 250,
      maxBytesPerPartition: 1024 * 1024,
      maxBytes: 8 * 1024 * 1024,
      allowAutoTopicCreation: false,
      retry: { ...retry, maxRetryTime: 500, retries: 20 },
    });
    this.#commits = new CommitQueue(this.#consumer, () => this.#revokeAll());
    this.#offsets = new TopicOffsets(context.admin);
    this.#beginnings = new Beginnings({
      admin: context.admin,
      groupId,
      offsets: this.#offsets,
      commits: this.#commits,
      onCut: ({ topic, partition }, cut) =>
        options.onCut?.({ id: { lane: this.#lane(topic), partition, writer: '' }, ...cut }),
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = { resolve, reject };
    // Without this, a rejection of `ended` that no caller handles would end the process.
    promise.catch(() => undefined);
    this.#listen();
  }

  async begin(): Promise<void> {
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topics: [...this.#laneOf.keys()], fromBeginning: true });
    await this.#consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 1,
      eachBatch: (payload) => this.#file(payload),
    });
    await this.#begun.promise;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#begun.resolve();
    this.#revokeAll();
    // While they finish the member shows life, and they can commit.
    while (this.#handlers.size > 0) await Promise.all(this.#handlers);
    // When the broker is away, the group notices when the session has expired.
    await Promise.race([this.#consumer.disconnect(), delay(leaveMsMax)]);
    if (this.#error === null) this.#end.resolve();
    else this.#end.reject(this.#error.error);
  }

  #listen(): void {
    const { GROUP_JOIN, HEARTBEAT, COMMIT_OFFSETS, REBALANCING, CRASH, STOP } = this.#consumer.events;
    const recordHeartbeat = (): void => void (this.#heartbeatAtMs = performance.now());
    this.#consumer.on(HEARTBEAT, recordHeartbeat);
    this.#consumer.on(COMMIT_OFFSETS, recordHeartbeat);
    this.#consumer.on(GROUP_JOIN, ({ payload }) => {
      recordHeartbeat();
      this.#begin(payload.memberAssignment);
    });
    this.#consumer.on(REBALANCING, () => this.#revokeAll());
    this.#consumer.on(STOP, () => this.#revokeAll());
    this.#consumer.on(CRASH, ({ payload }) => {
      this.#revokeAll();
      // Otherwise kafkajs starts again by itself, for instance when the broker was away.
      if (!payload.restart) this.#fail(payload.error);
    });
  }

  /** True when all handlers of the last rebalance have returned. Checked before each attempt to join. */
  #mayJoin(): boolean {
    this.#revokeAll();
    return this.#handlers.size === 0 && !this.#commits.busy;
  }

  #revokeAll(): void {
    this.#division += 1;
    for (const stream of this.#streams.values()) stream.revoke();
  }

  #begin(assignment: Assignment): void {
    const division = ++this.#division;
    // Each stream's reader says where it begins. Without this kafkajs would fetch from the committed offset, and reset it
    // in the group when it is gone.
    this.#consumer.pause(
      Object.entries(assignment).map(([topic, partitions]) => ({ topic, partitions: [...partitions] })),
    );
    this.#startStreams(division, assignment).catch((error: unknown) => this.#fail(error));
  }

  async #startStreams(division: number, assignment: Assignment): Promise<void> {
    const topics = Object.keys(assignment);
    if (topics.length === 0) return this.#begun.resolve();
    for (;;) {
      if (division !== this.#division || this.#closing !== null) return;
      const beginnings = await this.#beginnings.find(assignment).catch(() => null);
      if (division !== this.#division || this.#closing !== null) return;
      if (beginnings === null) {
        // Away, or about to load the group: `silence` says so when it lasts.
        await delay(200);
        continue;
      }
      for (const beginning of beginnings) this.#startStream(beginning);
      return this.#begun.resolve();
    }
  }

  /** Ends the subscription after the log has lost its end. The caller begins again with a new subscription. */
  async #endAfterCut(topic: string, partition: number, read: bigint): Promise<void> {
    const cut = new Error(
      `${topic}/${partition} ends before ${read}, up to which it was read: the log has lost its end`,
    );
    // When the new history cannot be committed, the next member detects the loss itself.
    const reported = await this.#beginnings.anew({ topic, partition }, read).then(
      () => undefined,
      (error: unknown) => error,
    );
    this.#fail(reported === undefined ? cut : new AggregateError([cut, reported], cut.message));
  }

  #lane(topic: string): Lane {
    const lane = this.#laneOf.get(topic);
    if (lane === undefined) throw new Error(`was given a topic that was not asked for: ${topic}`);
    return lane;
  }

  #startStream({ topic, partition, commit, history }: Beginning): void {
    const key = `${topic}/${partition}`;
    const id = this.#context.ids.get(topic) ?? '';
    const stream = new KafkaStream(
      { lane: this.#lane(topic), partition, writer: '' },
      history === '' ? id : `${id}.${history}`,
      commit,
      {
        topic,
        consumer: this.#consumer,
        offsets: this.#offsets,
        commits: this.#commits,
        silence: () => this.#silence(),
        history,
        isCut: (offset) => this.#beginnings.isCut({ topic, partition }, offset),
        onCut: (read) => void this.#endAfterCut(topic, partition, read),
      },
    );
    this.#streams.set(key, stream);
    const handler = this.#options
      .onStream(stream)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        stream.finish();
        this.#handlers.delete(handler);
        if (stream.revoked.aborted) this.#streams.delete(key);
      });
    this.#handlers.add(handler);
  }

  async #file(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    this.#heartbeatAtMs = performance.now();
    const stream = this.#streams.get(`${batch.topic}/${batch.partition}`);
    // Stale: its reader has gone to another offset meanwhile.
    if (stream === undefined || stream.revoked.aborted || payload.isStale()) return;
    stream.add(batch);
    payload.resolveOffset(batch.lastOffset());
    // The reader has its turn before the next fetch.
    await new Promise(setImmediate);
    stream.pauseWhenFull();
  }

  #silence(): string | null {
    const silentMs = performance.now() - this.#heartbeatAtMs;
    return silentMs < silenceMsMax ? null : `no word from the broker for ${Math.round(silentMs / 1000)} s`;
  }

  /** Ends the subscription with a permanent error. */
  #fail(error: unknown): void {
    this.#error ??= { error };
    void this.close();
  }
}
