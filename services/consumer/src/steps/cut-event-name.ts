import { eventNameLengthMax } from '@millrace/contracts/limits.ts';
import { warn, type EventDraft } from '../event-draft.ts';
import { ok, type Outcome } from '../outcome.ts';

/** Keeps the first 200 code points of an event's name (contract/capture 1.9). */
export function cutEventName(draft: EventDraft): Outcome {
  const { event } = draft.head;
  if (event.length <= eventNameLengthMax) return ok;
  const points = Array.from(event);
  if (points.length <= eventNameLengthMax) return ok;
  draft.event = points.slice(0, eventNameLengthMax).join('');
  warn(draft, 'event_name_truncated', { event: draft.event, eventNameLength: points.length });
  return ok;
}
