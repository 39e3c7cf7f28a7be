import { clickhouseSettings } from '@millrace/clickhouse/settings.ts';
import { eventLogSettings } from '@millrace/event-log/settings.ts';
import { postgresSettings } from '@millrace/postgres/settings.ts';
import { readConfig, type ConfigOf } from '@millrace/runtime/config.ts';
import { integer, logLevelSetting, text } from '@millrace/runtime/settings.ts';

/** Everything that the consumer can be told. */
export const consumerSettings = {
  port: integer('CONSUMER_PORT', { description: 'port of health and metrics', default: 8002, max: 65_535 }),
  host: text('CONSUMER_HOST', { description: 'address that health and metrics listen on', default: '127.0.0.1' }),
  logLevel: logLevelSetting,
  group: text('CONSUMER_GROUP', { description: 'group of the event log: consumers of one group share the work', default: 'consumer' }),
  writer: text('CONSUMER_WRITER', {
    description: 'name under which dead letters are written; consumers that share an embedded event log need one each',
    default: 'consumer',
  }),
  postgres: postgresSettings,
  clickhouse: clickhouseSettings,
  eventLog: eventLogSettings,
  batch: {
    rowsMax: integer('CONSUMER_BATCH_ROWS_MAX', { description: 'most events of one batch', default: 50_000, min: 1 }),
    bytesMax: integer('CONSUMER_BATCH_BYTES_MAX', { description: 'most bytes of one batch, as they lie in the log', default: 16_000_000, min: 1 }),
    lingerMs: integer('CONSUMER_BATCH_LINGER_MS', { description: 'milliseconds that a batch waits for company at rest', default: 100 }),
    intervalMs: integer('CONSUMER_BATCH_INTERVAL_MS', { description: 'least milliseconds between batches of a busy stream', default: 750 }),
    atOnce: integer('CONSUMER_BATCHES_AT_ONCE', { description: 'batches of different streams that are worked on at once', default: 3, min: 1 }),
  },
} as const;

export type ConsumerConfig = ConfigOf<typeof consumerSettings>;

/** @throws {ConfigError} naming every setting that cannot be used. */
export function readConsumerConfig(): ConsumerConfig {
  return readConfig(consumerSettings, process.env);
}
