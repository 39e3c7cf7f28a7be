import { insertMarginMs, overrideHoursMin } from '@millrace/contracts/limits.ts';

/**
 * The consumer squashes a person's override into events at this age at the earliest, and then nothing says any more that the events changed.
 * Overrides from before the last read by the margin must still be there.
 */
export const overridesMsMax = overrideHoursMin * 3_600_000 - insertMarginMs;

/** Milliseconds from the start of one whole build to that of the next, at most. */
export const wholeEveryMs = 86_400_000;

/** More changed buckets than these are not named one by one: their values would be too long for an address of ClickHouse. */
export const bucketsMax = 1_000;

/** More changed overrides than these are not looked up one by one. */
export const overridesMax = 10_000;
