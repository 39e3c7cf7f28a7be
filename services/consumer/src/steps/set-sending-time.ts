import type { EventDraft } from '../events/event-draft.ts';
import { ok, type Outcome } from '../events/outcome.ts';

/**
 * `$sent_at`: when the client sent the request, by its own clock, is written into the properties (contract/capture 2.6); a
 * value of the client's own stays.
 */
export function setSendingTime(draft: EventDraft): Outcome {
  const { sentAt } = draft.head;
  if (sentAt !== undefined && !draft.properties.has('$sent_at')) draft.properties.replace('$sent_at', sentAt);
  return ok;
}
