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

/** Bytes of a reference of a symbol set (contract/decisions 106). */
const referenceBytesMax = 2_048;

/**
 * Reference of a frame that is resolved by symbols. Null for a frame that needs none: other platforms, frames without line or
 * column, which are not minified, and Java that is not obfuscated. A failure for one that needs symbols and names none. Pure.
 */
export function referenceOf(frame: RawFrame): SymbolReference | ResolveFailure | null {
  const { symbols } = platformOf(frame.platform);
  // A browser's frame may not call itself resolved (contract/decisions 126).
  if (symbols === 'none' || (frame.isClientResolved && symbols !== 'source map')) return null;
  const chunkId = frame.chunkId === undefined ? undefined : withinBytes(frame.chunkId);
  if (symbols === 'ProGuard mapping') return chunkId === undefined ? null : { chunkId, url: undefined };
  if (frame.column === undefined) return null;
  if (symbols === 'Hermes map') return chunkId === undefined ? failures.noReference : { chunkId, url: undefined };
  if (frame.line === undefined || (symbols === 'source map by chunk id' && chunkId === undefined)) return null;
  return referenceOfScript(chunkId, frame.filename);
}

function referenceOfScript(chunkId: string | undefined, filename: string | undefined) {
  const url = filename === undefined ? undefined : scriptUrl(filename);
  if (chunkId !== undefined || url !== undefined) return { chunkId, url: url && withinBytes(url.href) };
  return filename === undefined ? failures.noReference : failures.invalidUrl(filename);
}

/** A longer reference is cut, and finds nothing: no upload has one that ends as these do. */
function withinBytes(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= referenceBytesMax) return text;
  const marker = '…';
  let end = referenceBytesMax - Buffer.byteLength(marker);
  // No character is cut in two.
  while (((bytes[end] as number) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end) + marker;
}

/** URL of a script, without line and column behind it; undefined for other schemes and relative names. Pure. */
export function scriptUrl(filename: string): URL | undefined {
  const url = URL.parse(filename.replace(trailingPlace, ''));
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}
