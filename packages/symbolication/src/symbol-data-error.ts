/** The parts that symbols are read from. */
export type SymbolPart = 'container data' | 'map' | 'mapping' | 'index';

/** Bytes that cannot be read as symbols, or not within our limits. The message may be shown to the people of the project. */
export class SymbolDataError extends Error {
  override name = 'SymbolDataError';

  constructor(part: SymbolPart, reason: string) {
    super(`${part} invalid: ${reason}`);
  }
}
