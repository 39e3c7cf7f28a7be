import { delay } from '@millrace/runtime/clock.ts';

/** A running process of an engine or a service. */
export interface RunningProcess {
  pid: number;
  /** Process ids of the service's worker processes; the process manages them itself. */
  workers?: () => readonly number[];
  exited: Promise<{ code: number | null; signal: string | null }>;
  /** Asks the process to stop, and kills it when it takes too long. */
  stop(): Promise<void>;
  /** The last lines of its output. */
  logTail(): string;
}

/** A process that is started again after each death. */
export interface Supervised {
  name: string;
  /** The process id. For a service with workers: all ids, the main process first. */
  pids(): number | number[];
  /** Stops the process for good. */
  stop(): Promise<void>;
}

/** Options that all processes of one launcher share. */
export interface Supervision {
  /** Aborts when the launcher stops: no process is started again after that. */
  stopping: AbortSignal;
  /** Called when a process runs again under a new process id. */
  onRestarted: () => void;
  /** A sentence about a cause outside the processes, such as a full disk; null: none now. It is shown instead of a log. */
  outerCause?: () => string | null;
}

interface Options extends Supervision {
  name: string;
  /** Starts the process; resolves when it is ready. The signal cancels the start. Called again after each death. */
  start: (signal: AbortSignal) => Promise<RunningProcess>;
  say: (line: string) => void;
}

const firstDelayMs = 200;
const longestDelayMs = 10_000;
/** A process that lived this long counts as healthy: its next restart has no delay. */
const healthyAfterMs = 10_000;

/**
 * Starts a process, and starts it again after each death: at once the first time, then with growing delays.
 * @throws the error of `start` on the first start
 */
export async function supervise({
  name,
  start,
  stopping,
  onRestarted,
  say,
  outerCause = () => null,
}: Options): Promise<Supervised> {
  const stopped = new AbortController();
  const signal = AbortSignal.any([stopping, stopped.signal]);
  let running = await start(signal);

  /** Calls `onRestarted`. Its error does not stop the process, which runs already. */
  function announce(): void {
    try {
      onRestarted();
    } catch (error) {
      say(`could not announce the restart of ${name}: ${messageOf(error)}`);
    }
  }

  async function restart(): Promise<void> {
    for (let wait = firstDelayMs; !signal.aborted; wait = Math.min(wait * 2, longestDelayMs)) {
      await delay(wait, signal);
      if (signal.aborted) return;
      try {
        const next = await start(signal);
        if (signal.aborted) return await next.stop();
        running = next;
      } catch (error) {
        if (!signal.aborted) say(`${name} could not be restarted: ${outerCause() ?? messageOf(error)}`);
        continue;
      }
      say(`${name} runs again (process ${running.pid})`);
      return announce();
    }
  }

  async function watch(): Promise<void> {
    let deaths = 0;
    while (!signal.aborted) {
      const since = Date.now();
      const ended = await running.exited;
      if (signal.aborted) return;
      const how = ended.signal ?? `exit code ${ended.code}`;
      const cause = outerCause() ?? `The end of its log:\n${indent(running.logTail())}`;
      say(`${name} died (${how}); restarting it. ${cause}`);
      deaths = Date.now() - since > healthyAfterMs ? 0 : deaths + 1;
      if (deaths > 1) await delay(Math.min(firstDelayMs * 2 ** deaths, longestDelayMs), signal);
      await restart();
    }
  }

  const watching = watch();
  return {
    name,
    pids() {
      const workers = running.workers?.() ?? [];
      return workers.length === 0 ? running.pid : [running.pid, ...workers];
    },
    async stop() {
      stopped.abort();
      await running.stop();
      await watching;
    },
  };
}

/**
 * Waits for processes that start at the same time.
 * @throws the first error, after the processes that did start have been stopped
 */
export async function allOrNone<T extends readonly Promise<Supervised>[]>(
  starting: T,
): Promise<{ [K in keyof T]: Supervised }> {
  const settled = await Promise.allSettled(starting);
  const failure = settled.find((result) => result.status === 'rejected');
  const started = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (failure === undefined) return started as { [K in keyof T]: Supervised };
  await Promise.all(started.map((supervised) => supervised.stop()));
  throw failure.reason;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const indent = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .slice(-15)
    .map((line) => `    ${line}`)
    .join('\n');
