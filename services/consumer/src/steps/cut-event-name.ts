import { eventNameLengthMax } from '@millrace/contracts/limits.ts';
import { warn, type EventDraft } from '../events/event-draft.ts';
import { ok, type Outcome } from '../events/outcome.ts';

/** The name under which an event is stored: its first 200 code points (contract/capture 1.9). */
export function storedName(event: string): string {
  if (event.length <= eventNameLengthMax) return event;
  const points = Array.from(event);
  return points.length <= eventNameLengthMax ? event : points.slice(0, eventNameLengthMax).join('');
}

/** Cuts an event's name to what is stored of it, and leaves a warning. */
export function cutEventName(draft: EventDraft): Outcome {
  const { event } = draft.head;
  if (event.length <= eventNameLengthMax) return ok;
  const name = storedName(event);
  if (name === event) return ok;
  draft.event = name;
  warn(draft, 'event_name_truncated', { event: name, eventNameLength: Array.from(event).length });
  return ok;
}
