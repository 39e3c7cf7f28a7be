import { AppError } from '@millrace/http/errors/errors.ts';
import { FairQueue } from './fair-queue.ts';
import { createTaskThread, TaskEndedError, type TaskThread, type ThreadLimits } from './task-thread.ts';

/** Threads for work that would hold the event loop up. A failure ends only one thread. */
export interface ThreadPool<Task, Outcome> {
  /**
   * The outcome of a task as its thread sends it. Organizations take turns.
   * @param signal takes a task away that waits, which then fails with its reason; one that runs goes on
   * @throws {AppError} `full`, `ended`; unavailable when the pool is closed
   */
  run(task: Task, organizationId: string, signal?: AbortSignal): Promise<Outcome>;
  /** Takes a place among the tasks that wait, for a task that is still to be made. @throws {AppError} `full`; unavailable when the pool is closed */
  reserve(organizationId: string): Place<Task, Outcome>;
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
  /** Most tasks that wait, reserved places included, and most of them of one organization, all its projects together. */
  waitingMax: number;
  waitingPerOrganizationMax: number;
  /** An organization rests so many times as long as its last task took: with 4 it has a thread a fifth of the time at most. 0: never. */
  restFactor: number;
}

interface Kind<Task> {
  /** Module of the threads, which calls `serveTasks`. */
  module: URL;
  /** Buffers of a task that are handed over. */
  transferOf?: (task: Task) => ArrayBuffer[];
  /** Error of a task that may not wait. */
  full: (of: 'organization' | 'all') => AppError;
  /** Error of a task that was ended before it was done. */
  ended: (reason: TaskEndedError['reason']) => AppError;
}

interface Job<Task, Outcome> {
  task: Task;
  organizationId: string;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
  /** Called when the task begins. */
  begin: () => void;
}

/** Threads begin with their first tasks, and stay. */
export function createThreadPool<Task, Outcome>(
  { module, transferOf = () => [], full, ended }: Kind<Task>,
  limits: PoolLimits,
): ThreadPool<Task, Outcome> {
  const { waitingMax, waitingPerOrganizationMax, restFactor } = limits;
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

  async function runIn(thread: TaskThread, { task, organizationId, resolve, reject, begin }: Job<Task, Outcome>) {
    begin();
    try {
      resolve((await thread.run(task, transferOf(task))) as Outcome);
    } catch (error) {
      reject(error instanceof TaskEndedError ? ended(error.reason) : error);
    }
    idle.push(thread);
    if (restFactor > 0) rest(organizationId, restFactor * thread.busyMs);
    next();
  }

  function rest(organizationId: string, ms: number): void {
    waiting.pause(organizationId);
    const timer = setTimeout(() => {
      waiting.resume(organizationId);
      next();
    }, ms);
    timer.unref();
  }

  function reserve(organizationId: string): Place<Task, Outcome> {
    if (isClosed) throw new AppError('unavailable');
    if (waiting.waitingOf(organizationId) >= waitingPerOrganizationMax) throw full('organization');
    if (waiting.length >= waitingMax) throw full('all');
    waiting.reserve(organizationId);
    let isFree = false;
    const free = (): void => {
      if (!isFree) waiting.giveBack(organizationId);
      isFree = true;
    };
    return {
      async run(task, signal) {
        free();
        if (isClosed) throw new AppError('unavailable');
        signal?.throwIfAborted();
        return await enter(task, organizationId, signal);
      },
      free,
    };
  }

  function enter(task: Task, organizationId: string, signal: AbortSignal | undefined): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        if (waiting.remove(organizationId, job)) reject(signal?.reason as Error);
      };
      const begin = (): void => signal?.removeEventListener('abort', leave);
      const job = { task, organizationId, resolve, reject, begin };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.add(organizationId, job);
      next();
    });
  }

  return {
    async run(task, organizationId, signal) {
      signal?.throwIfAborted();
      return await reserve(organizationId).run(task, signal);
    },
    reserve,
    async close() {
      isClosed = true;
      const error = new AppError('unavailable');
      for (const { reject } of waiting.takeAll()) reject(error);
      await Promise.all(threads.map((thread) => thread.close(error)));
    },
  };
}
