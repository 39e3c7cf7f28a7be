import { expect, test } from '@jest/globals';
import { insertMsMax, overrideHoursMin } from '@millrace/contracts/limits.ts';
import { readConsumerConfig } from './config.ts';

const needed = {
  DATABASE_URL: 'postgres://a@b/c',
  CLICKHOUSE_URL: 'http://c',
  CLICKHOUSE_USER: 'writer',
  CLICKHOUSE_PASSWORD: 'x',
  EVENT_LOG_DIR: 'x',
};

test.each([
  [{}, { host: '127.0.0.1', port: 8002 }],
  [
    { CONSUMER_PORT: '9100', CONSUMER_HOST: '0.0.0.0' },
    { host: '0.0.0.0', port: 9100 },
  ],
  [
    { OPERATIONS_PORT: '9200', OPERATIONS_HOST: '::1', CONSUMER_PORT: '9100', CONSUMER_HOST: '0.0.0.0' },
    { host: '::1', port: 9200 },
  ],
])("operators' port is found under its name and under its former one: %j", (given, operations) => {
  expect(readConsumerConfig({ ...needed, ...given }).operations).toEqual(operations);
});

test.each([
  ['CLICKHOUSE_REQUEST_TIMEOUT_MS', insertMsMax, insertMsMax + 1],
  ['CONSUMER_FOLD_AGE_HOURS', overrideHoursMin, overrideHoursMin - 1],
])('%s may be %d and not %d: builds by buckets rely on it', (name, good, bad) => {
  expect(() => readConsumerConfig({ ...needed, [name]: String(good) })).not.toThrow();
  expect(() => readConsumerConfig({ ...needed, [name]: String(bad) })).toThrow(name);
});
