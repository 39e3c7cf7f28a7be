import { ConfigError, type ConfigOf } from '@millrace/runtime/config.ts';
import type { EventLog } from './event-log.ts';
import { splitBrokers } from './kafka/client.ts';
import { openKafkaLog } from './kafka/kafka-log.ts';
import { openSegmentLog } from './segments/segment-log.ts';
import type { eventLogSettings } from './settings.ts';

type Settings = ConfigOf<typeof eventLogSettings>;

/** Selects the log: without `kafka`, or without brokers in it, the one in the folder. */
export type EventLogSettings = Omit<Settings, 'kafka' | 'partitions'> & Partial<Pick<Settings, 'kafka' | 'partitions'>>;

/**
 * Opens the event log that the settings name. `writer` is the name under which this process appends; in a folder one
 * process at a time can have it. Without it the log is only read.
 * @throws {ConfigError} when the settings name none.
 * @throws {LogFormatError} when the folder holds a log of another format.
 * @throws {LogTopicsError} when the topics in Kafka cannot be a log.
 * @throws {LogUnavailableError} when no Kafka broker has answered for a minute.
 */
export function openEventLog(
  { dir, maxBytes, partitions, kafka }: EventLogSettings,
  options: { writer?: string } = {},
): Promise<EventLog> {
  const brokers = brokersOf(kafka);
  if (kafka !== undefined && brokers !== null) return openKafkaLog({ ...kafka, brokers, ...options });
  if (dir === null) throw new ConfigError(['EVENT_LOG_DIR must be set, or KAFKA_BROKERS']);
  return openSegmentLog({ dir, maxBytes, ...(partitions !== undefined && { partitions }), ...options });
}

/** The brokers that the settings name, or null. */
export function brokersOf(kafka: EventLogSettings['kafka']): string[] | null {
  const brokers = kafka?.brokers ?? null;
  return brokers === null ? null : splitBrokers(brokers);
}
