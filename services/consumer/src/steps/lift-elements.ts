import type { EventDraft } from '../event-draft.ts';
import { ok, type Outcome } from '../outcome.ts';

/** Moves `$elements_chain` from the properties to its column (contract/capture 2.6). A value that is not text stays a property. */
export function liftElements(draft: EventDraft): Outcome {
  const chain = draft.properties.get('$elements_chain');
  if (typeof chain !== 'string') return ok;
  draft.elementsChain = chain;
  draft.properties.remove(['$elements_chain']);
  return ok;
}
