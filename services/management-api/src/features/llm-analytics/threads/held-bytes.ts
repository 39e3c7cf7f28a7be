/** Counts bytes that owners hold in memory. */
interface HeldBytes {
  /** False, and nothing is taken, when all owners, or this one, would hold more than they may. */
  take(owner: string, bytes: number): boolean;
  giveBack(owner: string, bytes: number): void;
}

/** Bounds in bytes: of all owners, and of each. */
export function createHeldBytes(bytesMax: number, perOwnerMax: number): HeldBytes {
  const held = new Map<string, number>();
  let all = 0;
  function add(owner: string, bytes: number): void {
    const own = (held.get(owner) ?? 0) + bytes;
    all += bytes;
    if (own > 0) held.set(owner, own);
    else held.delete(owner);
  }
  return {
    take(owner, bytes) {
      if (all + bytes > bytesMax || (held.get(owner) ?? 0) + bytes > perOwnerMax) return false;
      add(owner, bytes);
      return true;
    },
    giveBack: (owner, bytes) => add(owner, -bytes),
  };
}
