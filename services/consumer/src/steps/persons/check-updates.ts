import { warn, type EventDraft } from '../../events/event-draft.ts';
import { updateNames } from '../../events/person-update.ts';
import { isJsonObject, jsonTypeName } from '@millrace/json/exact-json.ts';
import { ok, type Outcome } from '../../events/outcome.ts';

/**
 * Warns of updates of the person that are left out: those of an exception, and those of a wrong form (contract/capture
 * 4.3, 4.7).
 */
export function checkUpdates(draft: EventDraft): Outcome {
  if (draft.profile === 'anonymous') return ok;
  const { head, eventKind, properties } = draft;
  if (!isSaid(head) && !updateNames.some((name) => properties.has(name))) return ok;
  const updates = [
    ['$set', head.set, properties.get('$set')],
    ['$set_once', head.setOnce, properties.get('$set_once')],
    ['$unset', head.unset, properties.get('$unset')],
  ] as const;
  const given = updates.flatMap(([name, ...values]) =>
    values.flatMap((value) => (value === undefined || value === null ? [] : [{ name, value }])),
  );
  if (given.length === 0) return ok;
  if (eventKind.personUpdates === 'refused') {
    warn(draft, 'set_on_exception', { event_uuid: head.uuid });
    return ok;
  }
  for (const { name, value } of given) {
    const isRight = isJsonObject(value) || (name === '$unset' && Array.isArray(value));
    if (!isRight) warn(draft, 'invalid_person_update', { property: name, receivedType: jsonTypeName(value) });
  }
  return ok;
}

function isSaid({ set, setOnce, unset }: EventDraft['head']): boolean {
  return set !== undefined || setOnce !== undefined || unset !== undefined;
}
