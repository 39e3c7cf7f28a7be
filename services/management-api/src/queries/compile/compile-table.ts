import { AppError } from '@millrace/http/errors/errors.ts';
import { compileStored, type StoredQuery } from '@millrace/query-language/compile.ts';
import { changingParts } from '@millrace/query-language/materialization/increments/changing-parts.ts';
import { planBuckets, type PlannedBuckets } from '@millrace/query-language/materialization/increments/plan-buckets.ts';
import { withinBuckets, type Bucket } from '@millrace/query-language/materialization/increments/within-buckets.ts';
import type { ServedKey } from '@millrace/query-language/materialization/keys/serves-value.ts';
import type { PlannedKey, RangePair } from '@millrace/query-language/materialization/plan.ts';
import { noNames, schemaOf, type KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import type { StoredColumn } from '@millrace/query-language/stored/stored-table.ts';
import type { Statement } from '@millrace/query-language/tree/statements.ts';
import { writeStatement } from '@millrace/query-language/write/write-statement.ts';
import { readFilters, type FilterContext } from '../definition/filters.ts';
import { valuesOf } from './bound-values.ts';
import type { InsightKind } from '../insights/insight-kind.ts';
import { prepareStored, storedBreakdown, type StoredInsight } from '../insights/stored-insight.ts';
import type { CheckedQuery } from './check-query.ts';
import { planStored } from './plan-stored.ts';
import { sourceFingerprint } from './source-fingerprint.ts';
import { saveError, translated } from './translated-errors.ts';

/** Facts by which runs read a table. They are kept with the table as JSON, so that it is read by the plan that made it. */
export interface TablePlan {
  /** The query of a run on the table `table`, with the variables in it. */
  read: string;
  /** Columns of the table, with their types in the query. */
  columns: readonly StoredColumn[];
  /** Names of the columns of a run; left out where a star says what they are. */
  names?: readonly string[];
  keys: readonly TableKey[];
  /** Where the read finds no row, the query itself has one. */
  emptyMeansInline: boolean;
  /** Zone of the project when the table was made: days are days of this zone. */
  timeZone: string;
  ranges: readonly RangePair[];
  /** Names its source (`sourceFingerprint`): a run of anything else does not read it. */
  fingerprint: string;
  /** Only of an insight. */
  insight?: StoredInsight;
}

/** A stored column that a variable is compared with. */
type TableKey = ServedKey & Pick<PlannedKey, 'variable' | 'column'>;

/** The query that fills a table, and the plan of the runs that read it. */
export interface CompiledTable {
  sql: StoredQuery['sql'];
  params: StoredQuery['params'];
  columns: { name: string; isKey: boolean }[];
  plan: TablePlan;
  /** How some buckets of it can be built alone; null: it is built whole each time. */
  buckets: BuildBuckets | null;
}

/** Rows of a table that each are of the events of one bucket of time: a build can do some of these again. */
export interface BuildBuckets extends Pick<PlannedBuckets, 'unit' | 'exact'> {
  /** Name of the stored column that holds the bucket. */
  column: string;
  /** Buckets are those of this zone. */
  timeZone: string;
  /** Merges of persons change its rows. */
  readsPersons: boolean;
}

/** A version's query, and what its table depends on beside it. */
export interface TableSource {
  query: CheckedQuery;
  kept: KeptTypes;
  bucketOverrides: Readonly<Record<string, string>> | null;
  filterContext: FilterContext;
  /** Only the rows of these. @throws {Error} for a table that has none */
  within?: readonly Bucket[];
}

/** Name of the table in `TablePlan.read`. */
export const tableInPlan = 'table';

/**
 * Plans and compiles the table of a version. Pure.
 * @throws {AppError} 400: a rule refuses the query (contract/endpoints 6.2), or no table can hold what it returns
 */
export function compileTable(source: TableSource): CompiledTable {
  const { query, kept, bucketOverrides, filterContext, within } = source;
  const { timeZone } = filterContext;
  const planned = planStored(query, bucketOverrides);
  if (!planned.ok) throw new AppError('invalid_input', { detail: planned.refusal.reason });
  if ('insight' in planned) return compileInsight(planned.insight, source);
  const { build, read, columns: names, keys, emptyMeansInline, rangePairs } = planned.plan;
  const found = planBuckets(build);
  const buckets = 'buckets' in found ? found.buckets : null;
  const { sql, params, columns } = translated(
    () =>
      compileStored(within === undefined ? build : partOf(buckets, within), {
        ...valuesOf([], {}, query.values ?? {}),
        timeZone,
        filters: readFilters(query.filters, filterContext),
        schema: schemaOf(noNames, kept),
      }),
    saveError,
  );
  const keyColumns = new Set(keys.map(({ column }) => column));
  return {
    sql,
    params,
    columns: columns.map(({ name }) => ({ name, isKey: keyColumns.has(name) })),
    plan: {
      read: writeStatement(read(tableInPlan), { keepNames: true }),
      columns,
      ...(names && { names }),
      keys: keys.map(tableKey),
      emptyMeansInline,
      timeZone,
      ranges: rangePairs,
      fingerprint: sourceFingerprint({ query, propertyTypes: kept, bucketOverrides }, filterContext),
    },
    buckets: buckets && bucketsOf(buckets, { sql, columns, timeZone }),
  };
}

/** An insight is built whole each time: each of its rows is of its whole range. */
function compileInsight(
  kind: InsightKind,
  { query, kept, bucketOverrides, filterContext }: TableSource,
): CompiledTable {
  const { timeZone, nowMs, earliest } = filterContext;
  const { statement } = prepareStored(kind, query, filterContext);
  const compiled = translated(
    () => compileStored(statement(), { timeZone, schema: schemaOf(noNames, kept) }),
    saveError,
  );
  // Columns of our statements have no names that a read could use.
  const columns = compiled.columns.map((column) => ({ ...column, name: column.column }));
  const { keys, folded } = storedBreakdown(kind, query);
  const keyColumns = new Set(keys.map(({ column }) => column));
  return {
    sql: compiled.sql,
    params: compiled.params,
    columns: columns.map(({ name }) => ({ name, isKey: keyColumns.has(name) })),
    plan: {
      read: `SELECT * FROM \`${tableInPlan}\``,
      columns,
      keys: keys.map((key) => ({ ...key, ...keyOfInsight })),
      emptyMeansInline: false,
      timeZone,
      ranges: [],
      fingerprint: sourceFingerprint({ query, propertyTypes: kept, bucketOverrides }, filterContext),
      insight: { nowMs, ...(earliest !== undefined && { earliest }), ...(folded !== undefined && { folded }) },
    },
    buckets: null,
  };
}

/** A column of texts that one value is compared with; which of them runs may leave out is not decided by the query. */
const keyOfInsight = {
  isOptional: false,
  isPinned: false,
  isGroupKey: false,
  isExactAtStart: false,
  exactFor: undefined,
  bucketFn: null,
  wrapper: null,
} as const;

function partOf(buckets: PlannedBuckets | null, within: readonly Bucket[]): Statement {
  if (buckets === null) throw new Error('the table has no buckets');
  return withinBuckets(buckets, within);
}

// Sums of floats depend on their order.
const exactKinds: ReadonlySet<string> = new Set(['integer', 'text', 'uuid', 'datetime', 'date', 'boolean']);

/** Null: the query reads tables of which nobody says what changed. */
function bucketsOf(
  { column, unit, exact }: PlannedBuckets,
  { sql, columns, timeZone }: Pick<CompiledTable, 'sql'> & { columns: readonly StoredColumn[]; timeZone: string },
): BuildBuckets | null {
  const changing = changingParts(sql);
  if (changing === undefined) return null;
  const sound = new Set(columns.filter(({ type }) => exactKinds.has(type.kind)).map(({ name }) => name));
  return { column, unit, timeZone, exact: exact.filter((name) => sound.has(name)), ...changing };
}

function tableKey({
  path: _path,
  expression: _expression,
  operators: _operators,
  separator: _separator,
  ...key
}: PlannedKey): TableKey {
  return { ...key, wrapper: key.wrapper === null ? null : true };
}
