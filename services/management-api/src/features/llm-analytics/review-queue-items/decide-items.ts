import { AppError } from '@millrace/http/errors/errors.ts';
import type { NewItem } from './review-queue-item.ts';

/** Rows of the project that decide about new items, as of one moment. */
export interface Surroundings {
  /** Ids of its queues. */
  queues: readonly string[];
  /** Traces with a live review. */
  reviewed: readonly string[];
  /** Traces of live items. */
  pending: readonly NewItem[];
}

/** The refusal of each new item, or null: it fits. Two of one trace: the first wins. Pure (contract/llm-surveys 2.2). */
export function decideItems(
  items: readonly NewItem[],
  { queues, reviewed, pending }: Surroundings,
): (AppError | null)[] {
  const [known, done] = [new Set(queues), new Set(reviewed)];
  const queueOf = new Map(pending.map(({ traceId, queueId }) => [traceId, queueId]));
  return items.map(({ queueId, traceId }) => {
    if (!known.has(queueId)) return unknownQueue();
    if (done.has(traceId)) return refusedTrace('This trace is already reviewed and cannot be added to a queue.');
    const taken = queueOf.get(traceId);
    if (taken !== undefined)
      return refusedTrace(`This trace is already pending in ${taken === queueId ? 'this' : 'another'} queue.`);
    queueOf.set(traceId, queueId);
    return null;
  });
}

/** Pure. */
export function unknownQueue(): AppError {
  return new AppError('invalid_input', { attr: 'queue_id', detail: 'Review queue not found.' });
}

const refusedTrace = (detail: string): AppError => new AppError('invalid_input', { attr: 'trace_id', detail });
