import { failures, type ResolveFailure } from './failures.ts';
import { platformOf } from './platforms.ts';
import type { RawFrame } from './raw-frame.ts';

/** By which names the symbols of a frame are looked for in its project: the chunk id first, then the URL. */
export interface SymbolReference {
  chunkId: string | undefined;
  /** Absolute, of http or https. */
  url: string | undefined;
}

/** Line and column that some SDKs leave behind the URL. */
const trailingPlace = /(?::\d{1,10}){1,2}$/;

/**
 * Reference of a frame that is resolved by a map. Null for a frame that needs none: other platforms, and frames without line or
 * column, which are not minified. A failure for one that needs a map and names none. Pure.
 */
export function referenceOf(frame: RawFrame): SymbolReference | ResolveFailure | null {
  const { byMap } = platformOf(frame.platform);
  const { chunkId, filename } = frame;
  if (byMap === 'never' || (byMap === 'with chunk id' && chunkId === undefined)) return null;
  // A browser's frame may not call itself resolved (contract/decisions 126).
  if (frame.isClientResolved && byMap !== 'always') return null;
  if (frame.line === undefined || frame.column === undefined) return null;
  const url = filename === undefined ? undefined : scriptUrl(filename);
  if (chunkId !== undefined || url !== undefined) return { chunkId, url: url?.href };
  return filename === undefined ? failures.noReference : failures.invalidUrl(filename);
}

/** URL of a script, without line and column behind it; undefined for other schemes and relative names. Pure. */
export function scriptUrl(filename: string): URL | undefined {
  const url = URL.parse(filename.replace(trailingPlace, ''));
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}
