import type { EventDraft } from '../../events/event-draft.ts';
import { emptyObject } from '@millrace/json/clean-json.ts';
import { storableJson } from '../../properties/storable-json.ts';
import { isJsonObject, type JsonObject } from '@millrace/json/exact-json.ts';
import { ok, type Outcome } from '../../events/outcome.ts';
import { updateNames } from '../../events/person-update.ts';
import { automaticProperties } from '../../properties/automatic-properties.ts';

/**
 * Joins the updates of the person: top-level ones lie over those in the properties (contract/capture 2.6), and the
 * joined updates are in the stored properties. An anonymous event loses all of them (contract/capture 4.2).
 */
export function joinUpdates(draft: EventDraft): Outcome {
  if (draft.profile === 'anonymous') {
    draft.properties.remove(updateNames);
    return ok;
  }
  join(draft, '$set', draft.head.set);
  join(draft, '$set_once', draft.head.setOnce);
  if (draft.head.unset !== undefined && draft.head.unset !== null) draft.properties.replace('$unset', draft.head.unset);
  if (draft.eventKind.personUpdates !== 'applied') return ok;
  const { properties } = draft;
  draft.update = {
    set: objectOf(properties.get('$set')),
    setOnce: objectOf(properties.get('$set_once')),
    unset: unsetKeys(properties.get('$unset')),
    automatic: automaticProperties(properties),
    personEvent: draft.eventKind.isAboutPerson,
  };
  return ok;
}

function join(draft: EventDraft, name: '$set' | '$set_once', top: unknown): void {
  if (!isJsonObject(top)) return;
  const inside = draft.properties.get(name);
  draft.properties.replace(name, isJsonObject(inside) ? over(inside, top) : top);
}

/** No spread, because a key `__proto__` must stay a key. */
function over(below: JsonObject, above: JsonObject): JsonObject {
  return Object.assign(emptyObject(), below, above);
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? (storableJson(value) as JsonObject) : {};
}

/** `$unset` is a list of keys, or an object whose keys count (contract/capture 4.3). */
function unsetKeys(unset: unknown): string[] {
  if (Array.isArray(unset)) return unset.filter((key): key is string => typeof key === 'string');
  return isJsonObject(unset) ? Object.keys(unset) : [];
}
