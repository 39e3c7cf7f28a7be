import { randomUUID } from 'node:crypto';

/** An event of a made-up world. Times are UTC, `2025-01-06 09:00:00`, with up to six digits of a second. */
export interface WorldEvent {
  at: string;
  /** Distinct id; the person is that of the world's `personOf`. */
  who: string;
  event: string;
  properties?: Readonly<Record<string, unknown>>;
  /** Properties of the person as stored with the event. */
  person?: Readonly<Record<string, unknown>>;
  session?: string;
  /** Keys of groups by index of their type. */
  groups?: Readonly<Record<number, string>>;
  mode?: 'full' | 'propertyless';
}

/** Persons of distinct ids; a distinct id that is not named is a person of its own. */
export interface World {
  events: readonly WorldEvent[];
  /** Distinct ids whose events were stored with a person of their own, and were merged into that of another distinct id later. */
  merged?: Readonly<Record<string, string>>;
  /** Moment of each person's creation; that of its first event unless given. */
  created?: Readonly<Record<string, string>>;
  /** Moments of creation by index of the type, and key. */
  groupsCreated?: Readonly<Record<number, Readonly<Record<string, string>>>>;
}

/** Rows of the tables of `analytics` that hold a world for a project. */
export function rowsOfWorld(
  teamId: number,
  { events, merged = {}, created = {}, groupsCreated = {} }: World,
): Record<string, object[]> {
  const ids = new Map<string, string>();
  const idOf = (who: string): string => {
    const known = ids.get(who) ?? randomUUID();
    ids.set(who, known);
    return known;
  };
  const today = (who: string): string => personOf({ merged }, who);
  const firsts = new Map<string, string>();
  for (const { who, at } of events) {
    const person = today(who);
    const first = firsts.get(person);
    if (first === undefined || at < first) firsts.set(person, at);
  }
  const personRow = (who: string, first: string) => ({
    team_id: teamId,
    id: idOf(who),
    created_at: (Object.hasOwn(created, who) ? created[who] : undefined) ?? first,
    last_seen_at: first,
    is_identified: true,
    is_deleted: false,
    version: 1,
    properties_text: '{}',
    properties: {},
  });
  return {
    events: events.map((event) => eventRow(teamId, event, idOf(event.who))),
    persons: [...firsts].map(([who, first]) => personRow(who, first)),
    groups: Object.entries(groupsCreated).flatMap(([index, keys]) =>
      Object.entries(keys).map(([key, at]) => groupRow(teamId, Number(index), key, at)),
    ),
    person_overrides: Object.keys(merged).map((who) => ({
      team_id: teamId,
      distinct_id: who,
      person_id: idOf(today(who)),
      version: 1,
    })),
  };
}

const groupRow = (teamId: number, index: number, key: string, created: string) => ({
  team_id: teamId,
  group_type_index: index,
  group_key: key,
  created_at: created,
  updated_at: created,
  is_deleted: false,
  version: 1,
  properties_text: '{}',
  properties: {},
});

/** The person of a distinct id today. */
export function personOf({ merged = {} }: Pick<World, 'merged'>, who: string): string {
  // A distinct id may be the name of a member that every object has.
  const into = Object.hasOwn(merged, who) ? merged[who] : undefined;
  return into === undefined ? who : personOf({ merged }, into);
}

function eventRow(
  teamId: number,
  { at, who, event, properties = {}, person = {}, session = '', groups = {}, mode = 'full' }: WorldEvent,
  personId: string,
) {
  return {
    team_id: teamId,
    uuid: randomUUID(),
    event,
    distinct_id: who,
    timestamp: at,
    created_at: at,
    person_id: personId,
    person_mode: mode,
    properties_text: JSON.stringify(properties),
    properties: mapOf(properties),
    person_properties_text: JSON.stringify(person),
    person_properties: mapOf(person),
    $session_id: session,
    ...Object.fromEntries(Object.entries(groups).map(([index, key]) => [`$group_${index}`, key])),
  };
}

/** Properties as the consumer stores them in the map: texts as they are, others as JSON; null is none. */
function mapOf(properties: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(properties).filter(([, value]) => value !== null);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}
