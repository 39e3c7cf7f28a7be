import type { QueryClickhouse } from '../duplicates/stored-events.ts';

/** Finds the projects among these that have an event in ClickHouse: a look at the primary key for each. Throws what ClickHouse throws. */
export async function findStoredProjects(
  query: QueryClickhouse,
  projectIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const hasEvents = async (project: number): Promise<boolean> => {
    const sql = 'SELECT 1 FROM analytics.events WHERE team_id = {project:Int64} LIMIT 1';
    return (await query<object>({ sql, params: { project } })).length > 0;
  };
  const stored = await Promise.all(projectIds.map(async (id) => ((await hasEvents(id)) ? [id] : [])));
  return new Set(stored.flat());
}
