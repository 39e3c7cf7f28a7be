import { delay } from '@millrace/runtime/clock.ts';

/** A process that runs: an engine or a service. */
export interface RunningProcess {
  pid: number;
  /** Other processes of the same service, which it cares for itself. */
  workers?: () => readonly number[];
  exited: Promise<{ code: number | null; signal: string | null }>;
  /** Asks it to stop, and makes it when it takes too long. */
  stop(): Promise<void>;
  /** The last lines that it wrote. */
  logTail(): string;
}

export interface Supervised {
  name: string;
  /** Its process id; of a service of several processes all ids, its own first. */
  pids(): number | number[];
  /** Stops the process for good. */
  stop(): Promise<void>;
}

/** What all processes of one launcher share. */
export interface Supervision {
  /** Everything is to stop: from then on nothing is started again. */
  stopping: AbortSignal;
  /** A process runs again, under a new pid. */
  onRestarted: () => void;
  /** A reason that all processes share, in a sentence that says more than their logs; null: there is none now. */
  trouble?: () => string | null;
}

interface Options extends Supervision {
  name: string;
  /** Starts the process and answers when it is ready; the signal calls it off. Called again after each death. */
  start: (signal: AbortSignal) => Promise<RunningProcess>;
  say: (line: string) => void;
}

const firstDelayMs = 200;
const longestDelayMs = 10_000;
/** Who lived this long is not "dying again and again". */
const healthyAfterMs = 10_000;

/**
 * Starts a process and starts it again whenever it dies, at once the first time and backing off while it keeps dying.
 * @throws what `start` throws, the first time.
 */
export async function supervise({
  name,
  start,
  stopping,
  onRestarted,
  say,
  trouble = () => null,
}: Options): Promise<Supervised> {
  const stopped = new AbortController();
  const signal = AbortSignal.any([stopping, stopped.signal]);
  let running = await start(signal);

  /** The process runs whether or not the news of it can be passed on. */
  function announce(): void {
    try {
      onRestarted();
    } catch (error) {
      say(`could not make the restart of ${name} known: ${messageOf(error)}`);
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
        if (!signal.aborted) say(`${name} could not be restarted: ${trouble() ?? messageOf(error)}`);
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
      say(`${name} died (${how}); restarting it. ${trouble() ?? `The end of its log:\n${indent(running.logTail())}`}`);
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
 * Waits for processes that start side by side.
 * @throws the first failure, after the others that did start have been stopped again.
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
