import type { ParameterValue } from '@millrace/clickhouse/query/format-parameter.ts';
import type { QueryConnection, ReadSummary } from '@millrace/clickhouse/query/query-connection.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import {
  projectTableStatement,
  projectViewStatement,
  type ProjectTable,
} from '@millrace/clickhouse/users/project-view.ts';
import { storingSettings } from '@millrace/query-language/stored/stored-table.ts';
import { OwnStatementError } from './build-failure.ts';
import type { BuildLimits } from './build-limits.ts';
import type { BuildQuery } from './build-request.ts';
import type { IncrementStatement } from './increments/increment-sql.ts';

/** Which build sends a statement, until when. */
interface BuildScope {
  teamId: number;
  signal: AbortSignal;
}

/** A statement with SQL of users has an id of its own. ClickHouse may still run it after an error. */
export interface QueryScope extends BuildScope {
  queryId: string;
  /** Time at which the whole build must have ended, in milliseconds of `performance.now()`. */
  endsAtMs: number;
}

export interface TableSize {
  rows: number;
  /** On disk, compressed. */
  bytes: number;
}

/** Rows of numbers. */
export interface FoundNumbers {
  rows: number[][];
  /** Rows that were read for them. */
  rowsRead: number;
}

/**
 * Statements of builds in ClickHouse, as the user `materializer`. All of them may be given up by their signal.
 * @throws as `QueryConnection.query` does
 * @throws {OwnStatementError} when a statement that has nothing of the query fails
 */
export interface BuildStore {
  /** Types of the query's columns, in order. The limits of the build apply: ClickHouse computes constants of the query for it. */
  typesOf(query: BuildQuery, scope: QueryScope): Promise<string[]>;
  createTable(table: ProjectTable, scope: BuildScope): Promise<void>;
  /** Stores the rows of the query, up to one more than it may have. Returns the number of rows that it read. */
  fill(table: ProjectTable, query: Pick<BuildQuery, 'sql' | 'params'>, scope: QueryScope): Promise<number>;
  /** Stores rows that a statement of ours reads. Returns their number. */
  copy(table: ProjectTable, statement: IncrementStatement, scope: QueryScope): Promise<number>;
  /** Numbers that a statement of ours finds, within the limits of a build. */
  find(statement: IncrementStatement, scope: QueryScope): Promise<FoundNumbers>;
  sizeOf(name: string, scope: BuildScope): Promise<TableSize>;
  createView(table: ProjectTable, scope: BuildScope): Promise<void>;
  /** Removes a view and its table, if they are there. */
  drop(name: string): Promise<void>;
  /** Names of all tables and views that begin so. */
  namesOf(prefix: string): Promise<string[]>;
}

export interface BuildStoreOptions {
  headersOf: (teamId: number) => Readonly<Record<string, string>>;
  limits: BuildLimits;
}

type Settings = Readonly<Record<string, string | number>>;

const statementMsMax = 30_000;
/** Whoever stops waits for it; what is not removed then is removed by the sweep. */
const dropMsMax = 5_000;
const responseBytesMax = 4_000_000;
/** As of long queries (`engine-settings.ts`): beside a run, a build gets a tenth of a core's time. */
const niceOfBuilds = 10;
// Types of a query's columns may be such as ClickHouse warns of in tables, also in their keys.
const tableSettings: Settings = { ...storingSettings, allow_suspicious_types_in_order_by: 1 };

export function createBuildStore(
  connection: Pick<QueryConnection, 'query'>,
  { headersOf, limits }: BuildStoreOptions,
): BuildStore {
  const querySettings: Settings = {
    ...tableSettings,
    max_memory_usage: String(limits.memoryBytesMax),
    max_rows_to_read: String(limits.readRowsMax),
    max_bytes_to_read: String(limits.readBytesMax),
    max_threads: limits.threadsMax,
    max_insert_threads: 1,
    os_threads_nice_value_query: niceOfBuilds,
    // The size of the table is known, and the limit of memory kept, in steps of this much.
    min_insert_block_size_bytes: 67_108_864,
    async_insert: 0,
    wait_end_of_query: 1,
  };

  async function send(
    sql: string,
    {
      teamId,
      signal = new AbortController().signal,
      queryId = crypto.randomUUID(),
    }: { teamId?: number; signal?: AbortSignal; queryId?: string },
    more: {
      params?: Readonly<Record<string, ParameterValue>>;
      settings?: Settings;
      deadlineMs?: number;
      onRead?: (read: ReadSummary) => void;
    } = {},
  ): Promise<unknown[][]> {
    const { params = {}, settings = {}, deadlineMs = statementMsMax, onRead } = more;
    const bytes = await connection.query({
      sql,
      params,
      settings,
      headers: teamId === undefined ? {} : headersOf(teamId),
      queryId,
      signal,
      deadlineMs,
      responseBytesMax,
      ...(onRead && { onRead }),
    });
    return bytes.length === 0 ? [] : (JSON.parse(bytes.toString()) as { data: unknown[][] }).data;
  }

  /** A statement that reads what the query does: the limits of a build are its own, and it has the time that is left of the build. */
  async function sendQuery(
    { sql, params }: IncrementStatement,
    scope: QueryScope,
  ): Promise<{ rows: unknown[][]; rowsRead: number }> {
    const leftMs = scope.endsAtMs - performance.now();
    if (leftMs <= 0) throw new AppError('query_timeout');
    let rowsRead = 0;
    const rows = await send(sql, scope, {
      params,
      settings: { ...querySettings, max_execution_time: Math.ceil(leftMs / 1000) },
      deadlineMs: Math.ceil(leftMs) + 5_000,
      onRead: (read) => (rowsRead = read.rows),
    });
    return { rows, rowsRead };
  }

  async function insert(
    { name, columns }: ProjectTable,
    { sql, params }: IncrementStatement,
    scope: QueryScope,
  ): Promise<number> {
    const names = columns.map((column) => column.name).join(', ');
    const limited = `SELECT * FROM (\n${sql}\n) LIMIT ${limits.rowsMax + 1}`;
    return (await sendQuery({ sql: `INSERT INTO internal.${name} (${names}) ${limited}`, params }, scope)).rowsRead;
  }

  async function sendOwn(...statement: Parameters<typeof send>): Promise<unknown[][]> {
    try {
      return await send(...statement);
    } catch (error) {
      throw new OwnStatementError('a statement of a build failed', { cause: error });
    }
  }

  return {
    async typesOf({ sql, params }, scope) {
      const { rows } = await sendQuery({ sql: `DESCRIBE (\n${sql}\n) FORMAT JSONCompact`, params }, scope);
      return rows.map(([, type]) => String(type));
    },
    async createTable(table, scope) {
      await sendOwn(projectTableStatement(table), scope, { settings: tableSettings });
    },
    fill: insert,
    copy: insert,
    async find(statement, scope) {
      const { rows, rowsRead } = await sendQuery(statement, scope);
      return { rows: rows.map((row) => row.map(Number)), rowsRead };
    },
    async sizeOf(name, scope) {
      const [row = []] = await sendOwn(
        'SELECT total_rows, total_bytes FROM system.tables WHERE database = {database:String} AND name = {name:String} FORMAT JSONCompact',
        scope,
        { params: { database: 'internal', name } },
      );
      return { rows: Number(row[0] ?? 0), bytes: Number(row[1] ?? 0) };
    },
    async createView(table, scope) {
      await sendOwn(projectViewStatement(table, headersOf(table.teamId)), scope, { settings: tableSettings });
    },
    async drop(name) {
      await send(`DROP VIEW IF EXISTS materialized.${name}`, {}, { deadlineMs: dropMsMax });
      await send(`DROP TABLE IF EXISTS internal.${name}`, {}, { deadlineMs: dropMsMax });
    },
    async namesOf(prefix) {
      const rows = await send(
        "SELECT DISTINCT name FROM system.tables WHERE database IN ('internal', 'materialized') AND startsWith(name, {prefix:String}) FORMAT JSONCompact",
        {},
        { params: { prefix } },
      );
      return rows.map(([name]) => String(name));
    },
  };
}
