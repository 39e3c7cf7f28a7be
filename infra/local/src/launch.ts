import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { aborted } from '@millrace/runtime/aborted.ts';
import type { LauncherConfig } from './config.ts';
import { type DataFolder, openDataFolder, readJson, takeDataFolder, writePrivateJson } from './data-folder.ts';
import { startEngines } from './engines.ts';
import { ensureClickhouseUsers } from './given-engines/clickhouse-users.ts';
import { storeEngines, requireSameEngines, shownEngines } from './given-engines/stored-engines.ts';
import { chooseServicePorts, portsToStore, type ServiceName } from './ports.ts';
import { unwritableReason, watchFolder, writeFailure } from './folder-state/unwritable-reason.ts';
import type { StoredPorts } from './stored-ports.ts';
import { logEnvironment, requireBrokers } from './log-location.ts';
import { part, say } from './progress.ts';
import { type LocalJson, readyMessage } from './ready-message.ts';
import { prepareDatabases } from './prepare-databases.ts';
import { loadSecrets } from './secrets.ts';
import { demoEndpoint, seedDemo } from './seed.ts';
import { startServices } from './services.ts';
import type { Supervised } from './supervise.ts';

/**
 * Starts all parts in order, prints the addresses, waits until `stop` aborts, and stops the parts in reverse order. A start that still
 * runs then is cancelled. `local.json` exists from the moment everything is ready until the stop begins.
 * @throws {DataFolderTakenError} {PortTakenError} {NoBrokerError} {GivenEngineError} and the error of a part that cannot start, after the
 * started parts have been stopped
 */
export async function launch(config: LauncherConfig, dataDir: string, stop: AbortSignal): Promise<void> {
  const folder = openDataFolder(dataDir);
  const unlock = await takeDataFolder(folder);
  /** In the order of their start. The processes of one stage stop at the same time. */
  const stages: Supervised[][] = [];
  try {
    const started = await startEverything(config, folder, stop, (stage) => stages.push(stage));
    process.stdout.write(readyMessage(started, demoEndpoint));
    const watch = watchFolder(folder.root, say);
    await aborted(stop);
    watch.stop();
  } catch (error) {
    // A start that was cancelled is no failure.
    if (!stop.aborted) throw error;
  } finally {
    orSay(folder, () => rmSync(folder.localJson, { force: true }));
    for (const stage of stages.reverse()) await Promise.all(stage.map((supervised) => supervised.stop()));
    orSay(folder, unlock);
  }
  say('Stopped.');
}

/** Runs a clean-up step of the stop. An unwritable folder is reported and does not prevent the stop: leftover files do no harm. */
function orSay({ root }: DataFolder, tidyUp: () => void): void {
  try {
    tidyUp();
  } catch (error) {
    const sentence = writeFailure(error, root);
    if (sentence === null) throw error;
    say(sentence);
  }
}

async function startEverything(
  config: LauncherConfig,
  folder: DataFolder,
  stop: AbortSignal,
  onStage: (stage: Supervised[]) => void,
): Promise<LocalJson> {
  let publish = (): void => {};
  const supervision = {
    stopping: stop,
    onRestarted: () => publish(),
    outerCause: () => unwritableReason(folder.root),
  };
  const given = shownEngines(config.engines);
  requireSameEngines(folder, given);
  const known = readJson<StoredPorts>(folder.ports);
  const ports = await chooseServicePorts(config.ports, known?.services, say);
  const { brokers } = config.kafka;
  if (brokers !== null) await part(`Kafka at ${brokers}`, () => requireBrokers(brokers));
  const secrets = loadSecrets(folder.secrets);
  const engines = await startEngines(config.engines, folder, secrets, known?.engines, supervision);
  onStage(Object.values(engines.started));
  stop.throwIfAborted();
  await part('migrations', () => prepareDatabases(engines, secrets));
  const { clickhouse } = config.engines;
  if (clickhouse !== null)
    await part("ClickHouse's users", () =>
      ensureClickhouseUsers(clickhouse, secrets.clickhouse, join(folder.root, 'clickhouse-users.xml')),
    );
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
      host: config.host,
      captureProcesses: config.captureProcesses,
      consumerProcesses: config.consumerProcesses,
    },
    supervision,
  );
  onStage([services.capture, services.consumer, services['management-api']]);
  stop.throwIfAborted();
  writePrivateJson(folder.ports, {
    services: portsToStore(ports, known?.services),
    engines: { ...engines.ports, ...known?.engines },
  } satisfies StoredPorts);
  storeEngines(folder, given);

  const current = (): LocalJson => ({
    captureUrl: `http://127.0.0.1:${ports.clients.capture}`,
    apiUrl: `http://127.0.0.1:${ports.clients['management-api']}`,
    operationsUrls: urlsOf(ports.operations),
    ...demo,
    postgresUrl: engines.postgresUrl,
    clickhouseUrl: engines.clickhouseUrl,
    clickhouseAdmin: { user: engines.clickhouseAdmin.user, password: engines.clickhouseAdmin.password },
    givenEngines: given,
    eventLog,
    processes: {
      capture: services.capture.pids(),
      consumer: services.consumer.pids(),
      'management-api': services['management-api'].pids(),
      ...Object.fromEntries(Object.values(engines.started).map((engine) => [engine.name, engine.pids()])),
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
