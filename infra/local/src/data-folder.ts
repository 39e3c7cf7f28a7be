import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identifyProcess, isAlive, type ProcessIdentity } from '@millrace/runtime/process-identity.ts';
import { findAccessError } from './folder-state/folder-access.ts';
import type { LocalJson } from './ready-message.ts';

/** Paths in the data folder of a local system: `.millrace/` in the checkout, or `MILLRACE_DATA_DIR`. */
export interface DataFolder {
  root: string;
  postgres: string;
  clickhouse: string;
  eventLog: string;
  logs: string;
  /** Mail as `.eml` files. */
  outbox: string;
  /** The object storage. */
  objects: string;
  /** Addresses and keys of the running system; the file is there only while everything is ready. */
  localJson: string;
  secrets: string;
  /** Ports of the next start. */
  ports: string;
  /** Addresses of the engines that hold the data. */
  engines: string;
}

/** Another launcher runs on the same folder. */
export class DataFolderTakenError extends Error {
  override name = 'DataFolderTakenError';
  readonly root: string;
  readonly pid: number;
  /** `local.json` of the other launcher; undefined while that starts or stops. */
  readonly local: LocalJson | undefined;

  constructor(root: string, pid: number, local: LocalJson | undefined) {
    const does = local === undefined ? 'is starting or stopping' : 'is already running';
    super(`Millrace ${does} on ${root} (process ${pid}). Stop it, or set MILLRACE_DATA_DIR to another folder.`);
    this.root = root;
    this.pid = pid;
    this.local = local;
  }
}

/** The folder cannot be created, or the path is no folder. The message gives the reason and the way out. */
export class DataFolderUnusableError extends Error {
  override name = 'DataFolderUnusableError';
}

/**
 * Creates the folder and its subfolders when they are missing. Only the owner may read the subfolders.
 * @throws {DataFolderUnusableError}
 */
export function openDataFolder(root: string): DataFolder {
  const folder: DataFolder = {
    root,
    postgres: join(root, 'postgres'),
    clickhouse: join(root, 'clickhouse'),
    eventLog: join(root, 'event-log'),
    logs: join(root, 'logs'),
    outbox: join(root, 'outbox'),
    objects: join(root, 'objects'),
    localJson: join(root, 'local.json'),
    secrets: join(root, 'secrets.json'),
    ports: join(root, 'ports.json'),
    engines: join(root, 'engines.json'),
  };
  const accessError = findAccessError(root);
  if (accessError !== null) throw new DataFolderUnusableError(`Nothing can be stored in ${root}. ${accessError}`);
  try {
    mkdirSync(root, { recursive: true });
    for (const own of [folder.logs, folder.eventLog]) mkdirSync(own, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DataFolderUnusableError(
      `Nothing can be stored in ${root}: ${(error as Error).message}. Set MILLRACE_DATA_DIR to a folder that may be written to.`,
      { cause: error },
    );
  }
  return folder;
}

/**
 * Locks the folder for this launcher. Returns the function that unlocks it.
 * @throws {DataFolderTakenError} while another launcher holds the lock
 */
export async function takeDataFolder(folder: DataFolder): Promise<() => void> {
  const pidFile = join(folder.root, 'launcher.pid');
  const me = await identifyProcess(process.pid);
  while (!createNew(pidFile, JSON.stringify(me))) {
    const found = readText(pidFile);
    const other = identityIn(found);
    if (other !== undefined && (await isAlive(other))) {
      throw new DataFolderTakenError(folder.root, other.pid, readJson<LocalJson>(folder.localJson));
    }
    removeIfStill(pidFile, found);
  }
  rmSync(folder.localJson, { force: true });
  return () => rmSync(pidFile, { force: true });
}

/** Creates the file unless it exists; returns false then. Only one of two concurrent calls succeeds. */
function createNew(file: string, text: string): boolean {
  // Written before the file gets its name, so that no reader sees half of it.
  const next = `${file}.${process.pid}.next`;
  writeFileSync(next, text, { mode: 0o600 });
  try {
    linkSync(next, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(next, { force: true });
  }
}

/** Removes the file of a dead launcher, unless another launcher has replaced it meanwhile. */
function removeIfStill(file: string, text: string): void {
  const aside = `${file}.${process.pid}.old`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return;
  }
  if (readText(aside) === text) rmSync(aside);
  else renameSync(aside, file);
}

function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function identityIn(text: string): ProcessIdentity | undefined {
  // A crash of the machine can leave an empty file.
  return text.startsWith('{') ? (JSON.parse(text) as ProcessIdentity) : undefined;
}

/** Writes JSON that only the owner may read. The file is replaced in one step: a reader sees the old text or the new one. */
export function writePrivateJson(file: string, value: unknown): void {
  const next = `${file}.${process.pid}.next`;
  writeFileSync(next, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  chmodSync(next, 0o600);
  renameSync(next, file);
}

/** A file of the data folder cannot be read as JSON. */
export class BrokenFileError extends Error {
  override name = 'BrokenFileError';
}

/**
 * Reads a file of `writePrivateJson`; undefined when it does not exist.
 * @throws {BrokenFileError} when it holds no JSON
 */
export function readJson<T>(file: string): T | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new BrokenFileError(
      `${file} is ${text.trim() === '' ? 'empty' : 'not JSON'}. Restore it from a copy. Only ports.json and local.json can be removed instead.`,
      { cause: error },
    );
  }
}
