import { ClickHouseError } from '@clickhouse/client';

/** ClickHouse's own number of an error that it answered; null for every other error. */
export const errorCode = (error: unknown): string | null => (error instanceof ClickHouseError ? error.code : null);
