import { isOfFormat } from '../index/column-file.ts';
import { openIndex, type SymbolIndex } from '../index/symbol-index.ts';
import { mappingFormat } from '../proguard/mapping-format.ts';
import { type MappingIndex, openMapping } from '../proguard/mapping-index.ts';

/** Symbols in their compiled form: of scripts and bytecode, or of Java. */
export type Symbols = SymbolIndex | MappingIndex;

/**
 * Opens what `compileSymbols` made, reading only its head. Keeps the bytes, which must not change.
 * @throws {SymbolDataError} for bytes of something else, of another version, or not all of them
 */
export const openSymbols = (bytes: Uint8Array): Symbols =>
  isOfFormat(bytes, mappingFormat) ? openMapping(bytes) : openIndex(bytes);
