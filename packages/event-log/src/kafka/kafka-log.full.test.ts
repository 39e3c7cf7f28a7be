import { afterAll, beforeAll } from '@jest/globals';
import { describeEventLog } from '../contract-suite.ts';
import { describeAnyBroker } from './testing/describe-kafka.ts';
import { anyTestBroker } from './testing/test-broker.ts';

describeAnyBroker('what every event log promises', () => {
  let broker: Awaited<ReturnType<typeof anyTestBroker>>;

  beforeAll(async () => {
    broker = await anyTestBroker();
  }, 90_000);
  afterAll(() => broker.stop(), 30_000);

  describeEventLog('Kafka', () => Promise.resolve(broker.log()));
});
