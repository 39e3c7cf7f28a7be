import type { Lane } from '@millrace/contracts/lanes.ts';
import { topicOf } from '../topic-names.ts';
import { plainKafka, type LogOnBrokers } from './test-broker.ts';

/** Appends a record without a value, which Millrace itself never does. */
export async function appendNull({ brokers, topicPrefix }: LogOnBrokers, lane: Lane, partition: number): Promise<void> {
  const producer = plainKafka(brokers).producer({ allowAutoTopicCreation: false });
  await producer.connect();
  await producer.send({ topic: topicOf(topicPrefix, lane), acks: -1, messages: [{ partition, value: null }] });
  await producer.disconnect();
}
