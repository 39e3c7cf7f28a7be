import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildServerXml } from './clickhouse-config.ts';
import { clickhouseLibrary } from './clickhouse-library.ts';
import { noUsers, starterUser } from './clickhouse-starter.ts';
import { claimDataDir } from './data-dir-claim.ts';
import { spawnEngine, type EngineProcess } from './engine-process.ts';
import { freePort } from './ports.ts';
import { waitUntilReady } from './wait-until-ready.ts';

export interface ClickhouseLogin {
  user: string;
  password: string;
}

export interface StartClickhouseOptions {
  /** Kept between runs. One process owns it at a time. */
  dataDir: string;
  /** Users, profiles, grants and row policies, as a file of the folder `users.d` has them, or several. */
  usersDocument: string | readonly string[];
  /** Login of one of those users, for the check of readiness. */
  login: ClickhouseLogin;
  /** TCP port of 127.0.0.1; any free one when not given. */
  port?: number | undefined;
  /** File of the server's output, at most twice 10 MB. Without it only the tail is held in memory. */
  logFile?: string | undefined;
  memoryBytesMax?: number;
  /** Calls the start off: it then fails at once, with nothing left running. */
  signal?: AbortSignal | undefined;
}

/** After a crash it checks its parts first. */
const readyMsMax = 30_000;

export interface ClickhouseEngine extends EngineProcess {
  /** `http://127.0.0.1:<port>`, without credentials. */
  readonly url: string;
}

/**
 * Starts ClickHouse's own server on the data folder and resolves when it lets the given user in. Users, grants and row
 * policies are fixed until the next start.
 * @throws {EngineStartError} when the folder is in use, the platform has no library, or it does not get ready.
 */
export async function startClickhouse(options: StartClickhouseOptions): Promise<ClickhouseEngine> {
  const { dataDir, login, logFile } = options;
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
  await claim.record(engine);
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(engine, {
    isReady: () => letsIn(url, login),
    deadlineMs: readyMsMax,
    signal: options.signal,
    advice: `Look at the log; when the port ${port} is taken by another program, choose another one.`,
  });
  return { ...engine, url };
}

async function writeConfiguration(options: StartClickhouseOptions, port: number): Promise<string> {
  const { dataDir, usersDocument, memoryBytesMax } = options;
  const usersFile = join(dataDir, 'millrace-users.xml');
  const configFile = join(dataDir, 'millrace-config.xml');
  // ClickHouse merges the folder's files in the order of their names: the starter comes after what may remove it.
  const usersFolder = join(dataDir, 'millrace-users.d');
  await rm(usersFolder, { recursive: true, force: true });
  await mkdir(usersFolder, { recursive: true, mode: 0o700 });
  await writeFile(usersFile, noUsers, { mode: 0o600 });
  for (const [at, document] of [usersDocument].flat().entries())
    await writeFile(join(usersFolder, `1-given-${at}.xml`), document, { mode: 0o600 });
  await writeFile(join(usersFolder, '2-starter.xml'), starterUser, { mode: 0o600 });
  await writeFile(configFile, buildServerXml({ dataDir, usersFile, port, memoryBytesMax }), { mode: 0o600 });
  return configFile;
}

// Whoever has the port would respond to a ping; only this server knows the password.
async function letsIn(url: string, { user, password }: ClickhouseLogin): Promise<boolean> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  try {
    const reply = await fetch(`${url}/?query=SELECT%201`, {
      headers: { authorization },
      signal: AbortSignal.timeout(2_000),
    });
    await reply.arrayBuffer();
    return reply.ok;
  } catch (error) {
    // Not listening yet ("fetch failed" is a TypeError), or too slow this time; the deadline is waitUntilReady's.
    // By name: under jest the class is another one.
    if (['TypeError', 'TimeoutError'].includes((error as Error).name)) return false;
    throw error;
  }
}
