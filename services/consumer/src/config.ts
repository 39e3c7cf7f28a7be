import { clickhouseSettings } from '@millrace/clickhouse/settings.ts';
import { overrideHoursMin } from '@millrace/contracts/limits.ts';
import { eventLogSettings } from '@millrace/event-log/settings.ts';
import { fileSettings } from '@millrace/object-storage/storage-settings.ts';
import { postgresSettings } from '@millrace/postgres/settings.ts';
import { readConfig, type ConfigOf } from '@millrace/runtime/config.ts';
import { operationsSettings } from '@millrace/runtime/operations/operations-server.ts';
import { integer, logLevelSetting, optionalText, text } from '@millrace/runtime/settings.ts';

/** All settings of the consumer. */
export const consumerSettings = {
  operations: operationsSettings(8002),
  processes: integer('CONSUMER_PROCESSES', {
    description:
      'processes that share the work of the consumer, beside a first one that looks after them; 1: one process does it all',
    default: 1,
    min: 1,
    max: 64,
  }),
  stuckMs: integer('CONSUMER_STUCK_MS', {
    description:
      'milliseconds without a sign of life after which a process of the consumer is ended, to be started again',
    default: 60_000,
    min: 5_000,
  }),
  logLevel: logLevelSetting,
  group: text('CONSUMER_GROUP', {
    description: 'group of the event log: consumers of one group share the work',
    default: 'consumer',
  }),
  writer: text('CONSUMER_WRITER', {
    description: 'name under which dead letters are written; consumers that share an embedded event log need one each',
    default: 'consumer',
  }),
  postgres: postgresSettings,
  clickhouse: clickhouseSettings,
  eventLog: eventLogSettings,
  storage: fileSettings,
  batch: {
    rowsMax: integer('CONSUMER_BATCH_ROWS_MAX', { description: 'most events of one batch', default: 50_000, min: 1 }),
    bytesMax: integer('CONSUMER_BATCH_BYTES_MAX', {
      description: 'most bytes of one batch, as they lie in the log',
      default: 16_000_000,
      min: 1,
    }),
    othersRowsMax: integer('CONSUMER_BATCH_ROWS_MAX_OTHERS', {
      description: 'most events of one batch of another lane than main: main may have to wait for it',
      default: 2_500,
      min: 1,
    }),
    writeBytesMax: integer('CONSUMER_BATCH_WRITE_BYTES_MAX', {
      description:
        'most bytes of rows of one batch of the main lane, a quarter of it in other lanes; one record is written whole',
      default: 128_000_000,
      min: 1_000_000,
    }),
    readAheadBytesMax: integer('CONSUMER_READ_AHEAD_BYTES_MAX', {
      description: 'most bytes that all streams of a process gather for their next batches; main has one half of it',
      default: 256_000_000,
      min: 1,
    }),
    lingerMs: integer('CONSUMER_BATCH_LINGER_MS', {
      description: 'milliseconds that a batch of a quiet stream waits for more events',
      default: 100,
    }),
    intervalMs: integer('CONSUMER_BATCH_INTERVAL_MS', {
      description: 'least milliseconds between batches of a busy stream',
      default: 750,
    }),
    atOnce: integer('CONSUMER_BATCHES_AT_ONCE', {
      description: 'batches of different streams that are worked on at once',
      default: 3,
      min: 1,
    }),
  },
  projectShare: {
    bytesRate: integer('CONSUMER_PROJECT_BYTES_RATE', {
      description:
        "bytes that one project may make the consumer write each second in the main lane, beyond what its events' own size explains; what is beyond goes to overflow; 0: not limited",
      default: 8_000_000,
      min: 0,
    }),
    bytesBurst: integer('CONSUMER_PROJECT_BYTES_BURST', {
      description: 'such bytes at once',
      default: 32_000_000,
      min: 1,
    }),
  },
  eventPartsMax: integer('CONSUMER_EVENT_PARTS_MAX', {
    description:
      'active parts of the table of events in ClickHouse beyond which the lanes overflow and historical wait, and events of old months leave the lane main',
    default: 5_000,
    min: 100,
  }),
  squash: {
    password: optionalText('CLICKHOUSE_MAINTAINER_PASSWORD', {
      description:
        "password of ClickHouse's user maintainer, who squashes old person overrides, and stacks whose maps came late, into events; the consumer does neither unless set",
      secret: true,
    }),
    ageHours: integer('CONSUMER_FOLD_AGE_HOURS', {
      description: 'hours that a person override is left alone',
      default: 24,
      min: overrideHoursMin,
    }),
    everyHours: integer('CONSUMER_FOLD_EVERY_HOURS', {
      description: 'longest wait of an override beyond that age, in hours',
      default: 24,
      min: 1,
    }),
  },
} as const;

export type ConsumerConfig = ConfigOf<typeof consumerSettings>;

/** @throws {ConfigError} naming every setting that cannot be used. */
export function readConsumerConfig(environment: Record<string, string | undefined> = process.env): ConsumerConfig {
  // Under their former names too, for one release.
  const port = environment['OPERATIONS_PORT'] || environment['CONSUMER_PORT'];
  const host = environment['OPERATIONS_HOST'] || environment['CONSUMER_HOST'];
  return readConfig(consumerSettings, { ...environment, OPERATIONS_PORT: port, OPERATIONS_HOST: host });
}
