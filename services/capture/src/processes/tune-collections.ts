import { setFlagsFromString } from 'node:v8';
import { collectWhenGrownBy } from '@millrace/runtime/process/full-collections.ts';

/**
 * Sets up V8's garbage collector for requests that wait for the log (figures in docs/performance.md#capture). To be called before anything else.
 */
export function tuneCollections(): void {
  // V8 watches whether what is made in one place lives long, and then makes it in the old generation at once. A request that
  // waits for the log looks so to it when the first full collection comes at a bad moment. From then on each request has an
  // old part, which keeps its young parts until the next full collection, for the life of the process.
  setFlagsFromString('--no-allocation-site-pretenuring');
  // zlib alone turns over 64 MB with 100 to 800 bodies.
  collectWhenGrownBy(60);
  // A young collection copies 2 MB at most: less than what it costs to wake other threads for it.
  setFlagsFromString('--no-parallel-scavenge');
}
