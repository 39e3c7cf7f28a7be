import { Worker } from 'node:worker_threads';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { CompiledQuery } from '@millrace/query-language/compile.ts';
import { isOutOfMemory } from '@millrace/runtime/is-out-of-memory.ts';
import type { QueryCheck } from './check-query.ts';
import {
  errorOf,
  threadStarted,
  type CheckTask,
  type CompileTask,
  type PreviewTask,
  type PrintTask,
  type ReadTask,
  type RewriteTask,
  type TableTask,
  type TaskOutcome,
  type TaskResult,
} from './compile-task.ts';
import type { CompiledTable } from './compile-table.ts';
import { FairQueue } from './fair-queue.ts';
import type { MaterializationPreview } from './preview-materialization.ts';
import type { RewrittenQuery } from './rewrite-query.ts';

/** A thread that compiles large queries. The event loop is free meanwhile, and a failure ends only the thread. */
export interface CompileThread {
  check(task: CheckTask, organizationId: string): Promise<QueryCheck>;
  /** @throws {AppError} the error of the task; query_too_large when it takes too long or too much memory; throttled */
  print(task: PrintTask, organizationId: string): Promise<CompiledQuery>;
  preview(task: PreviewTask, organizationId: string): Promise<MaterializationPreview>;
  rewrite(task: RewriteTask, organizationId: string): Promise<RewrittenQuery | null>;
  table(task: TableTask, organizationId: string): Promise<CompiledTable>;
  read(task: ReadTask, organizationId: string): Promise<CompiledQuery>;
  /** Ends the thread; waiting tasks fail. */
  close(): Promise<void>;
}

interface Limits {
  /** Longest task, in milliseconds of the clock. The budget bounds a task to about 50 milliseconds of CPU. */
  taskMsMax: number;
  /** Heap of the thread in megabytes. */
  heapMbMax: number;
  /** Most tasks of one organization that wait, all its projects together. */
  waitingPerOrganizationMax: number;
  /** An organization rests so many times as long as its last task took: with 4 it has the thread a fifth of the time at most. */
  restFactor: number;
}

interface Job {
  task: CompileTask;
  organizationId: string;
  resolve: (result: TaskResult) => void;
  reject: (error: unknown) => void;
}

/** Longest start of a thread, in milliseconds: one that does not start is given up. */
const startMsMax = 30_000;

const usual: Limits = { taskMsMax: 10_000, heapMbMax: 192, waitingPerOrganizationMax: 20, restFactor: 4 };

/**
 * The thread begins with the first task, which takes some 0.3 s, and stays. Organizations take turns, and none has more than its
 * share of the processor. `onEnded` gets the reason why a task was ended before it was done; the next one gets a new thread.
 */
export function createCompileThread(
  onEnded: (reason: 'time' | 'memory') => void,
  { taskMsMax, heapMbMax, waitingPerOrganizationMax, restFactor } = usual,
): CompileThread {
  const waiting = new FairQueue<Job>();
  let worker: Worker | undefined;
  let running: { job: Job; timer: NodeJS.Timeout; begunMs: number } | undefined;
  let isClosed = false;

  function start(): Worker {
    const made = new Worker(new URL('./compile-worker.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax, maxYoungGenerationSizeMb: 32 },
    });
    made.on('message', (outcome: TaskOutcome | typeof threadStarted) => {
      // An ended thread may have returned a result before its end: its job has failed already, and another job runs
      // now.
      if (worker !== made) return;
      // The start is no time of the first task: on a busy machine that would be too long, and its organization would rest for it.
      if (outcome === threadStarted) return running && begin(running.job, taskMsMax);
      settle((job) => ('result' in outcome ? job.resolve(outcome.result) : job.reject(errorOf(outcome.error))));
    });
    made.on('error', (error) => {
      if (worker !== made) return;
      worker = undefined;
      settle((job) => job.reject(isOutOfMemory(error) ? ended('memory') : error));
    });
    return made;
  }

  function ended(reason: 'time' | 'memory'): AppError {
    onEnded(reason);
    return new AppError('query_too_large', {
      detail: `Compiling the query takes too ${reason === 'time' ? 'long' : 'much memory'}. Make the query shorter, or use fewer values.`,
    });
  }

  function settle(how: (job: Job) => void): void {
    if (running === undefined) return;
    const { job, timer, begunMs } = running;
    clearTimeout(timer);
    running = undefined;
    rest(job.organizationId, restFactor * (performance.now() - begunMs));
    how(job);
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

  function next(): void {
    if (running !== undefined) return;
    const job = waiting.take();
    if (job === undefined) {
      worker?.unref();
      return;
    }
    begin(job, worker === undefined ? startMsMax : taskMsMax);
    worker ??= start();
    worker.ref();
    worker.postMessage(job.task);
  }

  function begin(job: Job, msMax: number): void {
    clearTimeout(running?.timer);
    running = { job, timer: setTimeout(stop, msMax), begunMs: performance.now() };
  }

  function stop(): void {
    void worker?.terminate();
    worker = undefined;
    settle((job) => job.reject(ended('time')));
  }

  function run<Result>(task: CompileTask, organizationId: string): Promise<Result> {
    if (isClosed) throw new AppError('unavailable');
    if (waiting.waitingOf(organizationId) >= waitingPerOrganizationMax)
      throw new AppError('throttled', {
        detail: `${waitingPerOrganizationMax} large queries of this organization are already waiting to be compiled. Try again later.`,
        retryAfterS: 1,
      });
    return new Promise((resolve, reject) => {
      waiting.add(organizationId, { task, organizationId, resolve: (result) => resolve(result as Result), reject });
      next();
    });
  }

  return {
    check: async (task, organizationId) => await run<QueryCheck>(task, organizationId),
    print: async (task, organizationId) => await run<CompiledQuery>(task, organizationId),
    preview: async (task, organizationId) => await run<MaterializationPreview>(task, organizationId),
    rewrite: async (task, organizationId) => await run<RewrittenQuery | null>(task, organizationId),
    table: async (task, organizationId) => await run<CompiledTable>(task, organizationId),
    read: async (task, organizationId) => await run<CompiledQuery>(task, organizationId),
    async close() {
      isClosed = true;
      const last = worker;
      worker = undefined;
      for (const job of waiting.takeAll()) job.reject(new AppError('unavailable'));
      settle((job) => job.reject(new AppError('unavailable')));
      await last?.terminate();
    },
  };
}
