import { join } from 'node:path';
import { tenantTables } from '@millrace/contracts/tenant-tables.ts';
import { startClickhouse } from '@millrace/engines/clickhouse.ts';
import { startPostgres } from '@millrace/engines/postgres.ts';
import { createDatabase } from './create-database.ts';
import type { DataFolder } from './data-folder.ts';
import { anyFreePort } from './ports.ts';
import { part, say } from './progress.ts';
import type { Secrets } from './secrets.ts';
import { allOrNone, supervise, type Supervised } from './supervise.ts';

export interface Engines {
  postgres: Supervised;
  clickhouse: Supervised;
  /** The product's database, as superuser: for migrations and the command line. */
  postgresUrl: string;
  clickhouseUrl: string;
}

/** Starts both engines side by side, each on a port that it keeps while the launcher lives. */
export async function startEngines(folder: DataFolder, secrets: Secrets, onRestarted: () => void): Promise<Engines> {
  const [postgresPort, clickhousePort] = [await anyFreePort(), await anyFreePort()];
  const options = { onRestarted, say };
  const [postgres, clickhouse] = await allOrNone([
    part('Postgres', () =>
      supervise({
        ...options,
        name: 'postgres',
        start: () =>
          startPostgres({
            dataDir: folder.postgres,
            superuserPassword: secrets.postgres.superuser,
            port: postgresPort,
            logFile: join(folder.logs, 'postgres.log'),
          }),
      }),
    ),
    part('ClickHouse', () =>
      supervise({
        ...options,
        name: 'clickhouse',
        start: () =>
          startClickhouse({
            dataDir: folder.clickhouse,
            secrets: secrets.clickhouse,
            tenantTables,
            port: clickhousePort,
            logFile: join(folder.logs, 'clickhouse.log'),
          }),
      }),
    ),
  ] as const);
  const server = `postgres://postgres:${secrets.postgres.superuser}@127.0.0.1:${postgresPort}`;
  await createDatabase(`${server}/postgres`, 'millrace');
  return { postgres, clickhouse, postgresUrl: `${server}/millrace`, clickhouseUrl: `http://127.0.0.1:${clickhousePort}` };
}
