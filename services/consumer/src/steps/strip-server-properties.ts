import type { EventDraft } from '../events/event-draft.ts';
import { ok, type Outcome } from '../events/outcome.ts';

/** Properties that only the server may set (contract/capture 2.6). */
const serverProperties = ['$verified'];

/** Takes out what a client must not claim. */
export function stripServerProperties(draft: EventDraft): Outcome {
  draft.properties.remove(serverProperties);
  return ok;
}
