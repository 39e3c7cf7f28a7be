import { excerpt, warn, type EventDraft } from '../events/event-draft.ts';
import { drop, ok, type Outcome } from '../events/outcome.ts';

/** Ends the way of what is no event: side channels, and a client's own warning, which becomes one of its project. */
export function divertSideChannels(draft: EventDraft): Outcome {
  const { sideChannel } = draft.eventKind;
  if (sideChannel === 'client_warning') {
    const message = draft.properties.get('$$client_ingestion_warning_message');
    warn(draft, 'client_ingestion_warning', { message: typeof message === 'string' ? excerpt(message) : '' });
  }
  return sideChannel === null ? ok : drop(sideChannel);
}
