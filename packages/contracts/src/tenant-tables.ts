/**
 * Tables of database `analytics` that users' queries may read. Each has a column `team_id` and a row policy that shows a
 * tenant its own rows alone; where users and policies are made, they are made of this list. No other table is readable.
 */
export const tenantTables = ['events', 'persons', 'person_distinct_ids', 'person_overrides', 'person_contents', 'groups', 'ingestion_warnings', 'query_log', 'log_entries'] as const;
