import type { GroupState } from '../groups/group.ts';
import type { PersonProperties, RemovedPerson } from '../persons/person.ts';
import { nextVersion, type PersonChanges } from '../persons/working-identity.ts';

/** Where a batch stands in its stream. */
interface StreamPlace {
  /** `<log>:<lane>:<partition>:<writer>`. */
  stream: string;
  /** The batch's last offset. */
  last: bigint;
  /** The last offset whose persons are written; null: none. */
  was: bigint | null;
}

/** What a batch writes, all of it or nothing. */
export interface IdentityPlan {
  place: StreamPlace;
  persons: PersonChanges;
  groups: readonly GroupState[];
}

/** A person who was merged away gets this much above its last version, so that no late word of it wins (contract/capture 5.3). */
const removedVersionStep = 100;

/** Whom a batch's merges remove. */
export function removedBy({ merged }: PersonChanges): RemovedPerson[] {
  return merged.map(({ stored: { teamId, uuid, version } }) => ({ teamId, uuid, version: version + removedVersionStep }));
}

/** True when there is nothing to write. */
export function isEmpty({ persons: { created, changed, merged, added, notes }, groups }: IdentityPlan): boolean {
  return [created, changed, merged, added, notes, groups].every(({ length }) => length === 0);
}

/** The plan as `write_identity` takes it (migration `groups_and_merges`). */
export function planText({ place, persons, groups }: IdentityPlan): string {
  const lists = {
    removed: removedBy(persons).map(({ teamId, uuid, version }) => JSON.stringify({ team_id: teamId, uuid, version })),
    expected: persons.expected.map(({ id, version }) => JSON.stringify({ id, version })),
    created: persons.created.map((person) => {
      const { teamId, uuid, isIdentified, createdAt, lastSeenAt, properties } = person;
      return withProperties({ team_id: teamId, uuid, is_identified: isIdentified, created_at: createdAt, last_seen_at: lastSeenAt, version: nextVersion(person) }, properties);
    }),
    notes: persons.notes.map(({ teamId, distinctId, merged, fresh }) => JSON.stringify({ team_id: teamId, distinct_id: distinctId, merged, fresh })),
    mappings: persons.added.map(({ teamId, distinctId, personId, version }) => JSON.stringify({ team_id: teamId, distinct_id: distinctId, uuid: personId, version })),
    changed: persons.changed.map(({ stored, next }) =>
      withProperties({ id: stored.id, is_identified: next.isIdentified, created_at: next.createdAt, last_seen_at: next.lastSeenAt, version: nextVersion(next) }, next.properties),
    ),
    merged: persons.merged.map(({ stored, into }) => JSON.stringify({ id: stored.id, team_id: stored.teamId, uuid: into.uuid })),
    groups: groups.map(({ teamId, index, key, createdAt, updatedAt, version, properties }) =>
      withProperties({ team_id: teamId, index, key, created_at: createdAt, updated_at: updatedAt, version }, properties),
    ),
  };
  const members = Object.entries(lists).map(([name, list]) => `"${name}":[${list.join(',')}]`);
  return `{"stream":${JSON.stringify(place.stream)},"last":${place.last},"was":${place.was ?? 'null'},${members.join(',')}}`;
}

/** The text of properties is there already, and may be large. */
function withProperties(fields: Record<string, unknown>, { text }: PersonProperties): string {
  return `${JSON.stringify(fields).slice(0, -1)},"properties":${text}}`;
}
