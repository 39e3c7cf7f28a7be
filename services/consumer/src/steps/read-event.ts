import type { CapturedEvent } from '@millrace/contracts/captured-event.ts';
import { eventKind } from '@millrace/contracts/event-kinds.ts';
import { headFault } from '../events/check-head.ts';
import { none, type EventDraft } from '../events/event-draft.ts';
import { ClientProperties } from '../properties/client-properties.ts';
import { jsonOf } from '@millrace/json/read-json.ts';
import { deadLetter, type Outcome } from '../events/outcome.ts';
import { noProject } from '../projects/project-cache.ts';
import { readUsualHead } from '../events/usual-head.ts';
import type { PlacedEntry } from '../events/placed-entry.ts';

/**
 * Bytes to draft. What capture guarantees of the head (`CapturedEvent`) is checked again, because a head that breaks it
 * would stop the insert of its neighbours; then the entry alone goes to the dead letters.
 */
export function readEvent(position: PlacedEntry): EventDraft | Outcome {
  const usual = readUsualHead(position);
  const head = usual ?? jsonOf(position.head);
  const fault = usual === null ? headFault(head) : null;
  if (fault !== null) return deadLetter('unreadable_head', fault);
  const properties = ClientProperties.read(position.body);
  if (properties === null) return deadLetter('unreadable_properties', 'the properties are not a JSON object');
  const captured = head as CapturedEvent;
  return {
    position,
    head: captured,
    properties,
    eventKind: eventKind(captured.event),
    event: captured.event,
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
