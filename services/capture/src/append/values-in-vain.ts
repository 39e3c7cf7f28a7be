import { isJsonObject } from '@millrace/json/exact-json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Values of an event that have no effect in the form that they have, each in a sentence for their sender. Pure. */
export function valuesInVain(event: Fields): string[] {
  const properties = isJsonObject(event['properties']) ? event['properties'] : {};
  const updates = (['$set', '$set_once', '$unset'] as const).flatMap((name) =>
    [[name, event[name]] as const, [`properties.${name}`, properties[name]] as const].flatMap(([place, value]) =>
      isNothing(value) || isJsonObject(value) || (name === '$unset' && Array.isArray(value))
        ? []
        : `"${place}" has no effect on the person: it must be ${name === '$unset' ? 'a list of names, such as ["plan"]' : 'an object, such as {"plan": "pro"}'}.`,
    ),
  );
  return [...updates, ...groupsInVain(event['event'], properties)];
}

function groupsInVain(name: unknown, properties: Fields): string[] {
  const { $groups: groups } = properties;
  const found: string[] = [];
  if (!isNothing(groups) && !isJsonObject(groups))
    found.push('"properties.$groups" names no group: it must be an object, such as {"company": "acme"}.');
  if (name !== '$groupidentify') return found;
  const missing = ['$group_type', '$group_key'].filter((field) => !isKey(properties[field]));
  if (missing.length > 0)
    found.push(`A $groupidentify describes no group without ${missing.join(' and ')} in "properties".`);
  else if (!isNothing(properties['$group_set']) && !isJsonObject(properties['$group_set']))
    found.push('"properties.$group_set" has no effect on the group: it must be an object, such as {"plan": "pro"}.');
  return found;
}

const isNothing = (value: unknown): boolean => value === undefined || value === null;

// The consumer takes no other value for the type or the key of a group.
const isKey = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || (typeof value === 'number' && value !== 0);
