import { ConfigError } from '@millrace/runtime/config.ts';
import { openKafkaView } from './kafka/kafka-view.ts';
import type { LogView } from './log-view.ts';
import { brokersOf, type EventLogSettings } from './open-event-log.ts';
import { openSegmentView } from './segments/read/segment-view.ts';

/**
 * Opens a view of the event log that the settings name; its writers and readers keep working.
 * @throws {ConfigError} when the settings name none.
 * @throws {LogUnavailableError} when there is no log, or no broker responds.
 */
export function openLogView({ dir, kafka }: EventLogSettings): Promise<LogView> {
  const brokers = brokersOf(kafka);
  if (kafka !== undefined && brokers !== null) return openKafkaView({ ...kafka, brokers });
  if (dir === null) throw new ConfigError(['EVENT_LOG_DIR must be set, or KAFKA_BROKERS']);
  return openSegmentView(dir);
}
