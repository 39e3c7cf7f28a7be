import { rmSync } from 'node:fs';
import { migrateClickhouse } from '@millrace/clickhouse/migrations/migrate.ts';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { setRolePasswords } from '@millrace/postgres/role-passwords.ts';
import { aborted } from '@millrace/runtime/aborted.ts';
import type { LauncherConfig } from './config.ts';
import { createDatabase } from './create-database.ts';
import { type DataFolder, openDataFolder, readJson, takeDataFolder, writePrivateJson } from './data-folder.ts';
import { type Engines, startEngines } from './engines.ts';
import { chooseServicePorts, portsToKeep, type ServiceName } from './ports.ts';
import type { KeptPorts } from './kept-ports.ts';
import { logEnvironment, requireBrokers } from './log-location.ts';
import { part, say } from './progress.ts';
import { type LocalJson, readyMessage } from './ready-message.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { demoEndpoint, seedDemo } from './seed.ts';
import { startServices } from './services.ts';
import type { Supervised } from './supervise.ts';

/**
 * Starts everything in order, says so, waits until `stop` aborts and stops everything in reverse; what is still under way
 * then is called off. `local.json` is there from the moment everything is ready until the stop begins.
 * @throws {DataFolderTakenError} {PortTakenError} {NoBrokerError} and what keeps a part from starting, after the others have been stopped.
 */
export async function launch(config: LauncherConfig, dataDir: string, stop: AbortSignal): Promise<void> {
  const folder = openDataFolder(dataDir);
  const giveBack = await takeDataFolder(folder);
  /** In the order of their start; those of one stage stop side by side. */
  const stages: Supervised[][] = [];
  try {
    const started = await startEverything(config, folder, stop, (stage) => stages.push(stage));
    process.stdout.write(readyMessage(started, demoEndpoint));
    await aborted(stop);
  } catch (error) {
    // Told to stop while it started: what could not be finished for that reason is no failure.
    if (!stop.aborted) throw error;
  } finally {
    rmSync(folder.localJson, { force: true });
    for (const stage of stages.reverse()) await Promise.all(stage.map((supervised) => supervised.stop()));
    giveBack();
  }
  say('Stopped.');
}

async function startEverything(
  config: LauncherConfig,
  folder: DataFolder,
  stop: AbortSignal,
  onStage: (stage: Supervised[]) => void,
): Promise<LocalJson> {
  let publish = (): void => {};
  const supervision = { stopping: stop, onRestarted: () => publish() };
  const known = readJson<KeptPorts>(folder.ports);
  const ports = await chooseServicePorts(config.ports, known?.services, say);
  const { brokers } = config.kafka;
  if (brokers !== null) await part(`Kafka at ${brokers}`, () => requireBrokers(brokers));
  const secrets = loadSecrets(folder.secrets);
  const engines = await startEngines(folder, secrets, known?.engines, supervision);
  onStage([engines.postgres, engines.clickhouse]);
  stop.throwIfAborted();
  await part('migrations', () => migrate(engines, secrets));
  stop.throwIfAborted();
  const demo = await part('demo project', () => seedDemo(engines.postgresUrl, folder, secrets));
  stop.throwIfAborted();
  const eventLog = logEnvironment(config, folder, demo);
  const services = await startServices(
    {
      folder,
      secrets,
      engines,
      ports,
      log: eventLog,
      captureProcesses: config.captureProcesses,
      consumerProcesses: config.consumerProcesses,
    },
    supervision,
  );
  onStage([services.capture, services.consumer, services['management-api']]);
  stop.throwIfAborted();
  writePrivateJson(folder.ports, {
    services: portsToKeep(ports, known?.services),
    engines: known?.engines ?? engines.ports,
  } satisfies KeptPorts);

  const current = (): LocalJson => ({
    captureUrl: `http://127.0.0.1:${ports.clients.capture}`,
    apiUrl: `http://127.0.0.1:${ports.clients['management-api']}`,
    operationsUrls: urlsOf(ports.operations),
    ...demo,
    postgresUrl: engines.postgresUrl,
    clickhouseUrl: engines.clickhouseUrl,
    eventLog,
    processes: {
      capture: services.capture.pids(),
      consumer: services.consumer.pids(),
      'management-api': services['management-api'].pids(),
      clickhouse: engines.clickhouse.pids(),
      postgres: engines.postgres.pids(),
    },
  });
  publish = () => {
    if (!stop.aborted) writePrivateJson(folder.localJson, current());
  };
  publish();
  return current();
}

function urlsOf(ports: Record<ServiceName, number>): Record<ServiceName, string> {
  const url = (port: number): string => `http://127.0.0.1:${port}`;
  return { capture: url(ports.capture), consumer: url(ports.consumer), 'management-api': url(ports['management-api']) };
}

async function migrate(engines: Engines, secrets: Secrets): Promise<void> {
  const log = { info: () => {} };
  await createDatabase(engines.postgresUrl);
  await Promise.all([
    migratePostgres(engines.postgresUrl, { log }),
    migrateClickhouse({ url: engines.clickhouseUrl, user: 'admin', password: secrets.clickhouse.admin }, { log }),
  ]);
  const { capture, consumer, management } = secrets.postgres;
  await setRolePasswords(engines.postgresUrl, { capture, consumer, management });
}
