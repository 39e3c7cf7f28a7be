import { materializedTeams } from '@millrace/contracts/tables/materialized-teams.ts';
import { tenantTokenError } from './tenant-token.ts';

/** A table of one project in database `internal`, and the view in database `materialized` through which tenants read it. Both have this name. */
export interface ProjectTable {
  /** Letters of a–z, digits and `_`. */
  name: string;
  teamId: number;
  columns: readonly { name: string; /** As ClickHouse prints it. */ type: string; isKey: boolean }[];
}

/** First column of the table and of its key, 0 in each row. It does not belong to the view. */
const ownColumn = 'own';

/** The statement that makes the empty table, ordered by its key columns, which may be null. @throws {Error} for a name with other characters */
export function projectTableStatement({ name, columns }: ProjectTable): string {
  const declared = columns.map((column) => `${plain(column.name)} ${column.type}`);
  const keys = columns.filter(({ isKey }) => isKey).map((column) => column.name);
  return (
    `CREATE TABLE internal.${plain(name)} (${[`${ownColumn} UInt8`, ...declared].join(', ')}) ` +
    `ENGINE = MergeTree ORDER BY (${[ownColumn, ...keys].join(', ')}) SETTINGS allow_nullable_key = 1`
  );
}

/**
 * The statement that makes the view. A query gets rows from it only with the token of the project. Without it, it is refused, and so is
 * explaining it. The text holds no secret: it looks for the row of the project in a table of which the row policy shows no other one.
 * @throws {Error} for a name with other characters, or no whole number as the team
 */
export function projectViewStatement({ name, teamId, columns }: ProjectTable): string {
  if (!Number.isSafeInteger(teamId)) throw new Error('a team id is a whole number');
  // The check is about a column of the key: ClickHouse then makes it before it looks into the index. Were it about a constant, EXPLAIN
  // would show everybody how many rows a value has. Settings of a query around the view do not reach into it (tested).
  const shown = columns.map((column) => `${plain(column.name)} ${column.type}`);
  return (
    // With its columns, or ClickHouse would ask for the maker's right to read the table.
    `CREATE VIEW materialized.${plain(name)} (${shown.join(', ')}) DEFINER = definer SQL SECURITY DEFINER AS ` +
    `SELECT ${columns.map((column) => plain(column.name)).join(', ')} FROM internal.${plain(name)} WHERE ${ownColumn} IN ` +
    `(SELECT throwIf(count() = 0, '${tenantTokenError}') FROM ${materializedTeams.fullName} WHERE team_id = ${teamId})`
  );
}

function plain(name: string): string {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`not a plain name of a table or column: ${name}`);
  return name;
}
