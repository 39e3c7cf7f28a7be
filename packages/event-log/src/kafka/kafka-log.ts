import type { Lane } from '@millrace/contracts/lanes.ts';
import { delay } from '@millrace/runtime/clock.ts';
import { withTimeout } from '@millrace/runtime/with-timeout.ts';
import type { Admin } from 'kafkajs';
import {
  LogUnavailableError,
  type AppendRecord,
  type EventLog,
  type SubscribeOptions,
  type Subscription,
} from '../event-log.ts';
import { Appender } from './appender.ts';
import { createKafka } from './client.ts';
import { describeError } from './errors.ts';
import { LogTopicsError, openTopics, type LogTopics } from './log-topics.ts';
import { Sender } from './sender.ts';
import { openSubscription, type KafkaSubscription, type SubscriptionContext } from './subscription.ts';
import { allTopics, topicOf } from './topic-names.ts';

export interface KafkaLogOptions {
  /** `host:port` of some brokers of the cluster. */
  brokers: readonly string[];
  /** Prefix of the names of its topics and groups. */
  topicPrefix: string;
  /** Partitions of new topics; existing ones keep theirs. */
  partitions?: number;
  /** Replication factor of new topics; -1 leaves it to the broker. */
  replicationFactor?: number;
  /** The log's id, instead of the one that its topics carry. */
  id?: string | null;
  /** Name under which this process writes. Kafka knows no owner of it; without it, the log is only read. */
  writer?: string;
  /** A subscriber that is silent for this long is taken for dead. */
  sessionTimeoutMs?: number;
  /** After this an append has an outcome, whatever the broker does. */
  appendDeadlineMs?: number;
  /** Longest wait of opening for the broker. */
  openDeadlineMs?: number;
}

const defaults = {
  partitions: 8,
  replicationFactor: -1,
  id: null,
  sessionTimeoutMs: 10_000,
  appendDeadlineMs: 5_000,
  openDeadlineMs: 60_000,
};

const requestBytesMax = 8 * 1024 * 1024;
const waitingBytesMax = 96 * 1024 * 1024;
const partRecordsMax = 200;
/** A batch's own header, with some to spare. */
const batchOverheadBytes = 512;

/**
 * The event log on an Apache Kafka cluster: a lane is a topic, a stream a partition, a commit an offset of a consumer
 * group with its metadata. An append is acknowledged when all in-sync replicas have it. Topics that are not there are
 * made.
 * @throws {LogUnavailableError} when no broker responds in time.
 * @throws {LogTopicsError} when the topics that are there cannot be a log.
 */
export async function openKafkaLog(options: KafkaLogOptions): Promise<EventLog> {
  const settings = { ...defaults, ...options };
  const kafka = createKafka(`millrace-${settings.writer ?? 'reader'}`, settings.brokers);
  const admin = kafka.admin();
  const sender = settings.writer === undefined ? null : new Sender(kafka);
  try {
    const topics = await untilThere(settings.openDeadlineMs, async () => {
      await admin.connect();
      const found = await openTopics(admin, allTopics(settings.topicPrefix), settings);
      await sender?.connect();
      return found;
    });
    const { topicPrefix, sessionTimeoutMs, appendDeadlineMs } = settings;
    return new KafkaLog(
      topics,
      { kafka, admin, topicPrefix, sessionTimeoutMs, ids: topics.ids },
      sender,
      appendDeadlineMs,
    );
  } catch (error) {
    await Promise.all([sender?.close(), admin.disconnect()]);
    throw error;
  }
}

async function untilThere<T>(deadlineMs: number, open: () => Promise<T>): Promise<T> {
  for (const untilMs = performance.now() + deadlineMs; ;) {
    try {
      return await open();
    } catch (error) {
      if (error instanceof LogTopicsError) throw error;
      if (performance.now() > untilMs)
        throw new LogUnavailableError(`Kafka cannot be used: ${describeError(error)}`, { cause: error });
      await delay(200);
    }
  }
}

class KafkaLog implements EventLog {
  readonly partitions: number;
  readonly #context: SubscriptionContext;
  readonly #sender: Sender | null;
  readonly #appender: Appender | null;
  readonly #watch: BrokerWatch;
  readonly #subscriptions = new Set<KafkaSubscription>();
  #closing: Promise<void> | null = null;

  constructor(topics: LogTopics, context: SubscriptionContext, sender: Sender | null, deadlineMs: number) {
    this.partitions = topics.partitions;
    this.#context = context;
    this.#sender = sender;
    const limits = { requestBytesMax, partBytesMax: topics.batchBytesMax - batchOverheadBytes, partRecordsMax };
    this.#appender = sender === null ? null : new Appender(sender, { limits, deadlineMs, waitingBytesMax });
    this.#watch = new BrokerWatch(context.admin, () => this.#appender?.respondedAtMs ?? 0);
  }

  append(lane: Lane, records: readonly AppendRecord[]): Promise<void> {
    const strange = records.find(({ partition }) => !(partition >= 0 && partition < this.partitions));
    if (strange !== undefined) return Promise.reject(new RangeError(`there is no partition ${strange.partition}`));
    if (this.#closing !== null || this.#appender === null)
      return Promise.reject(new LogUnavailableError(this.unhealthyReason() ?? 'the event log is closed'));
    return this.#appender.append(topicOf(this.#context.topicPrefix, lane), records);
  }

  async subscribe(options: SubscribeOptions): Promise<Subscription> {
    if (this.#closing !== null) throw new LogUnavailableError('the event log is closed');
    const subscription = await openSubscription(this.#context, options);
    this.#subscriptions.add(subscription);
    return subscription;
  }

  unhealthyReason(): string | null {
    if (this.#closing !== null) return 'the event log is closed';
    if (this.#appender === null) return 'this process only reads the event log';
    return this.#appender.unhealthyReason() ?? this.#watch.unhealthyReason;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#watch.stop();
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.close()));
    await this.#appender?.close();
    await Promise.all([this.#sender?.close(), this.#context.admin.disconnect()]);
  }
}

const watchMs = 2_000;
const silenceMsMax = 3_000;

/** Sends a request when no appends do, so that an idle log knows that its broker is away. */
class BrokerWatch {
  readonly #timer: NodeJS.Timeout;
  #unhealthyReason: string | null = null;
  #probing = false;

  constructor(admin: Admin, respondedAtMs: () => number) {
    this.#timer = setInterval(() => {
      if (this.#probing) return;
      if (performance.now() - respondedAtMs() < watchMs) this.#unhealthyReason = null;
      else void this.#probe(admin);
    }, watchMs);
    this.#timer.unref();
  }

  get unhealthyReason(): string | null {
    return this.#unhealthyReason;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #probe(admin: Admin): Promise<void> {
    this.#probing = true;
    try {
      await withTimeout(admin.describeCluster(), silenceMsMax, () => new Error('no response'));
      this.#unhealthyReason = null;
    } catch (error) {
      this.#unhealthyReason = `the broker does not respond: ${describeError(error)}`;
    } finally {
      this.#probing = false;
    }
  }
}
