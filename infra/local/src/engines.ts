import { join } from 'node:path';
import { buildUsersXml } from '@millrace/clickhouse/users-document.ts';
import { startClickhouse } from '@millrace/engines/clickhouse.ts';
import type { EngineProcess } from '@millrace/engines/engine-process.ts';
import { freePort } from '@millrace/engines/ports.ts';
import { startPostgres } from '@millrace/engines/postgres.ts';
import type { DataFolder } from './data-folder.ts';
import { part, say } from './progress.ts';
import type { Secrets } from './secrets.ts';
import { allOrNone, type RunningProcess, supervise, type Supervised, type Supervision } from './supervise.ts';

export interface Engines {
  postgres: Supervised;
  clickhouse: Supervised;
  /** The product's database, as superuser: for migrations and the command line. */
  postgresUrl: string;
  clickhouseUrl: string;
}

/** Of the ten seconds that a stop may take in all; the services have the rest. */
const stopDeadlineMs = 2_500;

/** Starts both engines side by side, each on a port that it keeps while the launcher lives. */
export async function startEngines(
  folder: DataFolder,
  secrets: Secrets,
  { stopping, onRestarted }: Supervision,
): Promise<Engines> {
  const [postgresPort, clickhousePort] = [await freePort(), await freePort()];
  const supervised = (name: string, start: (signal: AbortSignal) => Promise<EngineProcess>): Promise<Supervised> =>
    supervise({ name, stopping, onRestarted, say, start: async (signal) => stoppedSoon(await start(signal)) });
  const [postgres, clickhouse] = await allOrNone([
    part('Postgres', () =>
      supervised('postgres', (signal) =>
        startPostgres({
          dataDir: folder.postgres,
          superuserPassword: secrets.postgres.superuser,
          port: postgresPort,
          logFile: join(folder.logs, 'postgres.log'),
          signal,
        }),
      ),
    ),
    part('ClickHouse', () =>
      supervised('clickhouse', (signal) =>
        startClickhouse({
          dataDir: folder.clickhouse,
          usersDocument: buildUsersXml({ secrets: secrets.clickhouse, from: 'loopback' }),
          login: { user: 'admin', password: secrets.clickhouse.admin },
          port: clickhousePort,
          logFile: join(folder.logs, 'clickhouse.log'),
          signal,
        }),
      ),
    ),
  ] as const);
  return {
    postgres,
    clickhouse,
    postgresUrl: `postgres://postgres:${secrets.postgres.superuser}@127.0.0.1:${postgresPort}/millrace`,
    clickhouseUrl: `http://127.0.0.1:${clickhousePort}`,
  };
}

const stoppedSoon = (engine: EngineProcess): RunningProcess => ({ ...engine, stop: () => engine.stop(stopDeadlineMs) });
