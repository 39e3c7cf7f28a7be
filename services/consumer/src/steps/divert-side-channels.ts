import { excerpt, warn, type EventDraft } from '../event-draft.ts';
import { drop, ok, type DropReason, type Outcome } from '../outcome.ts';

/** What is sent beside events for products that are not here: taken from the client, counted, not stored (contract/capture 4.6). */
const sideChannels: ReadonlyMap<string, DropReason> = new Map([
  ['$$heatmap', 'heatmap'],
  ['$snapshot', 'replay'],
  ['$snapshot_items', 'replay'],
  ['$performance_event', 'replay'],
]);

/** Ends the way of what is no event: side channels, and a client's own warning, which becomes one of its project. */
export function divertSideChannels(draft: EventDraft): Outcome {
  const { event } = draft.head;
  if (!event.startsWith('$')) return ok;
  if (event === '$$client_ingestion_warning') {
    const message = draft.properties.get('$$client_ingestion_warning_message');
    warn(draft, 'client_ingestion_warning', { message: typeof message === 'string' ? excerpt(message) : '' });
    return drop('client_warning');
  }
  const reason = sideChannels.get(event);
  return reason === undefined ? ok : drop(reason);
}
