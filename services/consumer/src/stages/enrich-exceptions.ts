import type { EventBatch } from './event-batch.ts';
import { cleanJson } from '@millrace/json/clean-json.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { StreamStoppedError } from '../stream/retry.ts';
import type { Enrichment } from './enrichment.ts';

/**
 * Completes the exceptions of a batch, several at a time. Other streams have the slot meanwhile: however long it takes, it holds up its
 * own stream alone, and batches with an event that this one is about to store.
 * @throws {StreamStoppedError} when the stream must be left: its next owner does the batch again.
 */
export async function enrichExceptions({ batch, context }: EventBatch, drafts: readonly EventDraft[]): Promise<void> {
  const { enrichment } = context;
  if (enrichment === null || drafts.length === 0) return;
  await batch.withoutSlot(async () => {
    const signal = AbortSignal.any([batch.signal, AbortSignal.timeout(enrichment.deadlineMs)]);
    await Promise.all(drafts.map((draft) => enrichOne(draft, enrichment, signal, batch.signal)));
    if (batch.signal.aborted) throw new StreamStoppedError('the stream was given up');
  });
}

async function enrichOne(
  draft: EventDraft,
  { enrich, limit, onEnd }: Enrichment,
  signal: AbortSignal,
  left: AbortSignal,
): Promise<void> {
  const { end, headStart } = draft.position;
  const outcome = await limit.run(end - headStart, signal, async () => {
    try {
      // As JSON first: a value that cannot be written ends it before any of them is in the event.
      const found = cleanJson(JSON.parse(JSON.stringify(await endsBy(signal, () => enrich(draft, signal))))) as object;
      for (const [name, value] of Object.entries(found)) draft.properties.replace(name, value);
      return 'enriched';
    } catch (error) {
      if (signal.aborted) return 'late';
      onEnd('failed', error);
      return 'failed';
    }
  });
  // The next owner of a stream that is left completes them again.
  if (outcome !== 'failed' && !left.aborted) onEnd(outcome ?? 'late');
}

/** The work's result, if it comes before `signal` aborts. */
async function endsBy<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted(); // it is not reported again
  const late = Promise.withResolvers<never>();
  const abort = (): void => late.reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work(), late.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
