import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openBoundedLog } from '@millrace/engines/bounded-log.ts';
import { delay } from '@millrace/runtime/clock.ts';
import type { RunningProcess } from './supervise.ts';

interface Options {
  name: string;
  /** The service's main.ts. */
  script: string;
  environment: Record<string, string>;
  logFile: string;
  /** Answers 200 when the service is ready. */
  readinessUrl: string;
}

const readyDeadlineMs = 60_000;
const stopDeadlineMs = 9_800;

/**
 * Starts a service as a process of its own, with exactly the given settings, and answers when it is ready.
 * Its output goes to a log file of bounded size (one older file is kept).
 * @throws when it exits, or is not ready within a minute; the message holds the end of its log.
 */
export async function startService(options: Options): Promise<RunningProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', options.script], {
    env: options.environment,
    // The channel makes the service stop when the launcher dies.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A Ctrl-C goes to the terminal's whole group; the order of the stop is the launcher's.
    detached: true,
  });
  const log = openBoundedLog({ file: options.logFile });
  child.stdout?.on('data', (chunk: Buffer) => log.append(chunk));
  child.stderr?.on('data', (chunk: Buffer) => log.append(chunk));
  const exited = once(child, 'exit').then(([code, signal]: unknown[]) => ({ code: code as number | null, signal: signal as string | null }));
  void exited.then(() => log.close());

  const running: RunningProcess = {
    pid: child.pid ?? 0,
    exited,
    logTail: () => log.tail(),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs);
      await exited;
      clearTimeout(force);
    },
  };
  await untilReady(options, running);
  return running;
}

async function untilReady({ name, readinessUrl }: Options, running: RunningProcess): Promise<void> {
  let ended = false;
  void running.exited.then(() => (ended = true));
  let last = 'it did not answer';
  for (const deadline = Date.now() + readyDeadlineMs; !ended && Date.now() < deadline; await delay(40)) {
    try {
      const reply = await fetch(readinessUrl, { signal: AbortSignal.timeout(2_000) });
      if (reply.ok) return void (await reply.body?.cancel());
      last = await reply.text();
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
  }
  await running.stop();
  throw new Error(`${name} did not get ready (${ended ? 'it ended' : last}). The end of its log:\n${running.logTail()}`);
}
