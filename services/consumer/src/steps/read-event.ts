import { decodeHead } from '@millrace/captured-event/decode-head.ts';
import { eventKind } from '@millrace/contracts/event-kinds.ts';
import { none, type EventDraft } from '../events/event-draft.ts';
import { ClientProperties } from '../properties/client-properties.ts';
import { deadLetter, type Outcome } from '../events/outcome.ts';
import { noProject } from '../projects/project-cache.ts';
import type { EntryRange } from '../events/entry-range.ts';

/**
 * Bytes to draft. What capture guarantees of the head (`CapturedEvent`) is checked again, because a head that breaks it
 * would stop the insert of its neighbours; then the entry alone goes to the dead letters.
 */
export function readEvent(position: EntryRange): EventDraft | Outcome {
  const head = decodeHead(position);
  if (typeof head === 'string') return deadLetter('unreadable_head', head);
  const properties = ClientProperties.read(position.body);
  if (properties === null) return deadLetter('unreadable_properties', 'the properties are not a JSON object');
  return {
    position,
    head,
    properties,
    eventKind: eventKind(head.event),
    event: head.event,
    project: noProject,
    profile: 'full',
    elementsChain: '',
    update: null,
    merge: null,
    groups: none,
    groupSet: null,
    groupKeys: none,
    warnings: none,
    own: null,
  };
}
