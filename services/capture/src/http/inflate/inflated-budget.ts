import { startsLikeJson } from '../text-forms.ts';

/**
 * Decompressed bytes that any body may have. Inside a compressed body, content that does not begin like JSON, a form or
 * base64 may have no more.
 */
const oddBytesMax = 4_194_304;

/** Size above which a body counts as a bomb when its ratio exceeds `ratioMax`. */
const suspectBytes = 8_388_608;

/**
 * Deflate reaches 1,032. Brotli and zstd reach 1,100 with 600 events that share a text of 100 KB, the most repetitive
 * batch that is no test of load; a bomb of theirs a million.
 */
const ratioMax = 2_000;

/** Most bytes that one compressed body may expand to. */
export interface InflatedBudget {
  /** False when that is too much by now. `chunks` is all of it so far, and not empty. */
  allows(total: number, chunks: readonly Buffer[]): boolean;
}

/** A body that is refused anyway is refused early: going on to the limit would let some bytes of bomb take a slot for long. */
export function createBudget(compressedBytes: number, inflatedBytesMax: number): InflatedBudget {
  const jsonBytesMax = Math.min(inflatedBytesMax, Math.max(suspectBytes, ratioMax * compressedBytes));
  let most = Math.min(oddBytesMax, jsonBytesMax);
  return {
    allows(total, [first]) {
      if (total > most && first !== undefined && startsLikeJson(first)) most = jsonBytesMax;
      return total <= most;
    },
  };
}
