import { probeBrokers } from '@millrace/event-log/kafka/probe-brokers.ts';
import { LogUnavailableError } from '@millrace/event-log/event-log.ts';
import type { LauncherConfig } from './config.ts';
import type { DataFolder } from './data-folder.ts';
import type { Demo } from './seed.ts';

/** No Kafka broker replies at the given addresses. */
export class NoBrokerError extends Error {
  override name = 'NoBrokerError';
}

/** Enough for a busy broker, and short for a user who has not started one yet. */
const probeMs = 5_000;

/** Checks that a broker replies. @throws {NoBrokerError} when none of them does */
export async function requireBrokers(brokers: string): Promise<void> {
  try {
    await probeBrokers(brokers, probeMs);
  } catch (error) {
    if (!(error instanceof LogUnavailableError)) throw error;
    throw new NoBrokerError(`${error.message} (${brokers})

Is the broker started, and is this its address? One for this machine (needs Java 17 and Maven):
  npm run kafka -- start .millrace/kafka 9092
  npm start -- --kafka 127.0.0.1:9092
Without --kafka and KAFKA_BROKERS the event log is in the data folder, and no broker is needed.`);
  }
}

/**
 * The services' settings of the event log. On Kafka the names of topics have a prefix that is unique to the data folder, unless
 * KAFKA_TOPIC_PREFIX sets another: without it two systems on one broker would read each other's events.
 */
export function logEnvironment(
  { kafka }: LauncherConfig,
  folder: DataFolder,
  { organizationId }: Demo,
): Record<string, string> {
  if (kafka.brokers === null) return { EVENT_LOG_DIR: folder.eventLog };
  return {
    KAFKA_BROKERS: kafka.brokers,
    KAFKA_TOPIC_PREFIX: kafka.topicPrefix ?? `millrace-${organizationId.slice(-12)}.`,
    KAFKA_PARTITIONS: String(kafka.partitions),
    KAFKA_REPLICATION_FACTOR: String(kafka.replicationFactor),
    KAFKA_SESSION_TIMEOUT_MS: String(kafka.sessionTimeoutMs),
    ...(kafka.id !== null && { KAFKA_LOG_ID: kafka.id }),
  };
}
