import { spawn, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { openBoundedLog, type BoundedLog } from './bounded-log.ts';
import { EngineStartError } from './engine-error.ts';

/** End of a process: by its exit code or by a signal. */
interface EngineExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running engine. It ends when the process that started it ends, however that happens (`kill -9` included). */
export interface EngineProcess {
  readonly name: string;
  readonly pid: number;
  /**
   * Stops it in good order, kills it after the deadline (default 8 s), resolves when it is gone. May be called again.
   */
  stop(deadlineMs?: number): Promise<void>;
  /** Resolves when the process is gone, wanted or not. Never rejects. */
  readonly exited: Promise<EngineExit>;
  /** The end of what it printed. */
  logTail(): string;
}

export interface SpawnEngineOptions {
  name: string;
  command: string;
  args: readonly string[];
  environment: Record<string, string | undefined>;
  cwd?: string;
  uid?: number | undefined;
  gid?: number | undefined;
  logFile?: string | undefined;
  /** The signal that stops the engine in good order. */
  stopSignal: NodeJS.Signals;
}

// How an engine learns that its starter is gone, however it went: a shell waits at the other end of a pipe.
// $1 is the signal; the rest the command. `$$` stays the process's own id in the background part, and `exec` keeps it.
// A line on descriptor 3 means "it ended by itself"; the end of the pipe means that the starter died.
const watcherScript = `
signal=$1; shift
(
  if read -r _ <&3; then exit 0; fi
  kill -s "$signal" $$ 2>/dev/null
  waited=0
  while [ $waited -lt 100 ] && kill -0 $$ 2>/dev/null; do sleep 0.1; waited=$((waited + 1)); done
  kill -s KILL $$ 2>/dev/null
) </dev/null >/dev/null 2>&1 &
exec "$@" 3<&-
`;

/**
 * Starts the process in a session of its own, so that Ctrl-C in a terminal reaches only its starter, who stops things in
 * order. What it prints goes to a bounded log.
 * @throws {EngineStartError} when the program cannot be started at all.
 */
export async function spawnEngine(options: SpawnEngineOptions): Promise<EngineProcess> {
  const log = openBoundedLog({ file: options.logFile });
  const child = spawnWithLifeline(options);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => {
      log.close();
      reject(new EngineStartError(options.name, `${options.command} could not be run.`, cause.message, { cause }));
    });
  });
  return watchProcess(options, child, log);
}

function spawnWithLifeline(options: SpawnEngineOptions): ChildProcess {
  const { command, args, stopSignal, uid, gid, cwd } = options;
  const common = {
    env: options.environment,
    detached: true,
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  };
  const script = ['-c', watcherScript, 'sh', stopSignal.replace('SIG', ''), command, ...args];
  return spawn('/bin/sh', script, { ...common, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
}

function watchProcess(options: SpawnEngineOptions, child: ChildProcess, log: BoundedLog): EngineProcess {
  const { name, stopSignal } = options;
  const lifeline = child.stdio[3] as Writable;
  // The other end may go first; `exited` reports that the engine ended.
  lifeline.on('error', (error) => log.append(`[lifeline: ${error.message}]\n`));
  child.stdout?.on('data', (chunk: Buffer) => log.append(chunk));
  child.stderr?.on('data', (chunk: Buffer) => log.append(chunk));
  child.on('error', (error) => log.append(`[${name}: ${error.message}]\n`));

  const exited = new Promise<EngineExit>((resolve) => {
    child.once('exit', (code, signal) => {
      lifeline.end('ended\n');
      resolve({ code, signal });
    });
  });
  child.once('close', () => log.close());

  async function stop(deadlineMs = 8_000): Promise<void> {
    child.kill(stopSignal);
    const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
    await exited;
    clearTimeout(timer);
  }
  return { name, pid: child.pid ?? -1, stop, exited, logTail: () => log.tail() };
}
