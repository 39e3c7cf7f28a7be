import { join } from 'node:path';
import { buildUsersXml } from '@millrace/clickhouse/users/users-document.ts';
import { startClickhouse } from '@millrace/engines/clickhouse.ts';
import type { EngineProcess } from '@millrace/engines/engine-process.ts';
import { freePort, isPortFree } from '@millrace/engines/ports.ts';
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
  ports: EnginePorts;
}

/** Ports of 127.0.0.1, one for each engine. */
export type EnginePorts = Record<'postgres' | 'clickhouse', number>;

/** Of the ten seconds that a stop may take in all; the services have the rest. */
const stopDeadlineMs = 2_500;

/**
 * Starts both engines side by side, each on a port that it keeps while the launcher lives: the one that it had before, or
 * any free one.
 */
export async function startEngines(
  folder: DataFolder,
  secrets: Secrets,
  known: EnginePorts | undefined,
  { stopping, onRestarted }: Supervision,
): Promise<Engines> {
  const ports = { postgres: await portFor('postgres', known), clickhouse: await portFor('clickhouse', known) };
  const supervised = (name: string, start: (signal: AbortSignal) => Promise<EngineProcess>): Promise<Supervised> =>
    supervise({ name, stopping, onRestarted, say, start: async (signal) => stoppedSoon(await start(signal)) });
  const [postgres, clickhouse] = await allOrNone([
    part('Postgres', () =>
      supervised('postgres', (signal) =>
        startPostgres({
          dataDir: folder.postgres,
          superuserPassword: secrets.postgres.superuser,
          port: ports.postgres,
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
          port: ports.clickhouse,
          logFile: join(folder.logs, 'clickhouse.log'),
          signal,
        }),
      ),
    ),
  ] as const);
  return {
    postgres,
    clickhouse,
    postgresUrl: `postgres://postgres:${secrets.postgres.superuser}@127.0.0.1:${ports.postgres}/millrace`,
    clickhouseUrl: `http://127.0.0.1:${ports.clickhouse}`,
    ports,
  };
}

async function portFor(engine: keyof EnginePorts, known: EnginePorts | undefined): Promise<number> {
  if (known !== undefined && (await isPortFree(known[engine]))) return known[engine];
  const port = await freePort();
  if (known !== undefined) say(`port ${known[engine]} is taken: ${engine} uses ${port} instead`);
  return port;
}

const stoppedSoon = (engine: EngineProcess): RunningProcess => ({ ...engine, stop: () => engine.stop(stopDeadlineMs) });
