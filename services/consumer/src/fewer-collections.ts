import { collectWhenGrownBy } from '@millrace/runtime/process/full-collections.ts';

/**
 * Lets V8 begin a full collection when the heap, the log's windows and the inserts' bodies have tripled. A backlog turns over
 * 60 MB with each batch: a third of the consumer's CPU was in V8's threads, most of it marking (docs/performance.md#consumer). To be
 * called before anything else.
 */
export function collectLessOften(): void {
  // Were it not for the Buffers that count, memory would grow to 3 GB in a backlog of 400,000 events.
  collectWhenGrownBy(200);
}
