import type { EventDraft } from '../event-draft.ts';
import { appendMember } from '../json/json-text.ts';
import { ok, type Outcome } from '../outcome.ts';
import { removeProperties } from './remove-properties.ts';

/**
 * `$ip`: the client's own value wins, else the address that capture saw is written into the properties
 * (contract/capture 2.6); a project that anonymises addresses keeps neither (contract/decisions 36).
 */
export function setClientAddress(draft: EventDraft): Outcome {
  if (draft.project.anonymizeIps) {
    removeProperties(draft, ['$ip']);
  } else if (draft.head.ip !== undefined && !Object.hasOwn(draft.properties, '$ip')) {
    draft.properties['$ip'] = draft.head.ip;
    draft.propertiesText = appendMember(draft.propertiesText, '$ip', JSON.stringify(draft.head.ip));
  }
  return ok;
}
