/** Events that ClickHouse had at a moment. */
export interface Sample {
  /** Milliseconds since 1970. */
  atMs: number;
  stored: number;
}

interface Load {
  begunAtMs: number;
  eventsPerSecond: number;
  /** Length of the whole load. */
  seconds: number;
}

/** Normal freshness: below it no lag is left. */
const usualMs = 2_000;

/**
 * When everything was there again that had been due two seconds before, after a moment at which it was not: milliseconds
 * since 1970; null while it never was. Pure.
 */
export function caughtUpAtMs(samples: readonly Sample[], load: Load, afterMs: number): number | null {
  const dueBy = (atMs: number): number =>
    (Math.min(Math.max(0, atMs - load.begunAtMs), load.seconds * 1000) * load.eventsPerSecond) / 1000;
  return (
    samples.find(({ atMs, stored }) => atMs >= afterMs && stored >= Math.floor(dueBy(atMs - usualMs)))?.atMs ?? null
  );
}
