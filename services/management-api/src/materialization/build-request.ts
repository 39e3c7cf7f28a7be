import type { ParameterValue } from '@millrace/clickhouse/query/format-parameter.ts';
import type { TenantSql } from '@millrace/query-language/tenant-sql.ts';

/** A column of the rows that a build stores, in the order of its query. */
interface BuildColumn {
  name: string;
  /** Runs compare it with the values of variables: the table is ordered by these. */
  isKey: boolean;
}

/** A query whose rows are to be stored. */
export interface BuildQuery {
  sql: TenantSql;
  /** Values of the query's parameters. */
  params: Readonly<Record<string, ParameterValue>>;
  columns: readonly BuildColumn[];
  /** Kept with the table, as JSON: whatever readers must know of how it was made. */
  plan?: unknown;
}

/** The query that materializes a version as it is now. @throws {AppError} when it cannot be compiled; the build then fails with that sentence */
export type CompileBuild = (versionId: string) => Promise<BuildQuery>;

/** A column of a stored table. No text of a user is a name in ClickHouse: `name` is the user's, `column` ours. */
interface StoredColumn extends BuildColumn {
  column: string;
  /** As ClickHouse prints it. */
  type: string;
}

/** The table of a row of `materializations`. */
export interface TableLayout {
  columns: readonly StoredColumn[];
  plan: unknown;
}
