/** A byte for each level of nesting; there is none yet. */
export const noLevels = new Uint8Array(0);

/** The same levels, with capacity for `depth` and as much again. */
export function withCapacityFor(depth: number, levels: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(64, 2 * depth));
  larger.set(levels);
  return larger;
}
