import { captureReason } from '@millrace/contracts/capture-reasons.ts';
import type { DropReason } from '../events/event.ts';

/**
 * The error of an event, in a sentence for its sender; `written` is the field that they took for the missing one. Undefined when
 * the reason is no error of an event: it is stored as it came, its request is refused, or it is dropped in silence.
 */
export function errorSentence(reason: DropReason, written?: unknown): string | undefined {
  const { sentence, missingField } = captureReason(reason);
  if (sentence === undefined || missingField === undefined || typeof written !== 'string') return sentence;
  // A body with `events` was meant for a batch, and taken for one event.
  return `${sentence} Write "${written === 'events' ? 'batch' : missingField}" instead of "${written}".`;
}
