import {
  findRows,
  isFindable,
  rowColumns,
  toRow,
  type ResponseRow,
  type StoredRow,
} from '../dead-letters/find-rows.ts';
import type { EntryFacts } from '../dead-letters/letter-events.ts';
import { maskSecrets } from '../dead-letters/mask-secrets.ts';
import type { QueryClickhouse } from '../duplicates/stored-events.ts';

/** An ingestion warning that names the event. */
export interface NamingWarning {
  projectId: number;
  type: string;
  severity: string;
  source: string;
  timestamp: string;
  /** JSON. */
  details: string;
}

const rowsMax = 20;
/** Timeout of a query. Without facts from the log, it reads every uuid. */
const secondsMax = 60;

/**
 * The event's rows: by the primary key when the log still says what the event is, else among all events (or those of the
 * project). More than one: duplicates that ClickHouse has not merged yet, or different events with one uuid.
 */
export async function findStored(
  query: QueryClickhouse,
  uuid: string,
  known: readonly EntryFacts[],
  projectId: number | null,
): Promise<StoredRow[]> {
  const findable = known.filter(isFindable);
  if (findable.length > 0) return findRows(query, findable);
  const sql = `SELECT ${rowColumns} FROM analytics.events WHERE uuid = {uuid:UUID}${ofProject(projectId)} LIMIT ${rowsMax} SETTINGS max_execution_time = ${secondsMax}`;
  return (await query<ResponseRow>({ sql, params: { uuid, project: projectId ?? 0 } })).map(toRow);
}

/** The newest warnings that name the event, whichever of their details does. */
export async function findWarnings(
  query: QueryClickhouse,
  uuid: string,
  projectId: number | null,
): Promise<NamingWarning[]> {
  const sql = `SELECT toString(team_id) AS project, type, severity, source, details, toString(timestamp) AS at FROM analytics.ingestion_warnings
    WHERE position(details, {uuid:String}) > 0${ofProject(projectId)} ORDER BY timestamp DESC LIMIT ${rowsMax} SETTINGS max_execution_time = ${secondsMax}`;
  const rows = await query<Omit<NamingWarning, 'projectId' | 'timestamp'> & { project: string; at: string }>({
    sql,
    params: { uuid, project: projectId ?? 0 },
  });
  return rows.map(({ project, at, details, ...rest }) => ({
    projectId: Number(project),
    ...rest,
    timestamp: `${at.replace(' ', 'T')}Z`,
    details: maskSecrets(details),
  }));
}

function ofProject(projectId: number | null): string {
  return projectId === null ? '' : ' AND team_id = {project:Int64}';
}
