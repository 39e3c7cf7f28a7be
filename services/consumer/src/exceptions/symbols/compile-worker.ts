import { serveTasks } from '@millrace/runtime/threads/serve-tasks.ts';
import { readContainer } from '@millrace/symbolication/container/read-container.ts';
import { compileIndex } from '@millrace/symbolication/index/compile-index.ts';
import { SymbolDataError } from '@millrace/symbolication/symbol-data-error.ts';
import type { CompileTask, CompileOutcome } from './compile-symbols.ts';

// The thread of `compile-symbols.ts`.
serveTasks<CompileTask, CompileOutcome>(run, (outcome) => ('index' in outcome ? [outcome.index.buffer] : []));

function run({ container }: CompileTask): CompileOutcome {
  try {
    const read = readContainer(container);
    if (read.kind !== 'source map') return { unreadable: 'symbols of this kind are kept but not read yet' };
    return { index: new Uint8Array(compileIndex(read.script, read.map)) };
  } catch (error) {
    if (error instanceof SymbolDataError) return { unreadable: error.message };
    throw error;
  }
}
