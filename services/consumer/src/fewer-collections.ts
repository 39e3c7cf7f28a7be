import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 count the log's windows and the inserts' bodies as a part of the heap, and begin a full collection when all of it
 * has tripled. Otherwise every 64 MB outside the heap begin one, and a backlog turns over 60 MB with each batch: a
 * third of the consumer's CPU was in V8's threads, most of it marking (PERFORMANCE.md). To be called before anything else.
 */
export function collectLessOften(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  // Without it memory grew to 3 GB in a backlog of 400,000 events.
  setFlagsFromString('--heap-growing-percent=200');
}
