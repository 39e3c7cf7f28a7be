import type { EventDraft } from '../events/event-draft.ts';
import { ok, type Outcome } from '../events/outcome.ts';
import { elementsChain } from './elements-chain.ts';

/**
 * Moves the clicked elements from the properties to their column (contract/capture 2.6): the ready text
 * `$elements_chain`, or else what `$elements`, its older form, comes to. What is neither stays a property.
 */
export function liftElements(draft: EventDraft): Outcome {
  const ready = draft.properties.get('$elements_chain');
  // Reading the other name costs more, and it comes with these events alone.
  const older =
    draft.head.event === '$autocapture' || draft.head.event === '$rageclick'
      ? elementsChain(draft.properties.get('$elements'))
      : null;
  const chain = typeof ready === 'string' ? ready : older;
  if (chain === null) return ok;
  draft.elementsChain = chain;
  draft.properties.remove([
    ...(typeof ready === 'string' ? ['$elements_chain'] : []),
    ...(older === null ? [] : ['$elements']),
  ]);
  return ok;
}
