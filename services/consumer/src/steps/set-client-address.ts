import type { EventDraft } from '../events/event-draft.ts';
import { ok, type Outcome } from '../events/outcome.ts';

/**
 * `$ip`: the client's own value wins, else the address that capture saw is written into the properties
 * (contract/capture 2.6); a project that anonymises addresses keeps neither (contract/decisions 36).
 */
export function setClientAddress(draft: EventDraft): Outcome {
  if (draft.project.anonymizeIps) {
    draft.properties.remove(['$ip']);
  } else if (draft.head.ip !== undefined && !draft.properties.has('$ip')) {
    draft.properties.replace('$ip', draft.head.ip);
  }
  return ok;
}
