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

export type EngineName = 'postgres' | 'clickhouse';

/** Ports on 127.0.0.1 of the engines that the launcher starts. */
export type EnginePorts = Partial<Record<EngineName, number>>;

/** Time for the engines, of the ten seconds that a stop may take; the services have the rest. */
const stopDeadlineMs = 2_500;

const titles = { postgres: 'Postgres', clickhouse: 'ClickHouse' } as const;

/**
 * Starts engines from npm at the same time. Each gets its port of the last start, or any free one, and has it again after a restart.
 */
export async function startLocalEngines(
  names: readonly EngineName[],
  folder: DataFolder,
  secrets: Secrets,
  known: EnginePorts | undefined,
  supervision: Supervision,
): Promise<{ started: Partial<Record<EngineName, Supervised>>; ports: EnginePorts }> {
  const ports: EnginePorts = {};
  for (const name of names) ports[name] = await portFor(name, known?.[name]);
  const start: Record<EngineName, (signal: AbortSignal) => Promise<EngineProcess>> = {
    postgres: (signal) =>
      startPostgres({
        dataDir: folder.postgres,
        superuserPassword: secrets.postgres.superuser,
        port: ports.postgres,
        logFile: join(folder.logs, 'postgres.log'),
        signal,
      }),
    clickhouse: (signal) =>
      startClickhouse({
        dataDir: folder.clickhouse,
        usersDocument: buildUsersXml({ secrets: secrets.clickhouse, from: 'loopback' }),
        login: { user: 'admin', password: secrets.clickhouse.admin },
        port: ports.clickhouse,
        logFile: join(folder.logs, 'clickhouse.log'),
        signal,
      }),
  };
  const supervised = await allOrNone(
    names.map((name) =>
      part(titles[name], () =>
        supervise({
          ...supervision,
          name,
          say,
          start: async (signal) => stoppedSoon(await start[name](signal)),
        }),
      ),
    ),
  );
  return { started: Object.fromEntries(names.map((name, at) => [name, supervised[at]])), ports };
}

async function portFor(engine: EngineName, known: number | undefined): Promise<number> {
  if (known !== undefined && (await isPortFree(known))) return known;
  const port = await freePort();
  if (known !== undefined) say(`port ${known} is taken: ${engine} uses ${port} instead`);
  return port;
}

const stoppedSoon = (engine: EngineProcess): RunningProcess => ({ ...engine, stop: () => engine.stop(stopDeadlineMs) });
