/** Start of the hash of a text; each byte of the text is mixed in by `mixIn`. Anybody can compute it: what a stranger may choose must not rest on it. */
export const emptyHash = 0x811c9dc5 | 0;

/** The hash of what was hashed so far and one byte more. */
export function mixIn(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

/** The hash of the bytes from `start` to before `end`. */
export function hashOf(bytes: Uint8Array, start: number, end: number, from = emptyHash): number {
  let hash = from;
  for (let at = start; at < end; at++) hash = mixIn(hash, bytes[at] as number);
  return hash;
}
