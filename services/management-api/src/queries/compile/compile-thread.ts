import { AppError } from '@millrace/http/errors/errors.ts';
import type { CompiledQuery } from '@millrace/query-language/compile.ts';
import { createThreadPool, type PoolLimits } from '@millrace/runtime/threads/thread-pool.ts';
import type { QueryCheck } from './check-query.ts';
import {
  errorOf,
  type CheckTask,
  type CompileTask,
  type PreviewTask,
  type PrintTask,
  type ReadTask,
  type RewriteTask,
  type TableTask,
  type TaskOutcome,
} from './compile-task.ts';
import type { CompiledTable } from './compile-table.ts';
import type { MaterializationPreview } from './preview-materialization.ts';
import type { RewrittenQuery } from './rewrite-query.ts';

/** A thread that compiles large queries. The event loop is free meanwhile, and a failure ends only the thread. */
export interface CompileThread {
  check(task: CheckTask, organizationId: string): Promise<QueryCheck>;
  /**
   * @throws {AppError} the error of the task; query_too_large when it takes too long or too much memory; throttled when too many tasks of
   * the organization wait, unavailable when too many of all do
   */
  print(task: PrintTask, organizationId: string): Promise<CompiledQuery>;
  preview(task: PreviewTask, organizationId: string): Promise<MaterializationPreview>;
  rewrite(task: RewriteTask, organizationId: string): Promise<RewrittenQuery | null>;
  table(task: TableTask, organizationId: string): Promise<CompiledTable>;
  read(task: ReadTask, organizationId: string): Promise<CompiledQuery>;
  /** Ends the thread; waiting tasks fail. */
  close(): Promise<void>;
}

/** The budget bounds a task to about 50 milliseconds of CPU. */
const usual: PoolLimits = {
  threads: 1,
  taskMsMax: 10_000,
  heapMbMax: 192,
  youngHeapMbMax: 32,
  waitingMax: 200,
  waitingPerOwnerMax: 20,
  restFactor: 4,
};

/** `onEnded` gets the reason why a task was ended before it was done; the next one gets a new thread. */
export function createCompileThread(
  onEnded: (reason: 'time' | 'memory') => void,
  limits: Partial<PoolLimits> = {},
): CompileThread {
  const { waitingPerOwnerMax, ...others } = { ...usual, ...limits };
  const pool = createThreadPool<CompileTask, TaskOutcome>(
    {
      module: new URL('./compile-worker.ts', import.meta.url),
      full: (of) => (of === 'owner' ? tooManyOfOne(waitingPerOwnerMax) : tooManyOfAll()),
      ended(reason) {
        onEnded(reason);
        return new AppError('query_too_large', {
          detail: `Compiling the query takes too ${reason === 'time' ? 'long' : 'much memory'}. Make the query shorter, or use fewer values.`,
        });
      },
      closed: () => new AppError('unavailable'),
    },
    { ...others, waitingPerOwnerMax },
  );

  async function run<Result>(task: CompileTask, organizationId: string): Promise<Result> {
    const outcome = await pool.run(task, organizationId);
    if ('error' in outcome) throw errorOf(outcome.error);
    return outcome.result as Result;
  }

  return {
    check: (task, organizationId) => run(task, organizationId),
    print: (task, organizationId) => run(task, organizationId),
    preview: (task, organizationId) => run(task, organizationId),
    rewrite: (task, organizationId) => run(task, organizationId),
    table: (task, organizationId) => run(task, organizationId),
    read: (task, organizationId) => run(task, organizationId),
    close: () => pool.close(),
  };
}

function tooManyOfOne(max: number): AppError {
  return new AppError('throttled', {
    detail: `${max} large queries of this organization are already waiting to be compiled. Try again later.`,
    retryAfterS: 1,
  });
}

function tooManyOfAll(): AppError {
  return new AppError('unavailable', {
    detail: 'Too many large queries are waiting to be compiled. Try again shortly.',
    retryAfterS: 1,
  });
}
