import type { GroupState } from '../groups/group.ts';
import type { PersonProperties, RemovedPerson } from '../persons/person.ts';
import { nextVersion, type PersonChanges } from '../persons/working-identity.ts';
import { partSizeMax, partsOf } from './read-whole.ts';

/** Position of a batch in its stream. */
interface StreamPosition {
  /** `<log epoch>:<lane>:<partition>:<writer>`. */
  stream: string;
  /** The batch's last offset. */
  last: bigint;
  /** The last offset whose persons are written; null: none. */
  was: bigint | null;
  /** Persons that the part of the batch removed that is written already: ClickHouse may not have them. */
  removedBefore: readonly RemovedPerson[];
  /** A part of the batch is written already: ClickHouse may not have the distinct ids that it moved either. */
  keepsMoved: boolean;
}

/** Writes of a batch, all of them or none. */
export interface IdentityPlan {
  position: StreamPosition;
  persons: PersonChanges;
  groups: readonly GroupState[];
}

/** A person who was merged away gets this much above its last version, so that no late word of it wins (contract/capture 5.3). */
const removedVersionStep = 100;

/** Persons that the batch's merges remove, and have removed. */
export function removedIn({ position, persons }: IdentityPlan): RemovedPerson[] {
  const removed = persons.merged.map(({ stored: { teamId, uuid, version } }) => ({
    teamId,
    uuid,
    version: version + removedVersionStep,
  }));
  return [...position.removedBefore, ...removed];
}

/** True when there is nothing to write. */
export function isEmpty({
  persons: { created, changed, merged, added, personlessIds },
  groups,
}: IdentityPlan): boolean {
  return [created, changed, merged, added, personlessIds, groups].every(({ length }) => length === 0);
}

/** A plan as text: what `write_identity` takes (its newest form is in migration `moved_distinct_ids`), and lists of properties that it leaves out. */
export interface PlanTexts {
  plan: string;
  /** Left-out properties for `fillProperties`, in the same transaction; mostly empty. */
  rest: { kind: 'persons' | 'groups'; list: string; length: number }[];
}

/** A value of Postgres holds at most 256 MB: properties beyond `partSizeMax` characters are left out of the plan. */
export function planTexts(plan: IdentityPlan): PlanTexts {
  let left = partSizeMax;
  const late = { persons: [] as Late[], groups: [] as Late[] };
  const write = (
    kind: 'persons' | 'groups',
    key: object,
    fields: Record<string, unknown>,
    { properties }: { properties: PersonProperties },
  ): string => {
    const { text } = properties;
    left -= text.length;
    if (left >= 0) return withProperties({ ...fields, size: text.length }, text);
    late[kind].push({ key, properties });
    return withProperties({ ...fields, size: text.length }, '{}');
  };
  const lists = listsOf(plan, write);
  const { stream, last, was, keepsMoved } = plan.position;
  const members = Object.entries(lists).map(([name, list]) => `"${name}":[${list.join(',')}]`);
  return {
    plan: `{"stream":${JSON.stringify(stream)},"last":${last},"was":${was ?? 'null'},"keepsMoved":${keepsMoved},${members.join(',')}}`,
    rest: (['persons', 'groups'] as const).flatMap((kind) =>
      partsOf(late[kind], ({ properties }) => properties.textLength).map((part) => ({
        kind,
        length: part.length,
        list: `[${part.map(({ key, properties }) => withProperties(key, properties.text)).join(',')}]`,
      })),
    ),
  };
}

/** Something whose properties come later, and how it is called in the table. */
interface Late {
  key: object;
  properties: PersonProperties;
}

type Write = (
  kind: 'persons' | 'groups',
  key: object,
  fields: Record<string, unknown>,
  of: { properties: PersonProperties },
) => string;

function listsOf(plan: IdentityPlan, write: Write): Record<string, string[]> {
  const { persons, groups } = plan;
  return {
    removed: removedIn(plan).map(({ teamId, uuid, version }) => JSON.stringify({ team_id: teamId, uuid, version })),
    expected: persons.expected.map(({ id, version }) => JSON.stringify({ id, version })),
    created: persons.created.map((person) => {
      const { teamId, uuid, isIdentified, createdAt, lastSeenAt } = person;
      const key = { team_id: teamId, uuid };
      return write(
        'persons',
        key,
        {
          ...key,
          is_identified: isIdentified,
          created_at: createdAt,
          last_seen_at: lastSeenAt,
          version: nextVersion(person),
        },
        person,
      );
    }),
    notes: persons.personlessIds.map(({ teamId, distinctId, merged, fresh }) =>
      JSON.stringify({ team_id: teamId, distinct_id: distinctId, merged, fresh }),
    ),
    mappings: persons.added.map(({ teamId, distinctId, personId, version }) =>
      JSON.stringify({ team_id: teamId, distinct_id: distinctId, uuid: personId, version }),
    ),
    changed: persons.changed.map(({ stored, next }) => {
      const key = { team_id: stored.teamId, uuid: stored.uuid };
      return write(
        'persons',
        key,
        {
          id: stored.id,
          is_identified: next.isIdentified,
          created_at: next.createdAt,
          last_seen_at: next.lastSeenAt,
          version: nextVersion(next),
        },
        next,
      );
    }),
    merged: persons.merged.map(({ stored, into }) =>
      JSON.stringify({ id: stored.id, team_id: stored.teamId, uuid: into.uuid }),
    ),
    groups: groups.map((group) => {
      const key = { team_id: group.teamId, index: group.index, key: group.key };
      return write(
        'groups',
        key,
        { ...key, created_at: group.createdAt, updated_at: group.updatedAt, version: group.version },
        group,
      );
    }),
  };
}

/** The text of properties is there already, and may be large. */
function withProperties(fields: object, text: string): string {
  return `${JSON.stringify(fields).slice(0, -1)},"properties":${text}}`;
}
