import { setImmediate as nextTurn } from 'node:timers/promises';

/** What belongs to a body of up to so many bytes is done at once; for a larger one in parts, so that others are answered in between. */
export const atOnceBytesMax = 1_048_576;

/** About so many bytes are a part: a few milliseconds. */
export const partBytes = 524_288;

/** Does work that yields between its parts at once. */
export function atOnce<Result>(parts: Generator<void, Result>): Result {
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
  }
}

/** Does work that yields between its parts, each part in a turn of the event loop of its own. Rejects with what it throws. */
export async function inTurns<Result>(parts: Generator<void, Result>): Promise<Result> {
  for (;;) {
    await nextTurn();
    const part = parts.next();
    if (part.done === true) return part.value;
  }
}
