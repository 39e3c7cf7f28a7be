import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickhouseSecrets } from '@millrace/clickhouse/users/declared-users.ts';
import { buildUsersXml } from '@millrace/clickhouse/users/users-document.ts';
import { startClickhouse } from '@millrace/engines/clickhouse.ts';
import { startPostgres } from '@millrace/engines/postgres.ts';
import { isRunning } from '@millrace/runtime/testing/is-running.ts';
import type { GivenEngines, TestEngines } from './config.ts';
import { dropDatabasesOf } from './test-postgres.ts';

export interface StartedEngines {
  engines: TestEngines;
  /** Stops what was started, and removes all that the run made. */
  stop(): Promise<void>;
}

const folderPrefix = 'millrace-tests-';

/**
 * Starts Postgres and ClickHouse, at once, in a temporary folder; what was given is taken instead. They end with this
 * process, however it ends.
 * @throws {EngineStartError} when one cannot be had; nothing is left running.
 */
export async function startTestEngines(given: GivenEngines): Promise<StartedEngines> {
  await removeAbandonedFolders();
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`));
  // For the user that Postgres runs as when we are root; the engines close their own folders.
  await chmod(folder, 0o711);
  const run = randomBytes(4).toString('hex');
  const postgres = given.postgresUrl === undefined ? startTestPostgres(folder) : given.postgresUrl;
  const clickhouse = given.clickhouse ?? startTestClickhouse(folder);
  const [first, second] = await Promise.allSettled([postgres, clickhouse]);
  const running = [first, second].flatMap((result) =>
    result.status === 'fulfilled' && isEngine(result.value) ? [result.value] : [],
  );

  async function stopAll(): Promise<void> {
    await Promise.all(running.map((engine) => engine.stop()));
    await rm(folder, { recursive: true, force: true });
  }
  if (first.status === 'rejected' || second.status === 'rejected') {
    await stopAll();
    const reasons: unknown[] = [first, second].flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    throw new AggregateError(reasons, `the tests' engines cannot be had: ${reasons.map(String).join('\n')}`);
  }
  const postgresUrl = typeof first.value === 'string' ? first.value : first.value.url;
  const engines = { run, postgresUrl, clickhouseUrl: second.value.url, clickhouseSecrets: second.value.secrets };
  return {
    engines,
    async stop() {
      if (given.postgresUrl !== undefined) await dropDatabasesOf(engines);
      await stopAll();
    },
  };
}

async function startTestPostgres(folder: string) {
  return await startPostgres({ dataDir: join(folder, 'postgres'), superuserPassword: randomSecret(), durable: false });
}

async function startTestClickhouse(folder: string) {
  const secrets: ClickhouseSecrets = {
    admin: randomSecret(),
    writer: randomSecret(),
    tenant: randomSecret(),
    materializer: randomSecret(),
    maintainer: randomSecret(),
    recorder: randomSecret(),
    tokenSecret: randomSecret(),
  };
  const usersDocument = buildUsersXml({ secrets, from: 'loopback' });
  const login = { user: 'admin', password: secrets.admin };
  return { ...(await startClickhouse({ dataDir: join(folder, 'clickhouse'), usersDocument, login })), secrets };
}

function isEngine(value: unknown): value is { stop(): Promise<void> } {
  return typeof value === 'object' && value !== null && 'stop' in value;
}

function randomSecret(): string {
  return randomBytes(16).toString('hex');
}

// A run that was killed could not remove its folder; its name says whose it was.
async function removeAbandonedFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(/^millrace-tests-(\d+)-/.exec(name)?.[1] ?? 0);
    if (pid > 0 && !isRunning(pid)) await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}
