import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@millrace/runtime/testing/eventually.ts';

/** Content of the launcher's file when everything is ready. */
export interface Local {
  captureUrl: string;
  apiUrl: string;
  operationsUrls: Record<'capture' | 'consumer' | 'management-api', string>;
  organizationId: string;
  projectId: number;
  projectToken: string;
  personalApiKey: string;
  postgresUrl: string;
  clickhouseUrl: string;
  /** Process ids; for a service with workers a list, the main process first: see `pidsOf`. */
  processes: Record<ProcessName, number>;
}

export type ProcessName = 'capture' | 'consumer' | 'management-api' | 'clickhouse' | 'postgres';

export interface LauncherOptions {
  /** Beside that of this process. */
  environment?: Record<string, string>;
  /** Arguments of the command line. */
  args?: readonly string[];
  /** Prefix of the command, for a start as another user. */
  prefix?: readonly string[];
}

/** A launcher's process, ready or not. */
export interface Launcher {
  dataDir: string;
  /** The environment that commands about the same data folder need. */
  environment: NodeJS.ProcessEnv;
  child: ChildProcess;
  /** All that it printed. */
  output(): string;
  /** Answers when everything is ready. @throws when it ends first, or is not ready within 90 s; the message holds the output. */
  ready(): Promise<void>;
  /** As it is now: pids change when a process is restarted. */
  local(): Local;
  /** Resolves when the launcher is gone; never rejects. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** All processes of a service, the one that the launcher started first. */
export const pidsOf = ({ processes }: Local, name: ProcessName): number[] =>
  [processes[name] as number | number[]].flat();

/** Folder of the checkout. */
export const root = join(import.meta.dirname, '../..');

/** Runs the launcher as `npm start` runs it. It ends when this process ends. */
export function startLauncher(
  dataDir: string,
  { environment = {}, args = [], prefix = [] }: LauncherOptions = {},
): Launcher {
  const own = {
    ...process.env,
    NODE_OPTIONS: '',
    KAFKA_BROKERS: '',
    CAPTURE_PROCESSES: '',
    HOME: dataDir,
    ...environment,
    MILLRACE_DATA_DIR: dataDir,
  };
  const [command = process.execPath, ...rest] = [
    ...prefix,
    process.execPath,
    join(root, 'infra/local/src/main.ts'),
    ...args,
  ];
  const child = spawn(command, rest, { env: own, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  let gone = false;
  // Not by "close", which never comes after a disconnect of ours; all that it printed is to be read nevertheless.
  const allRead = [child.stdout, child.stderr].map(
    (stream) => new Promise((resolve) => stream?.once('close', resolve)),
  );
  const exited = once(child, 'exit').then(async ([code, signal]: unknown[]) => {
    await Promise.all(allRead);
    gone = true;
    return { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });
  const localFile = join(dataDir, 'local.json');

  async function ready(): Promise<void> {
    await eventually(
      () => {
        if (existsSync(localFile) || gone) return;
        throw new Error(`the system did not get ready:\n${output}`);
      },
      { deadlineMs: 90_000 },
    );
    if (gone) throw new Error(`the launcher ended (exit code ${child.exitCode}) before it was ready:\n${output}`);
  }

  return {
    dataDir,
    environment: own,
    child,
    output: () => output,
    ready,
    local: () => JSON.parse(readFileSync(localFile, 'utf8')) as Local,
    exited,
  };
}
