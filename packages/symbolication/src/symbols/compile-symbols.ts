import { readContainer } from '../container/read-container.ts';
import { compileHermes } from '../hermes/compile-hermes.ts';
import { compileIndex } from '../index/compile-index.ts';
import { compileMapping } from '../proguard/compile-mapping.ts';

/**
 * Compiles an uploaded file, for `openSymbols`; null for kinds that are kept but not read yet: dSYM and ELF. Takes seconds and
 * some 100 bytes of memory for each segment of a map, so it belongs into a thread of its own with limited memory. Pure.
 * @throws {SymbolDataError}
 */
export function compileSymbols(container: Uint8Array): Buffer | null {
  const read = readContainer(container);
  switch (read.kind) {
    case 'source map':
      return compileIndex(read.script, read.map);
    case 'Hermes map':
      return compileHermes(read.text);
    case 'ProGuard mapping':
      return compileMapping(read.text);
    default:
      return null;
  }
}
