import { Worker } from 'node:worker_threads';
import { isOutOfMemory } from '@millrace/runtime/is-out-of-memory.ts';
import { threadStarted } from './serve-tasks.ts';

/** One thread. It begins with its first task, which takes some 0.3 s, and stays unless limits end it; one that has ended is followed by another. */
export interface TaskThread {
  /**
   * The outcome of a task, one at a time.
   * @throws {TaskEndedError} when the task takes too long or too much memory
   * @throws what the thread throws, which ends it, and what a message refuses
   */
  run(task: unknown, transfer: readonly ArrayBuffer[]): Promise<unknown>;
  /** Milliseconds of the last task, without the start of the thread. */
  readonly busyMs: number;
  /** Ends the thread. A task that runs ends with this error. */
  close(error: Error): Promise<void>;
}

/** Bounds of one thread. */
export interface ThreadLimits {
  /** Longest task, in milliseconds of the clock, from when the thread has started. */
  taskMsMax: number;
  /** Heap of the thread in megabytes, and the part of it for new objects. */
  heapMbMax: number;
  youngHeapMbMax: number;
  /** Milliseconds without a task after which a thread ends, and gives its memory back. Default: never. */
  idleMsMax?: number;
}

/** A task was ended before it was done, and its thread with it. */
export class TaskEndedError extends Error {
  override name = 'TaskEndedError';
  readonly reason: 'time' | 'memory';
  constructor(reason: 'time' | 'memory') {
    super(`the task took too ${reason === 'time' ? 'long' : 'much memory'}`);
    this.reason = reason;
  }
}

/** Longest start of a thread, in milliseconds: one that does not start is given up. */
const startMsMax = 30_000;

interface Running {
  resolve: (outcome: unknown) => void;
  reject: (error: unknown) => void;
  timer: NodeJS.Timeout;
  begunMs: number;
}

/** A thread that runs a module, which calls `serveTasks`. */
export function createTaskThread(
  module: URL,
  { taskMsMax, heapMbMax, youngHeapMbMax, idleMsMax }: ThreadLimits,
): TaskThread {
  let worker: Worker | undefined;
  let running: Running | undefined;
  let idle: NodeJS.Timeout | undefined;
  let busyMs = 0;

  function start(): Worker {
    const made = new Worker(module, {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax, maxYoungGenerationSizeMb: youngHeapMbMax },
    });
    // A thread that was ended may have sent an outcome before its end: its task has failed already, and another may run in the next thread.
    const isOver = (): boolean => worker !== made;
    const end = (error: unknown): void => {
      if (isOver()) return;
      worker = undefined;
      settle(({ reject }) => reject(error));
    };
    made.on('message', (message) => {
      if (isOver()) return;
      // The start is no time of the first task: on a busy machine that would be too long.
      if (message === threadStarted) restartTimer();
      else settle(({ resolve }) => resolve(message));
    });
    made.on('messageerror', (error) => {
      end(error);
      void made.terminate();
    });
    made.on('error', (error) => end(isOutOfMemory(error) ? new TaskEndedError('memory') : error));
    made.on('exit', (code) => end(new Error(`the thread ended by itself, with ${code}`)));
    return made;
  }

  function settle(how: (task: Running) => void): void {
    if (running === undefined) return;
    const task = running;
    clearTimeout(task.timer);
    running = undefined;
    busyMs = performance.now() - task.begunMs;
    worker?.unref();
    if (idleMsMax !== undefined) idle = setTimeout(() => void stop(new Error('idle')), idleMsMax).unref();
    how(task);
  }

  function restartTimer(): void {
    if (running === undefined) return;
    clearTimeout(running.timer);
    running = { ...running, timer: timerOf(taskMsMax), begunMs: performance.now() };
  }

  function timerOf(ms: number): NodeJS.Timeout {
    return setTimeout(() => void stop(new TaskEndedError('time')), ms);
  }

  function stop(error: Error): Promise<unknown> | undefined {
    clearTimeout(idle);
    const last = worker;
    worker = undefined;
    const ended = last?.terminate();
    settle(({ reject }) => reject(error));
    return ended;
  }

  return {
    run: (task, transfer) =>
      new Promise((resolve, reject) => {
        clearTimeout(idle);
        const msMax = worker === undefined ? startMsMax : taskMsMax;
        worker ??= start();
        worker.ref();
        worker.postMessage(task, transfer);
        running = { resolve, reject, timer: timerOf(msMax), begunMs: performance.now() };
      }),
    get busyMs() {
      return busyMs;
    },
    async close(error) {
      await stop(error);
    },
  };
}
