import type { FoundLetter } from './read-letters.ts';

/** Selects dead letters; a field that is not given does not matter. */
export interface LetterFilter {
  reason?: string | undefined;
  /** Project token of an event in it. */
  token?: string | undefined;
  /** Milliseconds since 1970: when it failed, from (inclusive) and to (exclusive). */
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
}

/** Pure. */
export function matches({ letter, entries }: FoundLetter, { reason, token, sinceMs, untilMs }: LetterFilter): boolean {
  const failedMs = Date.parse(letter.failedAt);
  if (reason !== undefined && letter.reason !== reason) return false;
  if (token !== undefined && !entries.some((entry) => entry.token === token)) return false;
  return failedMs >= (sinceMs ?? -Infinity) && failedMs < (untilMs ?? Infinity);
}
