import { createThreadPool, type PoolLimits } from '@millrace/runtime/threads/thread-pool.ts';
import { UnreadableSymbolsError } from './unreadable-symbols-error.ts';

/**
 * A file was not compiled for a reason that may be ours: a fault, or too little time or memory on a busy machine. Its message is the reason that
 * frames show when that goes on.
 */
export class CompileFaultError extends Error {
  override name = 'CompileFaultError';
}

/** Compiles an uploaded file. @throws {UnreadableSymbolsError} for bad data @throws {CompileFaultError} @throws when the process ends */
export type CompileSymbols = (container: Uint8Array<ArrayBuffer>, projectId: number) => Promise<Uint8Array>;

export interface CompileTask {
  container: Uint8Array<ArrayBuffer>;
}
export type CompileOutcome = { compiled: Uint8Array<ArrayBuffer> } | { unreadable: string };

const limits: PoolLimits = {
  threads: 1,
  taskMsMax: 60_000,
  heapMbMax: 512,
  youngHeapMbMax: 64,
  idleMsMax: 30_000,
  waitingMax: 16,
  waitingPerOwnerMax: 16,
  restFactor: 0,
};

/**
 * A thread that compiles symbols, and is ended when it is idle, for it keeps what a large map took. The event loop is free meanwhile, and a file that
 * takes too much, or meets a fault of ours, ends only the thread. `onFault` gets such a fault. `module` is the thread's.
 */
export function createSymbolCompiler(
  onFault: (error: unknown) => void,
  module = new URL('./compile-worker.ts', import.meta.url),
): {
  compile: CompileSymbols;
  close(): Promise<void>;
} {
  const ending = new Error('the process is ending');
  const pool = createThreadPool<CompileTask, CompileOutcome>(
    {
      module,
      transferOf: ({ container }) => [container.buffer],
      full: () => new Error('too many symbols are waiting to be compiled'),
      ended: (reason) =>
        new CompileFaultError(`symbols take too ${reason === 'time' ? 'long' : 'much memory'} to read`),
      closed: () => ending,
    },
    limits,
  );
  function faultOf(error: unknown): never {
    if (error === ending) throw ending;
    if (error instanceof CompileFaultError) throw error;
    onFault(error);
    throw new CompileFaultError('symbols cannot be read: there was an unexpected fault', { cause: error });
  }

  return {
    async compile(container, projectId) {
      const outcome = await pool.run({ container }, String(projectId)).catch(faultOf);
      if ('unreadable' in outcome) throw new UnreadableSymbolsError(outcome.unreadable);
      return outcome.compiled;
    },
    close: () => pool.close(),
  };
}
