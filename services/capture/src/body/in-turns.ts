import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * A body of up to this many bytes is worked on without a break; a larger one in parts, so that other requests are
 * served in between.
 */
export const atOnceBytesMax = 1_048_576;

/** A part is the work on about this many bytes: a few milliseconds. */
export const partBytes = 524_288;

/** Runs work that yields between its parts, without a break. */
export function atOnce<Result>(parts: Generator<void, Result>): Result {
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
  }
}

/** Runs work that yields between its parts, each part in its own turn of the event loop. Rejects with the work's error. */
export async function inTurns<Result>(parts: Generator<void, Result>): Promise<Result> {
  for (;;) {
    await nextTurn();
    const part = parts.next();
    if (part.done === true) return part.value;
  }
}
