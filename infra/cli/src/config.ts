import { join } from 'node:path';
import { consumerSettings } from '@millrace/consumer/config';
import { settings as apiSettings } from '@millrace/management-api/config';
import { eventLogSettings } from '@millrace/event-log/settings.ts';
import { readConfig, type ConfigOf } from '@millrace/runtime/config.ts';
import { integer, optionalText } from '@millrace/runtime/settings.ts';

/** Settings of the command line: those of the services, and the data folder of a local system. */
export const cliSettings = {
  dataDir: optionalText('MILLRACE_DATA_DIR', {
    description: 'data folder of the local system; .millrace in the checkout unless set',
  }),
  databaseUrl: optionalText('DATABASE_URL', {
    description: 'Postgres of a system that does not run locally',
    secret: true,
  }),
  clickhouseUrl: optionalText('CLICKHOUSE_URL', {
    description: 'ClickHouse of that system, for migrate, where and dead-letters',
  }),
  clickhouseUser: optionalText('CLICKHOUSE_USER', {
    description: 'a user of ClickHouse: for migrate one that may create tables, for the others one that may read',
  }),
  clickhousePassword: optionalText('CLICKHOUSE_PASSWORD', { description: 'password of that user', secret: true }),
  clickhouseCluster: apiSettings.clickhouse.cluster,
  /** Event log of a system that does not run locally, for dead-letters and where. */
  eventLog: eventLogSettings,
  consumerGroup: consumerSettings.group,
  /** Capture of a system that does not run locally, for seed shop. */
  captureUrl: apiSettings.captureUrl,
  /** Start of the links of invites, and their lifetime. */
  publicUrl: apiSettings.publicUrl,
  inviteDays: apiSettings.inviteDays,
  /** Passwords that migrate gives the services' Postgres roles. */
  rolePasswords: {
    capture: optionalText('POSTGRES_CAPTURE_PASSWORD', {
      description: "password that migrate gives capture's Postgres role; printable ASCII",
      secret: true,
    }),
    consumer: optionalText('POSTGRES_CONSUMER_PASSWORD', {
      description: "password that migrate gives the consumer's Postgres role; printable ASCII",
      secret: true,
    }),
    management: optionalText('POSTGRES_MANAGEMENT_PASSWORD', {
      description: "password that migrate gives the management API's Postgres role; printable ASCII",
      secret: true,
    }),
  },
  /** Secrets in the document that clickhouse-users prints. */
  clickhouseSecrets: {
    admin: optionalText('CLICKHOUSE_ADMIN_PASSWORD', {
      description: "password of ClickHouse's user admin, for clickhouse-users",
      secret: true,
    }),
    writer: optionalText('CLICKHOUSE_WRITER_PASSWORD', {
      description: "password of ClickHouse's user writer, which the consumer uses",
      secret: true,
    }),
    tenant: optionalText('CLICKHOUSE_TENANT_PASSWORD', {
      description: "password of ClickHouse's user tenant, which runs the queries of endpoints",
      secret: true,
    }),
    materializer: apiSettings.clickhouse.materializerPassword,
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
        'most memory for all queries of the user tenant together, in bytes; 0: 45% of the memory of the machine on which clickhouse-users runs, which is half of what ClickHouse uses there',
      default: 0,
    }),
    queriesMax: integer('CLICKHOUSE_TENANT_QUERIES_MAX', {
      description: 'most concurrent queries and streams of the user tenant, of all processes of the API together',
      default: 100,
      min: 1,
    }),
  },
};

export type CliConfig = Omit<ConfigOf<typeof cliSettings>, 'dataDir'> & { dataDir: string };

/** Reads the settings. @throws {ConfigError} naming every variable that cannot be used */
export function readCliConfig(environment: Record<string, string | undefined> = process.env): CliConfig {
  const config = readConfig(cliSettings, environment);
  return { ...config, dataDir: config.dataDir ?? join(import.meta.dirname, '../../../.millrace') };
}
