import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { roleUrl } from '@millrace/postgres/role-passwords.ts';
import type { Passwords } from './engines.ts';

/** Where the services of a rig find everything; each engine by way of its line. */
export interface Addresses {
  /** As superuser, by way of the line. */
  postgresUrl: string;
  clickhouseUrl: string;
  redisUrl: string | null;
  /** Settings of the event log. */
  log: Record<string, string>;
  /** Settings of the object storage. */
  storage: Record<string, string>;
}

export type ServiceName = 'capture' | 'consumer' | 'management-api';

const root = join(import.meta.dirname, '../../..');

/** Starts a service as the product does. */
export const productScript = (name: ServiceName): string => join(root, 'services', name, 'src/main.ts');

export const dyingConsumer = join(import.meta.dirname, 'consumer-that-dies.ts');
export const shiftedClock = join(import.meta.dirname, 'shifted-clock.ts');

/** New passwords. */
export function inventPasswords(): Passwords {
  const random = (): string => randomBytes(16).toString('hex');
  return {
    superuser: random(),
    roles: random(),
    clickhouse: {
      admin: random(),
      writer: random(),
      tenant: random(),
      materializer: random(),
      maintainer: random(),
      recorder: random(),
      tokenSecret: random(),
    },
  };
}

/** The settings of a service that listens on these ports. */
export function environmentOf(
  name: ServiceName,
  { port, operationsPort }: { port: number; operationsPort: number },
  { postgresUrl, clickhouseUrl, redisUrl, log, storage }: Addresses,
  { roles, clickhouse }: Passwords,
): Record<string, string> {
  const inherited = Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'].flatMap((key) =>
      process.env[key] === undefined ? [] : [[key, process.env[key]]],
    ),
  );
  const common = { ...inherited, OPERATIONS_PORT: String(operationsPort) };
  switch (name) {
    case 'capture':
      return {
        ...common,
        CAPTURE_PORT: String(port),
        // On Kafka several processes share the port.
        CAPTURE_PROCESSES: 'KAFKA_BROKERS' in log ? '2' : '1',
        DATABASE_URL: roleUrl(postgresUrl, 'capture', roles),
        ...(redisUrl !== null && { REDIS_URL: redisUrl }),
        ...log,
      };
    case 'consumer':
      return {
        ...common,
        // Consumers that share an embedded log need a name each.
        CONSUMER_WRITER: `consumer-${port}`,
        DATABASE_URL: roleUrl(postgresUrl, 'consumer', roles),
        CLICKHOUSE_URL: clickhouseUrl,
        CLICKHOUSE_USER: 'writer',
        CLICKHOUSE_PASSWORD: clickhouse.writer,
        CLICKHOUSE_MAINTAINER_PASSWORD: clickhouse.maintainer,
        ...log,
        ...storage,
      };
    case 'management-api':
      return {
        ...common,
        API_PORT: String(port),
        DATABASE_URL: roleUrl(postgresUrl, 'management', roles),
        CLICKHOUSE_URL: clickhouseUrl,
        CLICKHOUSE_TENANT_USER: 'tenant',
        CLICKHOUSE_TENANT_PASSWORD: clickhouse.tenant,
        CLICKHOUSE_RECORDER_PASSWORD: clickhouse.recorder,
        CLICKHOUSE_MATERIALIZER_PASSWORD: clickhouse.materializer,
        CLICKHOUSE_TOKEN_SECRET: clickhouse.tokenSecret,
        ...storage,
      };
  }
}
