/** Types that a property settles to (contract/decisions 74): PostHog's, and List, which PostHog does not have. */
export const propertyTypes = ['String', 'Numeric', 'Boolean', 'DateTime', 'List'] as const;

export type PropertyType = (typeof propertyTypes)[number];

/** Objects that have properties, as `property_definitions.type` names them. */
export const propertyOwners = ['event', 'person', 'group'] as const;

export type PropertyOwner = (typeof propertyOwners)[number];

/** JSON types that are told apart, as columns of `property_definitions`; `times` are texts that are ISO dates or times. */
export const valueKinds = ['numbers', 'booleans', 'times', 'texts', 'lists', 'objects'] as const;

export type ValueKind = (typeof valueKinds)[number];

/** A property settles once it has so many values, or one value and an hour's age (`settled_property_type` in Postgres). */
export const settlingValues = 20;

/** Names that a project may have of each kind: events, properties of each owner. New ones beyond are not learned. */
export const learnedNamesMax = 10_000;

/** Pairs of an event name and a property that a project may have; further ones are not listed, and filters by event miss them. */
export const learnedPairsMax = 20_000;

/** Longest learned name, in bytes of UTF-8. */
export const learnedNameBytesMax = 200;

/** Names that stand beside properties and are none: instructions and memberships of an event, the mark of a person's first event. */
export const unlearnedNames: Readonly<Record<PropertyOwner, ReadonlySet<string>>> = {
  event: new Set([
    '$set',
    '$set_once',
    '$unset',
    '$groups',
    '$group_set',
    '$group_0',
    '$group_1',
    '$group_2',
    '$group_3',
    '$group_4',
  ]),
  person: new Set(['$creator_event_uuid']),
  group: new Set(),
};

/** True for a name that can be learned, of an event or a property: not too long, and a text that Postgres stores. */
export function isLearnableName(name: string): boolean {
  if (name.length > learnedNameBytesMax || name.includes('\0') || !name.isWellFormed()) return false;
  return Buffer.byteLength(name) <= learnedNameBytesMax;
}

/** True when a property of this name is learned once it is met, if its project has room. */
export function isLearnedProperty(owner: PropertyOwner, name: string): boolean {
  return !unlearnedNames[owner].has(name) && isLearnableName(name);
}

/** Ids of calls of language models, `$ai_trace_id` and its like, begin and end so. */
export const modelIdEnds = { first: '$ai_', last: '_id' } as const;

/** True for the name of such an id: queries read it as a text whatever a project has learned, because it joins texts of other tables. */
export function isModelId(name: string): boolean {
  return name.startsWith(modelIdEnds.first) && name.endsWith(modelIdEnds.last);
}

/** Names of properties that are texts whatever their values look like, because a number there is a code, a variant or an id. */
export const alwaysTextName = '$feature_flag_response';
export const alwaysTextPrefixes = ['utm_', '$initial_utm_', '$feature/', '$survey_response'] as const;

export function isAlwaysText(name: string): boolean {
  return name === alwaysTextName || isModelId(name) || alwaysTextPrefixes.some((prefix) => name.startsWith(prefix));
}
