/**
 * Milliseconds before the last read from which events count as new. `inserted_at` is the time at which an insert began, so its rows may be seen
 * later. The consumer gives an insert up after 30 seconds, and ClickHouse may finish it a little later still: this is ten times as much.
 */
export const overlapMs = 300_000;

/**
 * The consumer squashes a person's override into events an hour after it came at the earliest (`CONSUMER_FOLD_AGE_HOURS` is at least 1), and
 * then nothing says any more that the events changed. Those from before the last read by the overlap must still be there.
 */
export const overridesMsMax = 3_600_000 - overlapMs;

/** Milliseconds from the start of one whole build to that of the next, at most. */
export const wholeEveryMs = 86_400_000;

/** More changed buckets than these are not named one by one: their values would be too long for an address of ClickHouse. */
export const bucketsMax = 1_000;

/** More changed overrides than these are not looked up one by one. */
export const overridesMax = 10_000;
