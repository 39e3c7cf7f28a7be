import { type SymbolReference, referenceOf } from '../frames/symbol-reference.ts';
import type { SentException } from './read-exceptions.ts';

/** References of all symbols that the frames of an event need, each once, so that they can be loaded first. Pure. */
export function referencesOf(exceptions: readonly SentException[]): SymbolReference[] {
  const references = new Map<string, SymbolReference>();
  for (const { frames } of exceptions)
    for (const frame of frames ?? []) {
      const reference = 'raw' in frame ? referenceOf(frame.raw) : null;
      if (reference === null || 'text' in reference) continue;
      references.set(JSON.stringify([reference.chunkId, reference.url]), reference);
    }
  return [...references.values()];
}
