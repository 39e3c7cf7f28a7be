/** The brokers that are to be measured on, or null: then one is started. */
export const givenBrokers = (): string | null => process.env['KAFKA_BROKERS'] || null;
