import { join } from 'node:path';
import { captureSettings } from '@millrace/capture/config';
import { consumerSettings } from '@millrace/consumer/config';
import { settings as managementSettings } from '@millrace/management-api/config';
import { roleUrl } from '@millrace/postgres/role-passwords.ts';
import type { Settings } from '@millrace/runtime/config.ts';
import { inheritedEnvironment } from './config.ts';
import type { DataFolder } from './data-folder.ts';
import type { Engines } from './engines.ts';
import { onFreePort, type ServiceName, type ServicePorts } from './ports.ts';
import { part, say } from './progress.ts';
import type { Secrets } from './secrets.ts';
import { createShownDrops } from './shown-drops.ts';
import { startService } from './service-process.ts';
import { allOrNone, type RunningProcess, supervise, type Supervised, type Supervision } from './supervise.ts';

interface LaunchContext {
  folder: DataFolder;
  secrets: Secrets;
  engines: Pick<Engines, 'postgresUrl' | 'clickhouseUrl'>;
  ports: ServicePorts;
  /** Settings of the event log, by variable. */
  log: Record<string, string>;
  /** Address on which capture and the management API listen. */
  host: string;
  captureProcesses: number;
  consumerProcesses: number;
}

/** The settings that the launcher decides, by service. Each service gets only its own secrets. */
function serviceEnvironments({
  folder,
  secrets,
  engines,
  ports,
  log,
  host,
  captureProcesses,
  consumerProcesses,
}: LaunchContext): Record<ServiceName, Record<string, string>> {
  const { postgresUrl, clickhouseUrl } = engines;
  return {
    capture: {
      HOST: host,
      CAPTURE_PORT: String(ports.clients.capture),
      OPERATIONS_PORT: String(ports.operations.capture),
      CAPTURE_PROCESSES: String(captureProcesses),
      DATABASE_URL: roleUrl(postgresUrl, 'capture', secrets.postgres.capture),
      ...log,
    },
    consumer: {
      OPERATIONS_PORT: String(ports.operations.consumer),
      CONSUMER_PROCESSES: String(consumerProcesses),
      DATABASE_URL: roleUrl(postgresUrl, 'consumer', secrets.postgres.consumer),
      CLICKHOUSE_URL: clickhouseUrl,
      CLICKHOUSE_USER: 'writer',
      CLICKHOUSE_PASSWORD: secrets.clickhouse.writer,
      CLICKHOUSE_MAINTAINER_PASSWORD: secrets.clickhouse.maintainer,
      STORAGE_DIR: folder.objects,
      ...log,
    },
    'management-api': {
      HOST: host,
      API_PORT: String(ports.clients['management-api']),
      OPERATIONS_PORT: String(ports.operations['management-api']),
      DATABASE_URL: roleUrl(postgresUrl, 'management', secrets.postgres.management),
      CLICKHOUSE_URL: clickhouseUrl,
      CLICKHOUSE_TENANT_USER: 'tenant',
      CLICKHOUSE_TENANT_PASSWORD: secrets.clickhouse.tenant,
      CLICKHOUSE_RECORDER_PASSWORD: secrets.clickhouse.recorder,
      CLICKHOUSE_MATERIALIZER_PASSWORD: secrets.clickhouse.materializer,
      CLICKHOUSE_TOKEN_SECRET: secrets.clickhouse.tokenSecret,
      MAIL_OUTBOX_DIR: folder.outbox,
      STORAGE_DIR: folder.objects,
      STORAGE_SIGNING_SECRET: secrets.storage.signing,
    },
  };
}

/**
 * Starts the three services at the same time; resolves when all are ready. When another program has taken a port that no variable
 * set, the service uses the next free one, and `context.ports` is changed to it.
 */
export async function startServices(
  context: LaunchContext,
  supervision: Supervision,
): Promise<Record<ServiceName, Supervised>> {
  const start = (name: ServiceName): Promise<Supervised> =>
    part(name, () =>
      onFreePort(name, context.ports, say, () =>
        supervise({
          ...supervision,
          name,
          say,
          start: (signal) => startOne(name, context, signal, supervision.onRestarted),
        }),
      ),
    );
  const [capture, consumer, managementApi] = await allOrNone([
    start('capture'),
    start('consumer'),
    start('management-api'),
  ] as const);
  return { capture, consumer, 'management-api': managementApi };
}

const settingsOf: Record<ServiceName, Settings> = {
  capture: captureSettings,
  consumer: consumerSettings,
  'management-api': managementSettings,
};

/** A young generation of 16 MB saves a fifth of capture's CPU at full load, and two fifths of its memory (docs/performance.md#capture). */
const flagsOf: Partial<Record<ServiceName, readonly string[]>> = { capture: ['--max-semi-space-size=16'] };

/**
 * Defaults of the launcher; the environment may change them. Each service names the other's address to clients that confuse the two;
 * on a local system results may be as fresh as possible, and receivers of alerts are on this machine.
 */
function defaultEnvironments({
  ports: { clients },
}: LaunchContext): Partial<Record<ServiceName, Record<string, string>>> {
  return {
    capture: { PUBLIC_URL: `http://127.0.0.1:${clients['management-api']}` },
    'management-api': {
      CAPTURE_PUBLIC_URL: `http://127.0.0.1:${clients.capture}`,
      ENDPOINT_FRESHNESS_MIN_SECONDS: '0',
      ALERT_WEBHOOK_PRIVATE_ALLOWED: 'true',
    },
  };
}

function startOne(
  name: ServiceName,
  context: LaunchContext,
  signal: AbortSignal,
  onWorkers: () => void,
): Promise<RunningProcess> {
  return startService({
    name,
    script: join(import.meta.dirname, '../../../services', name, 'src/main.ts'),
    flags: flagsOf[name] ?? [],
    environment: {
      ...defaultEnvironments(context)[name],
      ...inheritedEnvironment(settingsOf[name]),
      ...serviceEnvironments(context)[name],
    },
    logFile: join(context.folder.logs, `${name}.log`),
    readinessUrl: `http://127.0.0.1:${context.ports.operations[name]}/_readiness`,
    signal,
    onOutput: name === 'capture' ? createShownDrops(say) : undefined,
    onWorkers,
  });
}
