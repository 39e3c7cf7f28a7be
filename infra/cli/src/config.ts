import { join } from 'node:path';
import { consumerSettings } from '@millrace/consumer/config';
import { settings as apiSettings } from '@millrace/management-api/config';
import { eventLogSettings } from '@millrace/event-log/settings.ts';
import { readConfig, type ConfigOf } from '@millrace/runtime/config.ts';
import { integer, optionalText } from '@millrace/runtime/settings.ts';

/** Where the command line finds a system: the services' own settings, or the data folder of a local one. */
export const cliSettings = {
  dataDir: optionalText('MILLRACE_DATA_DIR', {
    description: 'data folder of the local system; .millrace in the checkout unless set',
  }),
  databaseUrl: optionalText('DATABASE_URL', {
    description: 'Postgres of a system that does not run locally',
    secret: true,
  }),
  clickhouseUrl: optionalText('CLICKHOUSE_URL', { description: 'its ClickHouse, for migrate, where and dead-letters' }),
  clickhouseUser: optionalText('CLICKHOUSE_USER', {
    description: 'a user of it that may create tables, for migrate; for the others one that may read',
  }),
  clickhousePassword: optionalText('CLICKHOUSE_PASSWORD', { description: 'password of that user', secret: true }),
  clickhouseCluster: optionalText('CLICKHOUSE_CLUSTER', {
    description: 'cluster on which migrate makes replicated tables; none unless set',
  }),
  /** Where dead-letters and where look when the system does not run locally. */
  eventLog: eventLogSettings,
  consumerGroup: consumerSettings.group,
  /** Where the demo shop is sent when the system does not run locally. */
  captureUrl: apiSettings.captureUrl,
  /** What links of invites begin with, and how long these live. */
  publicUrl: apiSettings.publicUrl,
  inviteDays: apiSettings.inviteDays,
  /** What migrate lets the services' Postgres roles log in with. */
  rolePasswords: {
    capture: optionalText('POSTGRES_CAPTURE_PASSWORD', {
      description: "migrate lets capture's Postgres role log in with it; printable ASCII",
      secret: true,
    }),
    consumer: optionalText('POSTGRES_CONSUMER_PASSWORD', {
      description: "the same of the consumer's role",
      secret: true,
    }),
    management: optionalText('POSTGRES_MANAGEMENT_PASSWORD', {
      description: "the same of the management API's role",
      secret: true,
    }),
  },
  /** What clickhouse-users makes the document of. */
  clickhouseSecrets: {
    admin: optionalText('CLICKHOUSE_ADMIN_PASSWORD', {
      description: "password of ClickHouse's user admin, for clickhouse-users",
      secret: true,
    }),
    writer: optionalText('CLICKHOUSE_WRITER_PASSWORD', {
      description: 'password of its user writer, whom the consumer is',
      secret: true,
    }),
    tenant: optionalText('CLICKHOUSE_TENANT_PASSWORD', {
      description: 'password of its user tenant, who runs the queries of endpoints',
      secret: true,
    }),
    materializer: optionalText('CLICKHOUSE_MATERIALIZER_PASSWORD', {
      description: 'password of its user materializer',
      secret: true,
    }),
    maintainer: consumerSettings.squash.password,
    recorder: apiSettings.clickhouse.recorderPassword,
    tokenSecret: optionalText('CLICKHOUSE_TOKEN_SECRET', {
      description: "secret of the row policies' tokens",
      secret: true,
    }),
  },
  /** Limits on all queries of tenants together. */
  clickhouseTenants: {
    memoryBytesMax: integer('CLICKHOUSE_TENANT_MEMORY_BYTES_MAX', {
      description:
        'most memory that all queries of its user tenant take together, in bytes; 0: 45% of the memory of the machine on which clickhouse-users runs, half of what a ClickHouse there takes',
      default: 0,
    }),
    queriesMax: integer('CLICKHOUSE_TENANT_QUERIES_MAX', {
      description: 'most queries and streams of it at a time, of all processes of the API together',
      default: 100,
      min: 1,
    }),
  },
};

export type CliConfig = Omit<ConfigOf<typeof cliSettings>, 'dataDir'> & { dataDir: string };

/** @throws {ConfigError} naming every variable that cannot be used. */
export function readCliConfig(environment: Record<string, string | undefined> = process.env): CliConfig {
  const config = readConfig(cliSettings, environment);
  return { ...config, dataDir: config.dataDir ?? join(import.meta.dirname, '../../../.millrace') };
}
