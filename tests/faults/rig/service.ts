import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { startedMessage, type WorkersMessage } from '@millrace/runtime/process/run-process.ts';
import { delay } from '@millrace/runtime/clock.ts';

/** How a service's process is started. */
interface Command {
  script: string;
  args?: readonly string[];
  /** For Node, in front of the script. */
  flags?: readonly string[];
}

/** A service in a process of its own that is started again when it dies, as a supervisor does in production. */
export interface Service {
  readonly name: string;
  readonly url: string;
  /** Address of its operators' port. */
  readonly operationsUrl: string;
  /** Its processes, the one that was started first. */
  readonly pids: readonly number[];
  /** How often it died, whatever of. */
  readonly deaths: number;
  /** Unexpected deaths, each with its code and the end of its log. */
  readonly accidents: readonly string[];
  /** Command of its processes from the next start on. */
  command: Command;
  /** All that its processes printed. */
  log(): string;
  /** kill -9 of its first process; another takes its place at once, and runs `next` when that is given. Resolves when it is gone. */
  kill(next?: Command): Promise<void>;
  /**
   * Resolves when it has died `times` times in all.
   * @throws {Error} when it has not within a minute.
   */
  died(times: number): Promise<void>;
  /** Ends it in good order and starts no other. Returns how it ended; by kill -9 after 15 s. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; tookMs: number }>;
  /** Starts it. Resolves when it has started. */
  start(): Promise<void>;
  /** Says something to its process over its channel. */
  report(message: object): void;
}

interface Options {
  name: string;
  port: number;
  operationsPort: number;
  environment: Record<string, string>;
  logFile: string;
  command: Command;
}

const restartMs = 200;
const startedMsMax = 60_000;
const stopMsMax = 15_000;
const diedMsMax = 60_000;

/** Makes a service, not yet started. Its processes end when this one does. */
export function createService({ name, port, operationsPort, environment, logFile, command }: Options): Service {
  let child: ChildProcess | null = null;
  let workers: readonly number[] = [];
  let nextAlone: Command | null = null;
  let wanted = false;
  let deaths = 0;
  const accidents: string[] = [];
  const waiting = new Set<() => void>();
  const log = (): string => readFileSync(logFile, 'utf8');

  async function run(): Promise<void> {
    const output = openSync(logFile, 'a', 0o600);
    const { script, args = [], flags = [] } = nextAlone ?? service.command;
    nextAlone = null;
    const node = ['--disable-warning=ExperimentalWarning', ...flags, script, ...args];
    const own = (child = spawn(process.execPath, node, { env: environment, stdio: ['ignore', output, output, 'ipc'] }));
    closeSync(output);
    workers = [];
    own.on('exit', (code, signal) => onExit(own, code, signal));
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`${name} has not started within ${startedMsMax / 1_000} s:\n${log().slice(-3_000)}`)),
        startedMsMax,
      );
      own.on('message', (message: typeof startedMessage | WorkersMessage) => {
        if (message === startedMessage) {
          clearTimeout(late);
          resolve();
        } else if ('workers' in message) workers = message.workers;
      });
      own.once('exit', () => {
        clearTimeout(late);
        resolve();
      });
    });
  }

  function onExit(own: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void {
    if (own !== child || !wanted) return;
    if (signal !== 'SIGKILL')
      accidents.push(
        `${name} ended by itself (${signal ?? `code ${code}`}): ${log().trimEnd().split('\n').at(-1)?.slice(0, 500)}`,
      );
    void delay(restartMs)
      .then(() => (wanted && own === child ? run() : undefined))
      .catch((error: unknown) => accidents.push(String(error)));
    deaths++;
    for (const poll of waiting) poll();
  }

  const service: Service = {
    name,
    url: `http://127.0.0.1:${port}`,
    operationsUrl: `http://127.0.0.1:${operationsPort}`,
    get pids() {
      return child?.pid === undefined ? [] : [child.pid, ...workers];
    },
    get deaths() {
      return deaths;
    },
    accidents,
    command,
    log,
    async kill(next) {
      // It may just be about to be started again.
      while (wanted && (child === null || hasEnded(child))) await delay(20);
      const own = child;
      if (own === null || hasEnded(own)) return;
      // Only now: the start that was waited for must not take it.
      nextAlone = next ?? null;
      own.kill('SIGKILL');
      await once(own, 'exit');
    },
    died: (times) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(poll);
          reject(new Error(`${name} has died ${deaths} times and not ${times} within ${diedMsMax / 1_000} s`));
        }, diedMsMax);
        const poll = (): void => {
          if (deaths < times) return;
          clearTimeout(late);
          waiting.delete(poll);
          resolve();
        };
        waiting.add(poll);
        poll();
      }),
    async stop(signal = 'SIGTERM') {
      wanted = false;
      const own = child;
      if (own === null || hasEnded(own)) return { code: own?.exitCode ?? null, tookMs: 0 };
      const since = performance.now();
      const late = setTimeout(() => own.kill('SIGKILL'), stopMsMax);
      own.kill(signal);
      const [code] = (await once(own, 'exit')) as [number | null];
      clearTimeout(late);
      return { code, tookMs: performance.now() - since };
    },
    async start() {
      if (wanted) return;
      wanted = true;
      await run();
    },
    report: (message) => void child?.send(message),
  };
  return service;
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;
