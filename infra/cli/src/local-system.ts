import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isAlive, type ProcessIdentity } from '@millrace/runtime/process-identity.ts';

/** The part of `local.json` that the command line shows. The file exists while everything is ready. */
export interface LocalAddresses {
  captureUrl: string;
  apiUrl: string;
  operationsUrls: Record<string, string>;
  projectId: number;
  projectToken: string;
  personalApiKey: string;
  /** Addresses of the user's own engines; null: the launcher started the engine. Releases before 0.2.0 do not write it. */
  givenEngines?: Record<'postgres' | 'clickhouse', string | null>;
}

/** The launcher that works on a data folder. */
export interface RunningSystem {
  dataDir: string;
  launcher: ProcessIdentity;
  /** Undefined while the system starts or stops. */
  addresses: LocalAddresses | undefined;
}

/** The system that runs on the data folder; undefined when none does. Files of a killed launcher do not count. */
export async function runningSystem(folder: string): Promise<RunningSystem | undefined> {
  const dataDir = resolve(folder);
  const launcher = readJson<ProcessIdentity>(join(dataDir, 'launcher.pid'));
  if (launcher === undefined || !(await isAlive(launcher))) return undefined;
  return { dataDir, launcher, addresses: readJson<LocalAddresses>(join(dataDir, 'local.json')) };
}

/** Undefined when the file is missing or empty; a crash of the machine can leave an empty one. */
function readJson<T>(file: string): T | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text === '' ? undefined : (JSON.parse(text) as T);
}
