import type { Lane } from '@millrace/contracts/lanes.ts';
import { allTopics, topicOf } from '../topic-names.ts';
import { plainKafka } from './test-broker.ts';

interface LogOnBrokers {
  brokers: readonly string[];
  topicPrefix: string;
}

/** Appends what no log of ours appends: a record without a value. */
export async function appendNull({ brokers, topicPrefix }: LogOnBrokers, lane: Lane, partition: number): Promise<void> {
  const producer = plainKafka(brokers).producer({ allowAutoTopicCreation: false });
  await producer.connect();
  await producer.send({ topic: topicOf(topicPrefix, lane), acks: -1, messages: [{ partition, value: null }] });
  await producer.disconnect();
}

/** Deletes all topics of a log. */
export async function deleteLog({ brokers, topicPrefix }: LogOnBrokers): Promise<void> {
  const admin = plainKafka(brokers).admin();
  await admin.connect();
  const there = await admin.listTopics();
  await admin.deleteTopics({ topics: allTopics(topicPrefix).filter((topic) => there.includes(topic)) });
  await admin.disconnect();
}
