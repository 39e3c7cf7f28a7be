/** Settings of the broker for tests, from the environment. */
export interface BrokerForTests {
  /** A broker that is there, or null: then one is started. */
  brokers: string[] | null;
  /** A suite that cannot get its broker fails instead of being skipped. */
  mustRun: boolean;
}

export function brokerForTests(): BrokerForTests {
  const { KAFKA_BROKERS: brokers, CI: ci } = process.env;
  return { brokers: brokers ? brokers.split(',') : null, mustRun: Boolean(ci) };
}
