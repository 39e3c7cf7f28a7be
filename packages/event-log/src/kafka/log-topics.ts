import { createHash, randomBytes } from 'node:crypto';
import kafkajs, { type Admin } from 'kafkajs';
import { rootOf } from './errors.ts';
import { TopicOffsets } from './topic-offsets.ts';

/** Thrown when the topics that are there cannot be a log. */
export class LogTopicsError extends Error {
  override name = 'LogTopicsError';
}

/** Settings of topics that are created. */
export interface TopicSettings {
  partitions: number;
  /** -1: what the broker is set to. */
  replicationFactor: number;
  /** The log's id when it is not stored in the topics. */
  id: string | null;
}

/** Properties that are fixed when the topics are made. */
export interface LogTopics {
  /**
   * By the topic's name, its mark: it distinguishes its records from those of a later topic of that name. A lane that
   * is added changes no other.
   */
  ids: ReadonlyMap<string, string>;
  partitions: number;
  /** Bytes of one batch of records that every topic takes. */
  batchBytesMax: number;
}

const batchBytes = 4 * 1024 * 1024;

/**
 * The setting of a topic that holds its mark. kafkajs cannot read the ids that Kafka gives topics, and a topic has no
 * place for a text; so a new one gets a time after which its data is flushed that is a random number of more than a
 * hundred million years. It does what the preset does (nothing), is written in the moment in which the topic is made,
 * and goes with it.
 */
const markSetting = 'flush.ms';
const markMin = 2n ** 62n;

/**
 * Makes what is missing of the topics, and reads what they are. Safe to call from several processes at once.
 * @throws {LogTopicsError} when the topics differ in partitions, or one was made by other means and no id is set.
 */
export async function openTopics(admin: Admin, names: readonly string[], settings: TopicSettings): Promise<LogTopics> {
  await makeMissing(admin, names, settings);
  const { topics } = await admin.fetchTopicMetadata({ topics: [...names] });
  const partitions = topics.map((topic) => topic.partitions.length);
  const [count = 0] = partitions;
  if (partitions.some((each) => each !== count)) {
    throw new LogTopicsError(
      `the topics of one log need the same number of partitions: ${topics.map(({ name, partitions: each }) => `${name} ${each.length}`).join(', ')}`,
    );
  }
  // A topic that was just made has leaders by name only for a moment; readers that meet it then would have to join anew.
  const offsets = new TopicOffsets(admin);
  await Promise.all(names.map((name) => offsets.of(name, 0)));
  const configs = await readConfigs(admin, names);
  const { clusterId } = await admin.describeCluster();
  if (settings.id === null) for (const { name, mark } of configs) checkMark(name, mark);
  const idOf = (mark: string): string => `${clusterId}.${createHash('sha256').update(mark).digest('hex').slice(0, 16)}`;
  const ids = new Map(configs.map(({ name, mark }) => [name, settings.id ?? idOf(mark)]));
  return { ids, partitions: count, batchBytesMax: Math.min(...configs.map(({ bytesMax }) => bytesMax)) };
}

async function makeMissing(admin: Admin, names: readonly string[], settings: TopicSettings): Promise<void> {
  const there = new Set(await admin.listTopics());
  const missing = names.filter((name) => !there.has(name));
  if (missing.length === 0) return;
  const topics = missing.map((topic) => ({
    topic,
    numPartitions: settings.partitions,
    replicationFactor: settings.replicationFactor,
    configEntries: [
      { name: 'max.message.bytes', value: String(batchBytes) },
      ...(settings.id === null
        ? [{ name: markSetting, value: String(markMin + (randomBytes(8).readBigUInt64BE() >> 2n)) }]
        : []),
    ],
  }));
  try {
    await admin.createTopics({ topics, waitForLeaders: true });
  } catch (error) {
    // A new topic may not be known everywhere for a moment although it was made; opening again finds it.
    if (rootOf(error).type !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error;
  }
}

interface TopicConfig {
  name: string;
  mark: string;
  bytesMax: number;
}

async function readConfigs(admin: Admin, names: readonly string[]): Promise<TopicConfig[]> {
  const type = kafkajs.ConfigResourceTypes.TOPIC;
  const configNames = [markSetting, 'max.message.bytes'];
  const { resources } = await admin.describeConfigs({
    resources: names.map((name) => ({ type, name, configNames })),
    includeSynonyms: false,
  });
  return names.map((name) => {
    const entries = resources.find(({ resourceName }) => resourceName === name)?.configEntries ?? [];
    const valueOf = (setting: string): string =>
      entries.find(({ configName }) => configName === setting)?.configValue ?? '';
    return { name, mark: valueOf(markSetting), bytesMax: Number(valueOf('max.message.bytes')) };
  });
}

const presetMark = 2n ** 63n - 1n;

function checkMark(name: string, mark: string): void {
  if (/^\d+$/.test(mark) && BigInt(mark) >= markMin && BigInt(mark) !== presetMark) return;
  throw new LogTopicsError(
    `topic ${name} was made by other means and has no mark that tells it from a later one of its name: set its ${markSetting} to a random number above ${markMin}, or set KAFKA_LOG_ID`,
  );
}
