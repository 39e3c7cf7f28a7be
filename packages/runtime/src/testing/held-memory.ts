import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/**
 * `process.memoryUsage()` (bytes) after a full collection: what is held, and nothing that waits to be collected, so that
 * a test of memory says the same whatever ran before it.
 */
export function heldMemory(): NodeJS.MemoryUsage {
  if (collect === undefined) {
    // Contexts made from here on have `gc`; the process itself was started without.
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
  return process.memoryUsage();
}
