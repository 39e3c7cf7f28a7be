import type { EventBatch } from './event-batch.ts';
import { uniqueStreamName } from '../stream/stream-name.ts';

/**
 * Counts what the rules dropped of the whole batch: the counts of a stream go by the last record whose hits are in them, so that a batch that
 * is done again counts nothing twice.
 */
export async function countHits({ batch, context, hits }: EventBatch): Promise<void> {
  const { exceptions, retry, logEpoch } = context;
  const stream = uniqueStreamName({ logEpoch, id: batch.stream });
  const last = batch.records.at(-1)?.offset ?? 0n;
  await retry('postgres', () => exceptions.hits.add(hits, { stream, last }));
}
