import { rmSync } from 'node:fs';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { migrateClickhouse } from '@millrace/clickhouse/migrate.ts';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { setRolePasswords } from '@millrace/postgres/role-passwords.ts';
import type { LauncherConfig } from './config.ts';
import { openDataFolder, takeDataFolder, writePrivateJson } from './data-folder.ts';
import { type Engines, startEngines } from './engines.ts';
import { anyFreePort, choosePort } from './ports.ts';
import { part, say } from './progress.ts';
import { type LocalJson, readyMessage } from './ready-message.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { demoEndpoint, seedDemo } from './seed.ts';
import { type ServicePorts, startServices } from './services.ts';
import type { Supervised } from './supervise.ts';

/**
 * Starts everything in order, says so, waits until `stop` aborts and stops everything in reverse.
 * `local.json` is there from the moment everything is ready until the stop begins.
 */
export async function launch(config: LauncherConfig, dataDir: string, stop: AbortSignal): Promise<void> {
  const folder = openDataFolder(resolve(dataDir));
  const giveBack = takeDataFolder(folder);
  const running: Supervised[] = [];
  let local: LocalJson | undefined;
  let pids: () => LocalJson['processes'];
  const publish = (): void => {
    if (local === undefined || stop.aborted) return;
    local = { ...local, processes: pids() };
    writePrivateJson(folder.localJson, local);
  };

  try {
    const secrets = loadSecrets(folder.secrets);
    const ports = await chooseServicePorts(config);
    const engines = await startEngines(folder, secrets, publish);
    running.push(engines.postgres, engines.clickhouse);
    await part('migrations', () => migrate(engines, secrets));
    const demo = await part('demo project', () => seedDemo(engines.postgresUrl, folder, secrets));
    const services = await startServices({ folder, secrets, engines, ports }, publish);
    running.push(services['management-api'], services.consumer, services.capture);
    pids = () => ({
      capture: services.capture.pid(),
      consumer: services.consumer.pid(),
      'management-api': services['management-api'].pid(),
      clickhouse: engines.clickhouse.pid(),
      postgres: engines.postgres.pid(),
    });
    local = {
      captureUrl: `http://127.0.0.1:${ports.capture}`,
      apiUrl: `http://127.0.0.1:${ports['management-api']}`,
      ...demo,
      postgresUrl: engines.postgresUrl,
      clickhouseUrl: engines.clickhouseUrl,
      processes: pids(),
    };
    publish();
    if (!stop.aborted) {
      process.stdout.write(readyMessage(local, demoEndpoint));
      await once(stop, 'abort');
    }
  } finally {
    rmSync(folder.localJson, { force: true });
    for (const supervised of running.reverse()) await supervised.stop();
    giveBack();
    say('Stopped.');
  }
}

async function chooseServicePorts(config: LauncherConfig): Promise<ServicePorts> {
  const capture = await choosePort({ fixed: config.capturePort, variable: 'CAPTURE_PORT', preferred: 8000, except: config.apiPort === null ? [] : [config.apiPort] });
  const api = await choosePort({ fixed: config.apiPort, variable: 'API_PORT', preferred: 8001, except: [capture] });
  return { capture, 'management-api': api, consumer: await anyFreePort() };
}

async function migrate(engines: Engines, secrets: Secrets): Promise<void> {
  const log = { info: () => {} };
  await Promise.all([
    migratePostgres(engines.postgresUrl, { log }),
    migrateClickhouse({ url: engines.clickhouseUrl, user: 'admin', password: secrets.clickhouse.admin }, { log }),
  ]);
  const { capture, consumer, management } = secrets.postgres;
  await setRolePasswords(engines.postgresUrl, { capture, consumer, management });
}
