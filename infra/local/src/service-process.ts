import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openBoundedLog } from '@millrace/engines/bounded-log.ts';
import { delay } from '@millrace/runtime/clock.ts';
import { startedMessage, type WorkersMessage } from '@millrace/runtime/process/run-process.ts';
import type { RunningProcess } from './supervise.ts';

interface Options {
  name: string;
  /** The service's main.ts. */
  script: string;
  /** Flags of Node. */
  flags: readonly string[];
  environment: Record<string, string>;
  logFile: string;
  /** Returns 200 when the service is ready. */
  readinessUrl: string;
  /** Cancels the start. */
  signal: AbortSignal;
  /** Called with each chunk of the log. */
  onOutput?: ((chunk: Buffer) => void) | undefined;
  /** Called when the worker processes have changed. */
  onWorkers: () => void;
}

const readyDeadlineMs = 60_000;
/** Time for a service, of the ten seconds that a stop may take; the engines have the rest. */
const stopDeadlineMs = 7_000;

/**
 * Starts a service as a process of its own, with exactly the given environment; resolves when it is ready.
 * Its output goes to a log file of bounded size; one older file stays.
 * @throws when the service exits, the start is cancelled or a minute passes; the message holds the end of the log
 */
export async function startService(options: Options): Promise<RunningProcess> {
  // Opened first: when this fails, no process has been started.
  const log = openBoundedLog({ file: options.logFile });
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...options.flags, options.script], {
    env: options.environment,
    // The service stops when the IPC channel closes, that is, when the launcher dies.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // The terminal sends Ctrl-C to its whole process group. Outside it, the service stops in the launcher's order.
    detached: true,
  });
  child.stdout?.on('data', (chunk: Buffer) => {
    log.append(chunk);
    options.onOutput?.(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => log.append(chunk));
  const exited = once(child, 'exit').then(([code, signal]: unknown[]) => ({
    code: code as number | null,
    signal: signal as string | null,
  }));
  void exited.then(() => log.close());

  let workers: readonly number[] = [];
  const running: RunningProcess = {
    pid: child.pid ?? 0,
    workers: () => workers,
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
  let listens = false;
  child.on('message', (message: typeof startedMessage | WorkersMessage) => {
    if (message === startedMessage) listens = true;
    else {
      workers = message.workers;
      options.onWorkers();
    }
  });
  await untilReady(options, running, () => listens);
  return running;
}

async function untilReady(
  { name, readinessUrl, signal }: Options,
  running: RunningProcess,
  listens: () => boolean,
): Promise<void> {
  let ended = false;
  void running.exited.then(() => (ended = true));
  let last = 'it did not respond';
  for (
    const deadline = Date.now() + readyDeadlineMs;
    !ended && !signal.aborted && Date.now() < deadline;
    await delay(40, signal)
  ) {
    // Before the service listens, another program may reply on the port.
    if (!listens()) continue;
    try {
      const reply = await fetch(readinessUrl, { signal: AbortSignal.timeout(2_000) });
      if (reply.ok) return void (await reply.body?.cancel());
      last = await reply.text();
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
  }
  await running.stop();
  throw new Error(
    `${name} did not become ready (${ended ? 'it ended' : last}). The end of its log:\n${running.logTail()}`,
  );
}
