import { declareTable } from './declare-table.ts';

/** Projects that have materialized tables. Only a request with the token of a project sees its row, and views look there (clickhouse, `users/project-view.ts`). */
export const materializedTeams = declareTable('materialized_teams', {
  columns: { team_id: 'Int64' },
  partitionTime: null,
  tenantColumn: null,
});
