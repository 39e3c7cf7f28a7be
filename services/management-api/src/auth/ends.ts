/** Is what ends then worth nothing any more? Null: it never ends. Pure. */
export function hasEnded({ expiresAtMs }: { expiresAtMs: number | null }, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}

/** The end of a key that what it makes would outlive, which is not allowed; undefined: it would not. Null: it never ends. Pure. */
export function outlivedEnd(maker: Date | null, made: Date | null): Date | undefined {
  return maker !== null && (made === null || made > maker) ? maker : undefined;
}
