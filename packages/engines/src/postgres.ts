import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { claimDataDir, type EngineClaim } from './data-dir-claim.ts';
import { EngineStartError } from './engine-error.ts';
import { spawnEngine, type EngineProcess } from './engine-process.ts';
import { freePort } from './ports.ts';
import { postgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { preparePostgresCluster } from './postgres-cluster.ts';
import { postgresUser, type PostgresUser } from './postgres-user.ts';
import { waitUntilReady } from './wait-until-ready.ts';

export interface StartPostgresOptions {
  /** Created when it is missing; stays between runs. */
  dataDir: string;
  /** Password of user `postgres`. Set when the folder is made; later starts must be given the same. */
  superuserPassword: string;
  /** TCP port of 127.0.0.1; any free one when not given. */
  port?: number | undefined;
  /** File of its output, at most twice 10 MB. Without it only the tail is held in memory. */
  logFile?: string | undefined;
  /** False gives up safety against a crash of the machine for speed: tests only. Default true. */
  durable?: boolean;
  /** Calls the start off: it then fails at once, with nothing left running. */
  signal?: AbortSignal | undefined;
}

/** After a crash it replays its log first. */
const readyMsMax = 60_000;

export interface PostgresEngine extends EngineProcess {
  /** `postgres://postgres:<password>@127.0.0.1:<port>/postgres`: holds the password, keep it out of logs. */
  readonly url: string;
}

/**
 * Starts Postgres on the data folder and resolves when it accepts connections. Works as root too (it then runs as
 * another user) and below folders that only root may enter. No Unix socket: TCP of the loopback interface,
 * scram-sha-256.
 * @throws {EngineStartError} when the folder is in use, or it does not get ready; the message says what to do.
 */
export async function startPostgres(options: StartPostgresOptions): Promise<PostgresEngine> {
  const { dataDir, superuserPassword, durable = true } = options;
  await mkdir(dirname(dataDir), { recursive: true });
  const claim = await claimDataDir('postgres', dataDir);
  const user = await postgresUser(dataDir);
  const binaries = await postgresBinaries(process.getuid?.() === 0);
  await preparePostgresCluster({ dataDir, superuserPassword, binaries, user, durable });
  const port = options.port ?? (await freePort());
  const engine = await startPatiently(options, { binaries, user, port }, claim);
  const url = `postgres://postgres:${encodeURIComponent(superuserPassword)}@127.0.0.1:${port}/postgres`;
  return { ...engine, url };
}

interface Choices {
  binaries: PostgresBinaries;
  user: PostgresUser;
  port: number;
}

// After a kill -9 its children may need a moment to notice; until then a new one refuses to start.
const stillEnding = /lock file "postmaster\.pid" already exists|pre-existing shared memory block/;

async function startPatiently(
  options: StartPostgresOptions,
  choices: Choices,
  claim: EngineClaim,
): Promise<EngineProcess> {
  for (const patience = performance.now() + 10_000; ;) {
    await removeStalePidFile(options.dataDir);
    const engine = await spawnPostgres(options, choices);
    await claim.record(engine);
    try {
      await waitUntilReady(engine, {
        isReady: () => acceptsConnections(options.dataDir, engine.pid),
        deadlineMs: readyMsMax,
        signal: options.signal,
        advice: `Look at the log; when the port ${choices.port} is taken by another program, choose another one.`,
      });
      return engine;
    } catch (error) {
      const again =
        error instanceof EngineStartError && stillEnding.test(error.logTail) && performance.now() < patience;
      if (!again) throw error;
    }
  }
}

function spawnPostgres(
  { dataDir, logFile, durable = true }: StartPostgresOptions,
  { binaries, user, port }: Choices,
): Promise<EngineProcess> {
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: '64MB',
    max_wal_size: '256MB',
    // Wakes less often than by default: these statistics are not used locally.
    wal_writer_delay: '1s',
    bgwriter_delay: '1s',
    autovacuum_naptime: '1min',
    io_method: 'sync',
    log_timezone: 'UTC',
    timezone: 'UTC',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  const args = ['-D', dataDir, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const [command, ...commandArgs] = [...user.prefix, binaries.postgres, ...args];
  return spawnEngine({
    name: 'postgres',
    command: command ?? binaries.postgres,
    args: commandArgs,
    environment: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
    cwd: '/',
    uid: user.uid,
    gid: user.gid,
    logFile,
    // "Fast": ends the connections, writes a checkpoint.
    stopSignal: 'SIGINT',
  });
}

// Its own sign, the one that pg_ctl waits for: the eighth line of postmaster.pid.
async function acceptsConnections(dataDir: string, pid: number): Promise<boolean> {
  const lines = await readPidFile(dataDir);
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}

// The claim has made sure that no server of ours runs here. Another program may have got the number meanwhile (a reboot),
// and Postgres would then refuse to start.
async function removeStalePidFile(dataDir: string): Promise<void> {
  const pid = Number((await readPidFile(dataDir))[0] ?? 0);
  if (pid > 0 && !(await isPostgres(pid))) await rm(join(dataDir, 'postmaster.pid'), { force: true });
}

async function isPostgres(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (process.platform !== 'linux') return true;
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return commandLine.split('\0')[0]?.endsWith('postgres') === true;
}

async function readPidFile(dataDir: string): Promise<string[]> {
  try {
    return (await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
