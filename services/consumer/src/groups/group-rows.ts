import type { RowOf } from '@millrace/clickhouse/insert/table-columns.ts';
import type { groups } from '@millrace/contracts/tables/groups.ts';
import type { GroupState } from './group.ts';

/** The replica row of a group; of several the one with the highest version counts (contract/decisions 34). */
export function groupRow({
  teamId,
  index,
  key,
  createdAt,
  updatedAt,
  version,
  properties,
}: GroupState): RowOf<typeof groups> {
  return {
    team_id: teamId,
    group_type_index: index,
    group_key: key,
    created_at: createdAt,
    updated_at: updatedAt,
    is_deleted: false,
    version,
    properties_text: properties.text,
    properties: properties.map,
  };
}
