import type { PersonDistinctIdRow, PersonRow } from '@millrace/clickhouse/tables.ts';
import type { MappingState, PersonState } from './apply-persons.ts';

/** The replica row of a person; of several the one with the highest version counts (contract/decisions 34). */
export function personRow({ teamId, uuid, createdAt, isIdentified, version, properties }: PersonState): PersonRow {
  return {
    team_id: teamId,
    id: uuid,
    created_at: createdAt,
    is_identified: isIdentified,
    is_deleted: false,
    version,
    properties_text: properties.text,
    properties: properties.map,
  };
}

/** The replica row of a distinct id. */
export function personDistinctIdRow({ teamId, distinctId, personId, version }: MappingState): PersonDistinctIdRow {
  return { team_id: teamId, distinct_id: distinctId, person_id: personId, is_deleted: false, version };
}
