import type { GivenEngines } from './given-engines/addresses.ts';
import type { DataFolder } from './data-folder.ts';
import { checkClickhouse } from './given-engines/check-clickhouse.ts';
import { checkPostgres } from './given-engines/check-postgres.ts';
import { type EngineName, type EnginePorts, startLocalEngines } from './local-engines.ts';
import { part } from './progress.ts';
import type { Secrets } from './secrets.ts';
import type { Supervised, Supervision } from './supervise.ts';

export interface Engines {
  /** Engines that the launcher started. It does not start or stop the user's own. */
  started: Partial<Record<EngineName, Supervised>>;
  ports: EnginePorts;
  /** The product's database, with the administrator's login: for migrations and the command line. */
  postgresUrl: string;
  /** Without user and password. */
  clickhouseUrl: string;
  /** A user that may create tables. */
  clickhouseAdmin: { user: string; password: string };
}

/**
 * Checks the engines of the user's own, and starts the others from npm.
 * @throws {GivenEngineError} {EngineStartError}
 */
export async function startEngines(
  given: GivenEngines,
  folder: DataFolder,
  secrets: Secrets,
  known: EnginePorts | undefined,
  supervision: Supervision,
): Promise<Engines> {
  const { postgres, clickhouse } = given;
  if (postgres) await part(`Postgres at ${postgres.shown}`, () => checkPostgres(postgres, secrets.postgres));
  if (clickhouse) await part(`ClickHouse at ${clickhouse.url}`, () => checkClickhouse(clickhouse, secrets.clickhouse));
  const missing = (['postgres', 'clickhouse'] as const).filter((name) => given[name] === null);
  const { started, ports } = await startLocalEngines(missing, folder, secrets, known, supervision);
  return {
    started,
    ports,
    postgresUrl:
      postgres?.url ?? `postgres://postgres:${secrets.postgres.superuser}@127.0.0.1:${ports.postgres}/millrace`,
    clickhouseUrl: clickhouse?.url ?? `http://127.0.0.1:${ports.clickhouse}`,
    clickhouseAdmin: clickhouse ?? { user: 'admin', password: secrets.clickhouse.admin },
  };
}
