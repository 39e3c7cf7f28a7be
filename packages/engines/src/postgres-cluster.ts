import { execFile } from 'node:child_process';
import { chown, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EngineStartError } from './engine-error.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { ownerFor, type PostgresUser } from './postgres-user.ts';

const runFile = promisify(execFile);

export interface PostgresClusterOptions {
  dataDir: string;
  superuserPassword: string;
  binaries: PostgresBinaries;
  user: PostgresUser;
  /** False: nothing is forced to disk (tests). */
  durable: boolean;
}

/**
 * Makes the data folder once: superuser `postgres` with that password (scram-sha-256), UTF-8, byte-wise order that does
 * not depend on the machine. It appears whole or not at all; what an interrupted run left is thrown away.
 * @throws {EngineStartError} when it was made by another major version, or cannot be made.
 */
export async function preparePostgresCluster(options: PostgresClusterOptions): Promise<void> {
  const { dataDir, binaries } = options;
  const major = binaries.version.split('.')[0] ?? '';
  const found = await clusterVersion(dataDir);
  if (found === major) return;
  if (found !== undefined) {
    throw new EngineStartError(
      'postgres',
      `${dataDir} was made by Postgres ${found}, this is ${major}.`,
      'Dump it with the old version, or use another data folder.',
    );
  }
  await refuseForeign(dataDir);
  const fresh = `${dataDir}.new`;
  const passwordFile = `${dataDir}.password`;
  await rm(fresh, { recursive: true, force: true });
  try {
    await initialize(options, fresh, passwordFile);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(fresh, dataDir);
  if (options.durable) await syncFolder(dirname(dataDir));
}

async function initialize(options: PostgresClusterOptions, fresh: string, passwordFile: string): Promise<void> {
  const { binaries, user, superuserPassword, durable } = options;
  const owner = ownerFor(user);
  await mkdir(fresh, { mode: 0o700 });
  await writeFile(passwordFile, `${superuserPassword}\n`, { mode: 0o600 });
  if (owner !== undefined) {
    await chown(fresh, owner.uid, owner.gid);
    await chown(passwordFile, owner.uid, owner.gid);
  }
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const args = [`--pgdata=${fresh}`, ...access, ...locale, '--no-instructions', ...(durable ? [] : ['--no-sync'])];
  const [command, ...commandArgs] = [...user.prefix, binaries.initdb, ...args];
  try {
    await runFile(command ?? binaries.initdb, commandArgs, {
      env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
      cwd: '/',
      ...(user.uid === undefined ? {} : { uid: user.uid, gid: user.gid }),
    });
  } catch (cause) {
    if (isNameless(cause)) {
      throw new EngineStartError(
        'postgres',
        `this user (uid ${process.getuid?.()}) has no name in the list of users, and Postgres asks for one when it makes its folder.`,
        `Start as a user with a name, or give this one a name as root: echo 'millrace:x:${process.getuid?.()}:${process.getgid?.()}::/tmp:/bin/sh' >> /etc/passwd`,
        { cause },
      );
    }
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
    throw new EngineStartError('postgres', 'initdb failed.', 'See what it printed.', {
      logTail: `${stdout}${stderr}` || String(cause),
      cause,
    });
  }
}

/** A container that runs under any number meets this. */
const isNameless = (cause: unknown): boolean =>
  /could not look up effective user ID/.test((cause as { stderr?: string }).stderr ?? '');

// Our data takes the place of an empty folder, never of one that holds something.
async function refuseForeign(dataDir: string): Promise<void> {
  const entries = await readdir(dataDir).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  if (entries.length === 0) return;
  throw new EngineStartError(
    'postgres',
    `${dataDir} holds other things than its data.`,
    'Use another data folder, or move them away.',
  );
}

async function clusterVersion(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(join(dataDir, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return undefined;
    if (code === 'EACCES') {
      throw new EngineStartError(
        'postgres',
        `${dataDir} belongs to another user.`,
        'Start as the user who made it, or use another data folder.',
        { cause: error },
      );
    }
    throw error;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
