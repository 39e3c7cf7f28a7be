import { join } from 'node:path';
import { roleUrl } from '@millrace/postgres/role-passwords.ts';
import { inheritedEnvironment } from './config.ts';
import type { DataFolder } from './data-folder.ts';
import type { Engines } from './engines.ts';
import { part, say } from './progress.ts';
import type { Secrets } from './secrets.ts';
import { startService } from './service-process.ts';
import { allOrNone, supervise, type Supervised } from './supervise.ts';

export type ServiceName = 'capture' | 'consumer' | 'management-api';

export type ServicePorts = Record<ServiceName, number>;

interface Surroundings {
  folder: DataFolder;
  secrets: Secrets;
  engines: Pick<Engines, 'postgresUrl' | 'clickhouseUrl'>;
  ports: ServicePorts;
}

/** The settings of each service: exactly what it reads, and of the secrets only its own. */
function serviceEnvironments({ folder, secrets, engines, ports }: Surroundings): Record<ServiceName, Record<string, string>> {
  const { postgresUrl, clickhouseUrl } = engines;
  return {
    capture: {
      CAPTURE_PORT: String(ports.capture),
      DATABASE_URL: roleUrl(postgresUrl, 'capture', secrets.postgres.capture),
      EVENT_LOG_DIR: folder.eventLog,
    },
    consumer: {
      CONSUMER_PORT: String(ports.consumer),
      DATABASE_URL: roleUrl(postgresUrl, 'consumer', secrets.postgres.consumer),
      CLICKHOUSE_URL: clickhouseUrl,
      CLICKHOUSE_USER: 'writer',
      CLICKHOUSE_PASSWORD: secrets.clickhouse.writer,
      EVENT_LOG_DIR: folder.eventLog,
    },
    'management-api': {
      API_PORT: String(ports['management-api']),
      DATABASE_URL: roleUrl(postgresUrl, 'management', secrets.postgres.management),
      CLICKHOUSE_URL: clickhouseUrl,
      CLICKHOUSE_TENANT_USER: 'tenant',
      CLICKHOUSE_TENANT_PASSWORD: secrets.clickhouse.tenant,
      CLICKHOUSE_TOKEN_SECRET: secrets.clickhouse.tokenSecret,
    },
  };
}

/** Starts the three services side by side; answers when all are ready. */
export async function startServices(surroundings: Surroundings, onRestarted: () => void): Promise<Record<ServiceName, Supervised>> {
  const environments = serviceEnvironments(surroundings);
  const start = (name: ServiceName): Promise<Supervised> =>
    part(name, () =>
      supervise({
        name,
        onRestarted,
        say,
        start: () =>
          startService({
            name,
            script: join(import.meta.dirname, '../../../services', name, 'src/main.ts'),
            environment: { ...inheritedEnvironment(), ...environments[name] },
            logFile: join(surroundings.folder.logs, `${name}.log`),
            readinessUrl: `http://127.0.0.1:${surroundings.ports[name]}/_readiness`,
          }),
      }),
    );
  const [capture, consumer, managementApi] = await allOrNone([start('capture'), start('consumer'), start('management-api')] as const);
  return { capture, consumer, 'management-api': managementApi };
}
