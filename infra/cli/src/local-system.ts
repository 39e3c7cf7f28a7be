import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isAlive, type ProcessIdentity } from '@millrace/runtime/process-identity.ts';

/** The part of `local.json` that the command line shows; the launcher publishes it while everything is ready. */
export interface LocalAddresses {
  captureUrl: string;
  apiUrl: string;
  operationsUrls: Record<string, string>;
  projectId: number;
  projectToken: string;
  personalApiKey: string;
  /** Addresses of the engines that are the user's own; null: one that the launcher started. Releases before 0.2.0 had no others. */
  givenEngines?: Record<'postgres' | 'clickhouse', string | null>;
}

/** The launcher that works on a data folder. */
export interface RunningSystem {
  dataDir: string;
  launcher: ProcessIdentity;
  /** Undefined while it starts or stops. */
  addresses: LocalAddresses | undefined;
}

/** The system that runs on the data folder; undefined when none does, also when a killed one left its files. */
export async function runningSystem(folder: string): Promise<RunningSystem | undefined> {
  const dataDir = resolve(folder);
  const launcher = readJson<ProcessIdentity>(join(dataDir, 'launcher.pid'));
  if (launcher === undefined || !(await isAlive(launcher))) return undefined;
  return { dataDir, launcher, addresses: readJson<LocalAddresses>(join(dataDir, 'local.json')) };
}

/** Undefined when there is no such file, or an empty one: a crash of the machine can leave that. */
function readJson<T>(file: string): T | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text === '' ? undefined : (JSON.parse(text) as T);
}
