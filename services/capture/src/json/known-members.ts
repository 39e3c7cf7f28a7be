/** Members of an event, or of the object around a batch, that capture looks at. */
const eventNames = [
  'event', 'distinct_id', '$distinct_id', 'uuid', 'timestamp', 'offset', 'api_key', 'token', '$token', 'properties', '$set', '$set_once', '$unset',
  'batch', 'sent_at', 'historical_migration', 'options', 'session_id', 'window_id', 'capture_internal',
] as const;

/** Members of the properties of an event that capture looks at. */
const propertyNames = [
  'distinct_id', 'token', '$insert_id', '$ignore_sent_at', '$session_id', '$groups', '$group_type', '$group_key', '$anon_distinct_id', 'alias',
  '$product_tour_id', '$lib', '$lib_version',
] as const;

/** Properties that capture, or the V1 protocol, sets or changes. */
const changedNames = [
  '$groups', '$anon_distinct_id', 'alias', '$session_id', '$window_id', '$cookieless_mode', '$ignore_sent_at', '$product_tour_id',
  '$process_person_profile', '$lib', '$lib_version',
] as const;

export type EventName = (typeof eventNames)[number];
export type PropertyName = (typeof propertyNames)[number];
export type ChangedName = (typeof changedNames)[number];

/** Always all of them, so that every one of these objects looks alike to V8; undefined is what the text does not hold. */
export type EventMembers = Record<EventName, unknown>;
export type PropertyMembers = Record<PropertyName, unknown>;

/** Tells which of some names stands in bytes, without making a string of it. */
export interface KnownNames<Name extends string> {
  readonly names: readonly Name[];
  /** The name whose bytes lie between the two places, or null. */
  find(bytes: Uint8Array, start: number, end: number): Name | null;
  /** As `find`, for a name that was written with escapes: `text` is the unescaped name. */
  named(text: string): Name | null;
}

const slots = 256;

/** Length and last byte of a name tell nearly all names apart, so that most others are known by one look into a table. */
export function slotOf(length: number, last: number): number {
  return (length * 37 + last) % slots;
}

function knownNames<Name extends string>(names: readonly Name[]): KnownNames<Name> {
  const known = names.map((name) => ({ name, bytes: Buffer.from(name) }));
  const table = Array.from({ length: slots }, (_, slot) => known.filter(({ bytes }) => slotOf(bytes.length, bytes.at(-1) ?? 0) === slot));
  const inUse = new Uint8Array(table.map((here) => (here.length > 0 ? 1 : 0)));
  return {
    names,
    find(bytes, start, end) {
      const slot = slotOf(end - start, bytes[end - 1] as number);
      if (inUse[slot] === 0) return null;
      for (const candidate of table[slot] ?? []) if (isAt(bytes, start, end, candidate.bytes)) return candidate.name;
      return null;
    },
    named: (text) => known.find(({ name }) => name === text)?.name ?? null,
  };
}

export const eventMembers = knownNames(eventNames);
export const propertyMembers = knownNames(propertyNames);
export const changedMembers = knownNames(changedNames);
/** Only V1 looks at `$lib` and `$lib_version`: reading them for v0 too, where nobody asks, was a tenth of the cost of a batch. */
export const v0PropertyMembers = knownNames(propertyNames.filter((name) => !name.startsWith('$lib')));

function isAt(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (end - start !== name.length) return false;
  for (let index = 0; index < name.length; index++) if (bytes[start + index] !== name[index]) return false;
  return true;
}

/** An event that nothing is known of yet. */
export function noEventMembers(): EventMembers {
  return {
    event: undefined, distinct_id: undefined, $distinct_id: undefined, uuid: undefined, timestamp: undefined, offset: undefined,
    api_key: undefined, token: undefined, $token: undefined, properties: undefined, $set: undefined, $set_once: undefined, $unset: undefined,
    batch: undefined, sent_at: undefined, historical_migration: undefined,
    options: undefined, session_id: undefined, window_id: undefined, capture_internal: undefined,
  };
}

/** Properties that nothing is known of yet. */
export function noPropertyMembers(): PropertyMembers {
  return {
    distinct_id: undefined, token: undefined, $insert_id: undefined, $ignore_sent_at: undefined, $session_id: undefined,
    $groups: undefined, $group_type: undefined, $group_key: undefined, $anon_distinct_id: undefined, alias: undefined,
    $product_tour_id: undefined, $lib: undefined, $lib_version: undefined,
  };
}
