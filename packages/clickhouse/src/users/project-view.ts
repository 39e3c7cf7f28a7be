import { tenantHeaderNames, tenantTokenError, tokenHash } from './tenant-token.ts';

/** A table of one project in database `internal`, and the view in database `materialized` through which tenants read it. Both have this name. */
export interface ProjectTable {
  /** Letters of a–z, digits and `_`. */
  name: string;
  teamId: number;
  columns: readonly { name: string; /** As ClickHouse prints it. */ type: string; isKey: boolean }[];
}

/** The statement that makes the empty table, ordered by its key columns, which may be null. @throws {Error} for a name with other characters */
export function projectTableStatement({ name, columns }: ProjectTable): string {
  const declared = columns.map((column) => `${plain(column.name)} ${column.type}`);
  const keys = columns.filter(({ isKey }) => isKey).map((column) => column.name);
  return (
    `CREATE TABLE internal.${plain(name)} (${declared.join(', ')}) ` +
    `ENGINE = MergeTree ORDER BY (${keys.join(', ')}) SETTINGS allow_nullable_key = 1`
  );
}

/**
 * The statement that makes the view. A query gets rows from it only with the token of the project. Without it, it is refused, and so is
 * explaining it. The text holds no secret: of the token it has the hash. With another token secret the table must be built anew.
 * `headers`: the capability of the project (`tenantHeaders`).
 * @throws {Error} for a name with other characters
 */
export function projectViewStatement(
  { name, columns }: ProjectTable,
  headers: Readonly<Record<string, string>>,
): string {
  // ClickHouse computes the check while it reads the query, before it looks into an index: else EXPLAIN would show everybody how many rows
  // a value has. A sub-query would be as early, and takes 1 to 2 ms. Settings of a query around the view do not reach into it (tested).
  const shown = columns.map((column) => `${plain(column.name)} ${column.type}`);
  const token = `getClientHTTPHeader('${tenantHeaderNames.token}')`;
  return (
    // With its columns, or ClickHouse would ask for the maker's right to read the table.
    `CREATE VIEW materialized.${plain(name)} (${shown.join(', ')}) DEFINER = definer SQL SECURITY DEFINER AS ` +
    `SELECT ${columns.map((column) => plain(column.name)).join(', ')} FROM internal.${plain(name)} ` +
    `WHERE CAST(if(hex(SHA256(${token})) = '${tokenHash(headers)}', '1', '${tenantTokenError}'), 'UInt8')`
  );
}

function plain(name: string): string {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`not a plain name of a table or column: ${name}`);
  return name;
}
