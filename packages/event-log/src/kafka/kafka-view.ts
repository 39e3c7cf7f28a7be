import { randomUUID } from 'node:crypto';
import type { Lane } from '@millrace/contracts/lanes.ts';
import { aborted } from '@millrace/runtime/aborted.ts';
import type { Admin } from 'kafkajs';
import { LogUnavailableError, type AssignedStream, type Commit, type LogRecord } from '../event-log.ts';
import type { LogView, ViewedStream } from '../log-view.ts';
import { createKafka } from './client.ts';
import { describeError } from './errors.ts';
import { readCommit } from './stream-commit.ts';
import { openSubscription, type KafkaSubscription, type SubscriptionContext } from './subscription.ts';
import { topicOf } from './topic-names.ts';
import { TopicOffsets } from './topic-offsets.ts';

export interface KafkaViewOptions {
  /** `host:port` of some brokers of the cluster. */
  brokers: readonly string[];
  /** Prefix of the names of its topics and groups. */
  topicPrefix: string;
  sessionTimeoutMs: number;
}

const silenceMsMax = 30_000;
const readWaitMs = 1_000;

/**
 * Opens a view of the log on a Kafka cluster. Records are read by a group of its own, which Kafka forgets once it has
 * left: nothing is committed in it. No topic is made.
 * @throws {LogUnavailableError} when no broker responds, or the topics are not there.
 */
export async function openKafkaView({ brokers, topicPrefix, sessionTimeoutMs }: KafkaViewOptions): Promise<LogView> {
  const kafka = createKafka('millrace-view', brokers);
  const admin = kafka.admin();
  try {
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata({ topics: [topicOf(topicPrefix, 'main')] });
    const context = { kafka, admin, topicPrefix, sessionTimeoutMs, ids: new Map() };
    return new KafkaView(context, topics[0]?.partitions.length ?? 0);
  } catch (error) {
    await admin.disconnect();
    throw unavailable('cannot be looked at', error);
  }
}

class KafkaView implements LogView {
  readonly partitions: number;
  readonly #context: SubscriptionContext;
  readonly #offsets: TopicOffsets;
  readonly #subscriptions: KafkaSubscription[] = [];

  constructor(context: SubscriptionContext, partitions: number) {
    this.#context = context;
    this.partitions = partitions;
    this.#offsets = new TopicOffsets(context.admin);
  }

  async streams(lanes: readonly Lane[]): Promise<ViewedStream[]> {
    try {
      const assigned = await this.#assigned(lanes);
      return await Promise.all(assigned.map((stream) => this.#view(stream)));
    } catch (error) {
      throw unavailable('cannot be read', error);
    }
  }

  async committed(group: string, { lane, partition }: { lane: Lane; partition: number }): Promise<Commit | null> {
    const { admin, topicPrefix } = this.#context;
    const responses = await fetchCommits(admin, `${topicPrefix}${group}`, topicOf(topicPrefix, lane));
    const found = responses.find((response) => response.partition === partition);
    return found === undefined ? null : readCommit(found).commit;
  }

  async close(): Promise<void> {
    await Promise.all(this.#subscriptions.map((subscription) => subscription.close()));
    await this.#context.admin.disconnect();
  }

  /** All streams of the lanes, once the only member of a new group has been given them. */
  async #assigned(lanes: readonly Lane[]): Promise<AssignedStream[]> {
    const streams: AssignedStream[] = [];
    const all = Promise.withResolvers<void>();
    const onStream = async (stream: AssignedStream): Promise<void> => {
      streams.push(stream);
      if (streams.length === lanes.length * this.partitions) all.resolve();
      await aborted(stream.revoked);
    };
    const subscription = await openSubscription(this.#context, { group: `view-${randomUUID()}`, lanes, onStream });
    this.#subscriptions.push(subscription);
    await Promise.race([all.promise, subscription.ended]);
    return streams;
  }

  async #view(stream: AssignedStream): Promise<ViewedStream> {
    const { id } = stream;
    const { low, high } = await this.#offsets.of(topicOf(this.#context.topicPrefix, id.lane), id.partition);
    return {
      id,
      begin: low,
      end: high,
      read: (from, maxBytes) => readOn(stream, { from: from > low ? from : low, low, high }, maxBytes),
    };
  }
}

/** Waits for records that are known to be there. */
async function readOn(
  stream: AssignedStream,
  { from, low, high }: { from: bigint; low: bigint; high: bigint },
  maxBytes: number,
): Promise<LogRecord[]> {
  // 0 means the oldest record that there is; meanwhile retention may have taken more than `low` says.
  const wanted = from === low ? 0n : from;
  for (const untilMs = performance.now() + silenceMsMax; from < high;) {
    const records = await stream.read(wanted, { maxBytes, waitMs: readWaitMs });
    if (records.length > 0) return records.filter(({ offset }) => offset < high);
    if (stream.revoked.aborted) throw new LogUnavailableError('Kafka took the streams away: try again');
    if (performance.now() > untilMs)
      throw new LogUnavailableError(`Kafka sends nothing of ${stream.id.lane}/${stream.id.partition}`);
  }
  return [];
}

async function fetchCommits(admin: Admin, groupId: string, topic: string) {
  try {
    const [response] = await admin.fetchOffsets({ groupId, topics: [topic] });
    return response?.partitions ?? [];
  } catch (error) {
    throw unavailable('does not say how far a group is', error);
  }
}

function unavailable(what: string, error: unknown): LogUnavailableError {
  if (error instanceof LogUnavailableError) return error;
  return new LogUnavailableError(`the event log in Kafka ${what}: ${describeError(error)}`, { cause: error });
}
