import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Launcher, type LauncherOptions, root, startLauncher } from './launcher.ts';

export type { Local } from './launcher.ts';

/** The whole product, started as `npm start` starts it, on a data folder of its own. */
export interface System extends Pick<Launcher, 'dataDir' | 'local' | 'output' | 'child' | 'exited'> {
  /** Runs a command of the administration command line and gives its JSON answer. */
  millrace<T>(...args: string[]): T;
  /** Stops it as Ctrl-C does (or by another signal); answers with the launcher's exit code and how long it took. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; tookMs: number }>;
  /** Stops it and removes its data. */
  destroy(): Promise<void>;
}

/** A folder for a system's data, that nobody else uses. */
export const temporaryDataDir = (): string => mkdtempSync(join(tmpdir(), 'millrace-system-'));

/** Starts the system and waits until it is ready (at most 90 s). @throws with all it printed when it does not get ready. */
export async function startSystem(dataDir = temporaryDataDir(), options: LauncherOptions = {}): Promise<System> {
  const launcher = startLauncher(dataDir, options);
  await launcher.ready();
  return {
    ...launcher,
    millrace<T>(...args: string[]): T {
      const run = spawnSync(process.execPath, [join(root, 'infra/cli/src/main.ts'), ...args, '--json'], {
        env: launcher.environment,
        encoding: 'utf8',
      });
      if (run.status !== 0) throw new Error(`millrace ${args.join(' ')} failed:\n${run.stderr}`);
      return JSON.parse(run.stdout) as T;
    },
    stop: (signal) => stop(launcher, signal),
    async destroy() {
      await stop(launcher);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function stop(
  { child, exited }: Launcher,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<{ code: number | null; tookMs: number }> {
  const since = Date.now();
  child.kill(signal);
  const { code } = await exited;
  return { code, tookMs: Date.now() - since };
}
