import kafkajs, { type Kafka } from 'kafkajs';

/** The addresses of a text with commas between, as in `KAFKA_BROKERS`. */
export function splitBrokers(brokers: string): string[] {
  return brokers.split(',').map((broker) => broker.trim());
}

/** Retries of kafkajs itself. After the last one it throws, and the caller decides whether to continue. */
export const retry = { initialRetryTime: 100, maxRetryTime: 1000, factor: 0.2, multiplier: 2 };

/** kafkajs for these brokers, silent: failures come as errors, and as `unhealthyReason` of the log. */
export function createKafka(clientId: string, brokers: readonly string[]): Kafka {
  return new kafkajs.Kafka({
    clientId,
    brokers: [...brokers],
    logLevel: kafkajs.logLevel.NOTHING,
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    retry: { ...retry, retries: 3 },
  });
}
