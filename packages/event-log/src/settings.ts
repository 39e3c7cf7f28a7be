import { integer, optionalText, text } from '@millrace/runtime/settings.ts';
import { partitionsPreset } from './segments/files/meta.ts';

/** Location of the event log: Kafka when brokers are named, else a folder of this machine. */
export const eventLogSettings = {
  dir: optionalText('EVENT_LOG_DIR', {
    description: 'folder of the event log, on a disk of this machine; needed when KAFKA_BROKERS is unset',
  }),
  maxBytes: integer('EVENT_LOG_MAX_BYTES', {
    description: 'bytes in that folder above which the event log takes nothing more until its readers have caught up',
    default: 20 * 1024 ** 3,
    min: 1024 ** 2,
  }),
  partitions: integer('EVENT_LOG_PARTITIONS', {
    description: 'partitions of a log that is made in that folder; an existing one keeps its own',
    default: partitionsPreset,
    min: 1,
    max: 256,
  }),
  kafka: {
    brokers: optionalText('KAFKA_BROKERS', {
      description: 'host:port of some Kafka brokers, comma-separated: the event log is there',
    }),
    topicPrefix: text('KAFKA_TOPIC_PREFIX', {
      description: 'prefix of the names of topics and consumer groups',
      default: 'millrace.',
    }),
    partitions: integer('KAFKA_PARTITIONS', {
      description: 'partitions of topics that are made; existing ones keep theirs',
      default: 8,
      min: 1,
      max: 256,
    }),
    replicationFactor: integer('KAFKA_REPLICATION_FACTOR', {
      description: 'copies of topics that are made; -1 leaves it to the brokers',
      default: -1,
      min: -1,
      max: 100,
    }),
    sessionTimeoutMs: integer('KAFKA_SESSION_TIMEOUT_MS', {
      description:
        'milliseconds after which a silent consumer is considered dead, and other consumers take over its work',
      default: 10_000,
      min: 1_000,
      max: 300_000,
    }),
    id: optionalText('KAFKA_LOG_ID', {
      description:
        'id of the event log when topics are created by other means; a new id each time they are created again',
    }),
  },
} as const;
