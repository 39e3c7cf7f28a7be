/** A file that cannot be read as symbols, or not within our limits. Its message is the reason that frames show. */
export class UnreadableSymbolsError extends Error {
  override name = 'UnreadableSymbolsError';
}
