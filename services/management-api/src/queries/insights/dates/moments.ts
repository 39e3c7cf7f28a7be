import { utcText } from '@millrace/query-language/filters/zone-time.ts';

/** Milliseconds since 1970 of a moment, its microseconds cut off. A moment is UTC text as `utcText` writes it. */
export const msOf = (moment: string): number => Date.parse(`${moment.slice(0, 10)}T${moment.slice(11, 23)}Z`);

/** ISO 8601, in milliseconds. */
export const isoOf = (moment: string): string => new Date(msOf(moment)).toISOString();

/** Moment of whole milliseconds. */
export const momentAt = (ms: number): string => momentOfMicros(BigInt(ms) * 1_000n);

/** Last moment before `ms`. */
export const momentBefore = (ms: number): string => momentOfMicros(BigInt(ms) * 1_000n - 1n);

export const microsOf = (moment: string): bigint => BigInt(msOf(moment)) * 1_000n + BigInt(moment.slice(23, 26));

/** Moment of microseconds since 1970. */
export function momentOfMicros(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  return utcText(Number((micros - fraction) / 1_000n), String(fraction).padStart(6, '0'));
}
