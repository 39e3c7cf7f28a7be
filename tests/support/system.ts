import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';

/** What the launcher writes when everything is ready. */
export interface Local {
  captureUrl: string;
  apiUrl: string;
  organizationId: string;
  projectId: number;
  projectToken: string;
  personalApiKey: string;
  postgresUrl: string;
  clickhouseUrl: string;
  processes: Record<string, number>;
}

/** The whole product, started as `npm start` starts it, on a data folder of its own. */
export interface System {
  dataDir: string;
  /** As it is now: pids change when a process is restarted. */
  local(): Local;
  /** All that the launcher printed. */
  output(): string;
  /** Runs a command of the administration command line and gives its JSON answer. */
  millrace<T>(...args: string[]): T;
  /** Stops it as Ctrl-C does; answers with the launcher's exit code and how long it took. */
  stop(): Promise<{ code: number | null; tookMs: number }>;
  /** Stops it and removes its data. */
  destroy(): Promise<void>;
}

const root = join(import.meta.dirname, '../..');

/** Starts the system and waits until it is ready (at most 90 s). */
export async function startSystem(dataDir = mkdtempSync(join(tmpdir(), 'millrace-system-'))): Promise<System> {
  const environment = { ...process.env, MILLRACE_DATA_DIR: dataDir, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, [join(root, 'infra/local/src/main.ts')], { env: environment, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const localFile = join(dataDir, 'local.json');
  await eventually(() => {
    if (existsSync(localFile)) return;
    throw new Error(`the system did not get ready${child.exitCode === null ? '' : ` (exit code ${child.exitCode})`}:\n${output}`);
  }, 90_000);

  return {
    dataDir,
    local: () => JSON.parse(readFileSync(localFile, 'utf8')) as Local,
    output: () => output,
    millrace<T>(...args: string[]): T {
      const run = spawnSync(process.execPath, [join(root, 'infra/cli/src/main.ts'), ...args, '--json'], { env: environment, encoding: 'utf8' });
      if (run.status !== 0) throw new Error(`millrace ${args.join(' ')} failed:\n${run.stderr}`);
      return JSON.parse(run.stdout) as T;
    },
    stop: () => stop(child),
    async destroy() {
      await stop(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function stop(child: ChildProcess): Promise<{ code: number | null; tookMs: number }> {
  const since = Date.now();
  if (child.exitCode === null) {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
  return { code: child.exitCode, tookMs: Date.now() - since };
}
