import { FairQueue } from './fair-queue.ts';
import { createTaskThread, TaskEndedError, type TaskThread, type ThreadLimits } from './task-thread.ts';

/** Threads for work that would hold the event loop up. A failure ends only one thread. */
export interface ThreadPool<Task, Outcome> {
  /**
   * The outcome of a task as its thread sends it. Owners of tasks take turns: organizations, or projects.
   * @param signal takes a task away that waits, which then fails with its reason; one that runs goes on
   * @throws {Error} `full` and `ended`; `closed` once the pool is
   */
  run(task: Task, owner: string, signal?: AbortSignal): Promise<Outcome>;
  /** Takes a place among the tasks that wait, for a task that is still to be made. @throws {Error} `full`; `closed` once the pool is */
  reserve(owner: string): Place<Task, Outcome>;
  /** Ends the threads; tasks that wait or run fail. */
  close(): Promise<void>;
}

/** A place of one task. */
interface Place<Task, Outcome> {
  /** As `ThreadPool.run`, once; never refused as `full`. */
  run(task: Task, signal?: AbortSignal): Promise<Outcome>;
  /** Gives the place back when no task took it. */
  free(): void;
}

export interface PoolLimits extends ThreadLimits {
  threads: number;
  /** Most tasks that wait, reserved places included, and most of them of one owner. */
  waitingMax: number;
  waitingPerOwnerMax: number;
  /** An owner rests so many times as long as its last task took: with 4 it has a thread a fifth of the time at most. 0: never. */
  restFactor: number;
}

interface Kind<Task> {
  /** Module of the threads, which calls `serveTasks`. */
  module: URL;
  /** Buffers of a task that are handed over. */
  transferOf?: (task: Task) => ArrayBuffer[];
  /** Error of a task that may not wait. */
  full: (of: 'owner' | 'all') => Error;
  /** Error of a task that was ended before it was done. */
  ended: (reason: TaskEndedError['reason']) => Error;
  /** Error of a task whose pool is closed. */
  closed: () => Error;
}

interface Job<Task, Outcome> {
  task: Task;
  owner: string;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
  /** Called when the task begins. */
  begin: () => void;
}

/** Threads begin with their first tasks, and stay. */
export function createThreadPool<Task, Outcome>(
  { module, transferOf = () => [], full, ended, closed }: Kind<Task>,
  limits: PoolLimits,
): ThreadPool<Task, Outcome> {
  const { waitingMax, waitingPerOwnerMax, restFactor } = limits;
  const threads = Array.from({ length: limits.threads }, () => createTaskThread(module, limits));
  const idle = threads.toReversed();
  const waiting = new FairQueue<Job<Task, Outcome>>();
  let isClosed = false;

  function next(): void {
    for (let thread = idle.at(-1); thread !== undefined; thread = idle.at(-1)) {
      const job = waiting.take();
      if (job === undefined) return;
      idle.pop();
      void runIn(thread, job);
    }
  }

  async function runIn(thread: TaskThread, { task, owner, resolve, reject, begin }: Job<Task, Outcome>) {
    begin();
    try {
      resolve((await thread.run(task, transferOf(task))) as Outcome);
    } catch (error) {
      reject(error instanceof TaskEndedError ? ended(error.reason) : error);
    }
    idle.push(thread);
    if (restFactor > 0) rest(owner, restFactor * thread.busyMs);
    next();
  }

  function rest(owner: string, ms: number): void {
    waiting.pause(owner);
    const timer = setTimeout(() => {
      waiting.resume(owner);
      next();
    }, ms);
    timer.unref();
  }

  function reserve(owner: string): Place<Task, Outcome> {
    if (isClosed) throw closed();
    if (waiting.waitingOf(owner) >= waitingPerOwnerMax) throw full('owner');
    if (waiting.length >= waitingMax) throw full('all');
    waiting.reserve(owner);
    let isFree = false;
    const free = (): void => {
      if (!isFree) waiting.giveBack(owner);
      isFree = true;
    };
    return {
      async run(task, signal) {
        free();
        if (isClosed) throw closed();
        signal?.throwIfAborted();
        return await enter(task, owner, signal);
      },
      free,
    };
  }

  function enter(task: Task, owner: string, signal: AbortSignal | undefined): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        if (waiting.remove(owner, job)) reject(signal?.reason as Error);
      };
      const begin = (): void => signal?.removeEventListener('abort', leave);
      const job = { task, owner, resolve, reject, begin };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.add(owner, job);
      next();
    });
  }

  return {
    async run(task, owner, signal) {
      signal?.throwIfAborted();
      return await reserve(owner).run(task, signal);
    },
    reserve,
    async close() {
      isClosed = true;
      const error = closed();
      for (const { reject } of waiting.takeAll()) reject(error);
      await Promise.all(threads.map((thread) => thread.close(error)));
    },
  };
}
