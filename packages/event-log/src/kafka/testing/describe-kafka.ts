import { describe } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { brokerForTests } from './config.ts';

const { brokers, mustRun } = brokerForTests();

/**
 * A suite that needs a broker, its name begins with `Kafka: `. Where Java or Maven is missing it is skipped, and its name
 * says why; in continuous integration it runs and fails.
 */
export function describeOwnBroker(name: string, suite: () => void): void {
  const missing = ['java', 'mvn'].filter((command) => spawnSync(command, ['-version']).status !== 0);
  if (missing.length === 0 || mustRun) describe(`Kafka: ${name}`, suite);
  else describe.skip(`Kafka: ${name} (skipped: this machine has no ${missing.join(' and no ')})`, suite);
}

/** As `describeOwnBroker`, for a suite that can also use the broker that KAFKA_BROKERS names. */
export function describeAnyBroker(name: string, suite: () => void): void {
  if (brokers !== null) describe(`Kafka: ${name}`, suite);
  else describeOwnBroker(name, suite);
}
