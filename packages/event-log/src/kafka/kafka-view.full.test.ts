import { afterAll, beforeAll } from '@jest/globals';
import { describeLogView } from '../testing/view-suite.ts';
import { openKafkaView, type KafkaViewOptions } from './kafka-view.ts';
import { describeAnyBroker } from './testing/describe-kafka.ts';
import { anyTestBroker } from './testing/test-broker.ts';

describeAnyBroker('what every look at an event log promises', () => {
  let broker: Awaited<ReturnType<typeof anyTestBroker>>;

  beforeAll(async () => {
    broker = await anyTestBroker();
  }, 90_000);
  afterAll(() => broker.stop(), 30_000);

  describeLogView('Kafka', () => {
    const log = broker.log();
    return Promise.resolve({ log, view: () => openKafkaView(log.opener().options as unknown as KafkaViewOptions) });
  });
});
