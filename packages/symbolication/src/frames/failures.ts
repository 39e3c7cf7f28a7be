/** Why a frame could not be resolved. */
export interface ResolveFailure {
  /** For people (contract/orgs-errors 5.3). */
  text: string;
  /** There is no map at all, so that the script may not be minified. */
  isMapMissing?: true;
}

/** All failures there are. */
export const failures = {
  noReference: { text: 'no source url or chunk id' },
  late: { text: 'symbols were not read in time' },
  notReadYet: { text: 'symbols of this kind are kept but not read yet' },
  otherKind: { text: 'symbols of this chunk id are of another kind' },
  invalidUrl: (url: string): ResolveFailure => ({ text: `source url invalid: ${url}` }),
  noMapForUrl: (url: string): ResolveFailure => ({ text: `no map found for url: ${url}`, isMapMissing: true }),
  noMapForChunk: (chunkId: string): ResolveFailure => ({ text: `no map uploaded for chunk id: ${chunkId}` }),
  methodNotFound: (className: string, method: string, line: number | undefined): ResolveFailure => ({
    text: `method not found: ${className}.${method}${line === undefined ? '' : `:${line}`}`,
  }),
  /** With the message of a `SymbolDataError`. */
  invalidData: (message: string): ResolveFailure => ({ text: message }),
  tokenNotFound: (name: string, line: number, column: number): ResolveFailure => ({
    text: `token not found at ${name}:${line}:${column}`,
  }),
} as const;
