import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildServerXml } from './clickhouse-config.ts';
import { clickhouseLibrary } from './clickhouse-library.ts';
import { buildUsersXml, type ClickhouseSecrets } from './clickhouse-users.ts';
import { claimDataDir } from './data-dir-claim.ts';
import { spawnEngine, type EngineProcess } from './engine-process.ts';
import { freePort } from './ports.ts';
import { waitUntilReady } from './wait-until-ready.ts';

export interface StartClickhouseOptions {
  /** Kept between runs. One process owns it at a time. */
  dataDir: string;
  secrets: ClickhouseSecrets;
  /** TCP port of 127.0.0.1; any free one when not given. */
  port?: number | undefined;
  /** Where the server's output goes, at most twice 10 MB. Without it only the tail is kept. */
  logFile?: string | undefined;
  /** Tables of `analytics` that tenants may read, through row policies on `team_id`. */
  tenantTables: readonly string[];
  memoryBytesMax?: number;
  /** Default 30 s: a crash leaves parts to be checked. */
  readyDeadlineMs?: number;
  /** Calls the start off: it then fails at once, with nothing left running. */
  signal?: AbortSignal | undefined;
}

export interface ClickhouseEngine extends EngineProcess {
  /** `http://127.0.0.1:<port>`, without credentials. */
  readonly url: string;
}

/**
 * Starts ClickHouse's own server on the data folder and answers when it lets `admin` in.
 * Users, grants and row policies come from `secrets` and are frozen until the next start (clickhouse.md, section 3).
 * @throws {EngineStartError} when the folder is in use, the platform has no library, or it does not get ready.
 */
export async function startClickhouse(options: StartClickhouseOptions): Promise<ClickhouseEngine> {
  const { dataDir, secrets, logFile, readyDeadlineMs = 30_000 } = options;
  const library = clickhouseLibrary();
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const claim = await claimDataDir('clickhouse', dataDir);
  const port = options.port ?? (await freePort());
  const configFile = await writeConfiguration(options, port);
  const child = fileURLToPath(new URL('clickhouse-child.ts', import.meta.url));
  const engine = await spawnEngine({
    name: 'clickhouse',
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', child, library, configFile],
    // Freed memory goes back to the machine within seconds: without it an idle server keeps what its last merge used.
    environment: { TZ: 'UTC', LANG: 'C.UTF-8', JE_MALLOC_CONF: 'background_thread:true,dirty_decay_ms:1000' },
    logFile,
    stopSignal: 'SIGTERM',
  });
  await claim.record(engine.pid);
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(engine, {
    isReady: () => letsIn(url, secrets.admin),
    deadlineMs: readyDeadlineMs,
    signal: options.signal,
    advice: `Look at the log; when the port ${port} is taken by another program, choose another one.`,
  });
  return { ...engine, url };
}

async function writeConfiguration(options: StartClickhouseOptions, port: number): Promise<string> {
  const { dataDir, secrets, tenantTables, memoryBytesMax } = options;
  const usersFile = join(dataDir, 'millrace-users.xml');
  const configFile = join(dataDir, 'millrace-config.xml');
  await writeFile(usersFile, buildUsersXml({ secrets, tenantTables }), { mode: 0o600 });
  await writeFile(configFile, buildServerXml({ dataDir, usersFile, port, memoryBytesMax }), { mode: 0o600 });
  return configFile;
}

// A ping would be answered by whoever has the port; only this server knows the password.
async function letsIn(url: string, adminPassword: string): Promise<boolean> {
  const authorization = `Basic ${Buffer.from(`admin:${adminPassword}`).toString('base64')}`;
  try {
    const reply = await fetch(`${url}/?query=SELECT%201`, { headers: { authorization }, signal: AbortSignal.timeout(2_000) });
    await reply.arrayBuffer();
    return reply.ok;
  } catch (error) {
    // Not listening yet ("fetch failed" is a TypeError), or too slow this time; the deadline is waitUntilReady's.
    // By name: under jest the class is another one.
    if (['TypeError', 'TimeoutError'].includes((error as Error).name)) return false;
    throw error;
  }
}
