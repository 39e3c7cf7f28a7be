import { withTimeout } from '@millrace/runtime/with-timeout.ts';
import { LogUnavailableError } from '../event-log.ts';
import { createKafka, splitBrokers } from './client.ts';
import { describeError } from './errors.ts';

/**
 * Makes sure that a Kafka broker responds at one of the addresses (with commas between); makes and changes nothing
 * there.
 * @throws {LogUnavailableError} when none does in time.
 */
export async function probeBrokers(brokers: string, deadlineMs: number): Promise<void> {
  const admin = createKafka('millrace-probe', splitBrokers(brokers)).admin();
  try {
    await withTimeout(
      admin.connect().then(() => admin.describeCluster()),
      deadlineMs,
      () => new Error('no response'),
    );
  } catch (error) {
    throw new LogUnavailableError(`Kafka cannot be reached: ${describeError(error)}`, { cause: error });
  } finally {
    // A broker that hangs does not respond to this either.
    void admin.disconnect().catch(() => undefined);
  }
}
