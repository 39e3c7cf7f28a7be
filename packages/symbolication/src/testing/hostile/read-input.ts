// A process of its own, so that its memory can be measured: node read-input.ts <name of an input>
import { SymbolDataError } from '../../symbol-data-error.ts';
import { compileSymbols } from '../../symbols/compile-symbols.ts';
import { openSymbols } from '../../symbols/open-symbols.ts';
import { symbolInputs } from './symbol-inputs.ts';

/** Compiles a file and looks something up in it: the reason when it is refused, else the name that it leads to. */
function readInput(container: Buffer): string {
  try {
    const compiled = compileSymbols(container);
    if (compiled === null) return 'not read';
    const symbols = openSymbols(compiled);
    if ('classOf' in symbols) return `${symbols.classOf('a')} ${symbols.lookUp('a', 'b', 1).length}`;
    return JSON.stringify(symbols.lookUp(0, 0));
  } catch (error) {
    if (error instanceof SymbolDataError) return error.message;
    throw error;
  }
}

const container = symbolInputs[process.argv[2] ?? '']?.() ?? Buffer.alloc(0);
const before = process.cpuUsage();
const answer = readInput(container);
const { user, system } = process.cpuUsage(before);
const { maxRSS } = process.resourceUsage();
process.stdout.write(JSON.stringify({ answer, cpuMs: (user + system) / 1_000, memoryMb: maxRSS / 1_024 }));
