import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the local system keeps everything: `.millrace/` in the checkout, or `MILLRACE_DATA_DIR`. */
export interface DataFolder {
  root: string;
  postgres: string;
  clickhouse: string;
  eventLog: string;
  logs: string;
  /** Says where everything is, while and only while everything is ready. */
  localJson: string;
  secrets: string;
}

/** Another launcher runs on the same folder. */
export class DataFolderTakenError extends Error {
  override name = 'DataFolderTakenError';
}

/** Makes the folder (for its owner alone) and its parts. */
export function openDataFolder(root: string): DataFolder {
  mkdirSync(root, { recursive: true });
  const folder: DataFolder = {
    root,
    postgres: join(root, 'postgres'),
    clickhouse: join(root, 'clickhouse'),
    eventLog: join(root, 'event-log'),
    logs: join(root, 'logs'),
    localJson: join(root, 'local.json'),
    secrets: join(root, 'secrets.json'),
  };
  mkdirSync(folder.logs, { recursive: true });
  mkdirSync(folder.eventLog, { recursive: true });
  return folder;
}

/**
 * Makes sure that no other launcher works on the folder, and answers how to give it back.
 * @throws {DataFolderTakenError} when one does.
 */
export function takeDataFolder(folder: DataFolder): () => void {
  const pidFile = join(folder.root, 'launcher.pid');
  const other = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0;
  if (other > 0 && other !== process.pid && isLauncher(other)) {
    throw new DataFolderTakenError(`Millrace runs already on ${folder.root} (process ${other}). Stop it, or set MILLRACE_DATA_DIR to another folder.`);
  }
  rmSync(folder.localJson, { force: true });
  writeFileSync(pidFile, String(process.pid));
  return () => rmSync(pidFile, { force: true });
}

// A pid may have gone to some other program meanwhile: on Linux its command line tells.
function isLauncher(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const commandLine = `/proc/${pid}/cmdline`;
  return !existsSync('/proc/self/cmdline') || (existsSync(commandLine) && readFileSync(commandLine, 'utf8').includes('infra/local'));
}

/** Writes JSON that only its owner may read; a reader sees the old text or the new one, never half of it. */
export function writePrivateJson(file: string, value: unknown): void {
  const next = `${file}.${process.pid}.next`;
  writeFileSync(next, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, file);
}

/** Reads what `writePrivateJson` wrote; undefined when there is no such file. */
export function readJson<T>(file: string): T | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;
}
