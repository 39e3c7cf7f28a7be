import type { RowOf } from '@millrace/clickhouse/insert/table-columns.ts';
import type { personDistinctIds } from '@millrace/contracts/tables/person-distinct-ids.ts';
import type { personOverrides } from '@millrace/contracts/tables/person-overrides.ts';
import type { persons } from '@millrace/contracts/tables/persons.ts';
import { PersonProperties, type MappingState, type PersonState, type RemovedPerson } from './person.ts';

/** The replica row of a person; of several the one with the highest version counts (contract/decisions 34). */
export function personRow({
  teamId,
  uuid,
  createdAt,
  lastSeenAt,
  isIdentified,
  version,
  properties,
}: PersonState): RowOf<typeof persons> {
  return {
    team_id: teamId,
    id: uuid,
    created_at: createdAt,
    last_seen_at: lastSeenAt,
    is_identified: isIdentified,
    is_deleted: false,
    version,
    properties_text: properties.text,
    properties: properties.map,
  };
}

const nothing = new PersonProperties({});

/** The row that hides a person who was merged into another. */
export function removedPersonRow({ teamId, uuid, version }: RemovedPerson): RowOf<typeof persons> {
  const never = '1970-01-01T00:00:00.000000Z';
  return {
    ...personRow({
      teamId,
      uuid,
      createdAt: never,
      lastSeenAt: never,
      isIdentified: false,
      version,
      properties: nothing,
    }),
    is_deleted: true,
  };
}

/** The replica row of a distinct id. */
export function personDistinctIdRow({
  teamId,
  distinctId,
  personId,
  version,
}: MappingState): RowOf<typeof personDistinctIds> {
  return { team_id: teamId, distinct_id: distinctId, person_id: personId, is_deleted: false, version };
}

/** The rows that queries join to events: only of distinct ids whose events may carry another person's id (contract/capture 5.3). */
export function overrideRows(mappings: readonly MappingState[]): RowOf<typeof personOverrides>[] {
  return mappings
    .filter(({ version }) => version > 0)
    .map(({ teamId, distinctId, personId, version }) => ({
      team_id: teamId,
      distinct_id: distinctId,
      person_id: personId,
      version,
    }));
}
