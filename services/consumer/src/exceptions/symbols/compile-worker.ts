import { serveTasks } from '@millrace/runtime/threads/serve-tasks.ts';
import { failures } from '@millrace/symbolication/frames/failures.ts';
import { SymbolDataError } from '@millrace/symbolication/symbol-data-error.ts';
import { compileSymbols } from '@millrace/symbolication/symbols/compile-symbols.ts';
import type { CompileTask, CompileOutcome } from './symbol-compiler.ts';

// The thread of `symbol-compiler.ts`.
serveTasks<CompileTask, CompileOutcome>(run, (outcome) => ('compiled' in outcome ? [outcome.compiled.buffer] : []));

function run({ container }: CompileTask): CompileOutcome {
  try {
    const compiled = compileSymbols(container);
    return compiled === null ? { unreadable: failures.notReadYet.text } : { compiled: new Uint8Array(compiled) };
  } catch (error) {
    if (error instanceof SymbolDataError) return { unreadable: error.message };
    throw error;
  }
}
