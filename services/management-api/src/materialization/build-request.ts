import type { ParameterValue } from '@millrace/clickhouse/query/format-parameter.ts';
import type { Bucket } from '@millrace/query-language/materialization/increments/within-buckets.ts';
import type { TenantSql } from '@millrace/query-language/tenant-sql.ts';
import type { BuildBuckets } from '../queries/compile/compile-table.ts';
import type { TableIncrement } from './increments/table-increment.ts';

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
  /** How some buckets of it can be built alone. Without them each build is whole. */
  buckets?: BuildBuckets | null;
}

/** The query that materializes a version as it is now; only the rows of some buckets with `within`. @throws {AppError} when it cannot be compiled; the build then fails with that sentence */
export type CompileBuild = (versionId: string, within?: readonly Bucket[]) => Promise<BuildQuery>;

/** A column of a stored table. No text of a user is a name in ClickHouse: `name` is the user's, `column` ours. */
export interface LayoutColumn extends BuildColumn {
  column: string;
  /** As ClickHouse prints it. */
  type: string;
}

/** The table of a row of `materializations`. */
export interface TableLayout {
  columns: readonly LayoutColumn[];
  plan: unknown;
  /** By this the next build goes on with the table. */
  increment?: TableIncrement;
}
