import { AppError } from '@millrace/http/errors/errors.ts';
import { Budget } from '@millrace/query-language/budget.ts';
import { prepareStatement } from '@millrace/query-language/compile.ts';
import { servesValue } from '@millrace/query-language/materialization/keys/serves-value.ts';
import { parseSelect } from '@millrace/query-language/parse.ts';
import { noNames, schemaOf, type KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import { parseStoredType } from '@millrace/query-language/stored/parse-stored-type.ts';
import { readDeclarations, type VariableValue } from '../definition/variables.ts';
import { insightRowsMax } from '../insights/insight-kind.ts';
import { insightKindOf } from '../insights/insight-kinds.ts';
import { resultsOf } from './prepare-insight.ts';
import { prepareStored, storedRowsOf, type StoredInsight } from '../insights/stored-insight.ts';
import { valuesOf } from './bound-values.ts';
import type { CheckedQuery } from './check-query.ts';
import type { CompiledRun, PreparedEndpointQuery, RowRequest } from './prepared-endpoint-query.ts';
import { tableInPlan, type TablePlan } from './compile-table.ts';
import { keepingLast } from './keeping-last.ts';
import { runError, translated } from './translated-errors.ts';

/** A stored table, and the version whose runs read it: plain data. */
export interface TableToRead {
  plan: TablePlan;
  /** Its name in database `materialized`. */
  view: string;
  query: CheckedQuery;
  kept: KeptTypes;
}

/** A stored table, ready for the runs of its version. Its warnings are none: places in its plan are no places of the query. */
export interface PreparedTable extends PreparedEndpointQuery {
  /** Does the table answer these values as the query itself does? */
  serves(values: Readonly<Record<string, VariableValue>>): boolean;
  emptyMeansInline: boolean;
}

/** A prepared table that is compiled in the caller's thread. Its plan has all that it needs beside values and rows. */
export interface PreparedTableHere extends PreparedTable {
  compile(
    values: Readonly<Record<string, VariableValue>>,
    rows: RowRequest,
    filterContext?: unknown,
    names?: unknown,
  ): CompiledRun;
}

/** All of a prepared table but its compiling: nothing is parsed. @throws {Error} for types that this release does not know */
export function describeTable({ plan, query }: TableToRead): Omit<PreparedTable, 'compile'> {
  const { columns, keys, emptyMeansInline, timeZone } = plan;
  const typeOf = new Map(columns.map(({ name, type }) => [name, parseStoredType(type)]));
  return {
    variables: readDeclarations(query.variables),
    wantsTestAccounts: false,
    emptyMeansInline,
    serves: (values) => keys.every((key) => servesValue(key, values[key.variable], typeOf.get(key.column), timeZone)),
  };
}

/**
 * Prepares the read of a table in the caller's thread. `units`: budget of each printing, by default that of any statement.
 * @throws {Error} for a plan that this release cannot read
 */
export function prepareTable(table: TableToRead, units?: number): PreparedTableHere {
  const { plan, view, query, kept } = table;
  const { read, columns, names, timeZone } = plan;
  const described = describeTable(table);
  const insight = plan.insight && readerOf(table, plan.insight);
  const tree = translated(() => parseSelect(read), unreadable);
  const prepared = prepareStatement(tree);
  const stored = columns.map(({ type, ...column }) => ({ ...column, type: parseStoredType(type) }));
  const schema = schemaOf(noNames, kept);
  const compile = keepingLast((values, rows) => {
    const statement = insight === undefined ? prepared : prepareStatement({ ...tree, ...insight.rowsOf(values) });
    const printed = translated(
      () =>
        statement.print(
          {
            ...valuesOf(described.variables, values, query.values ?? {}, timeZone),
            timeZone,
            schema,
            stored: { [tableInPlan]: { view, columns: stored } },
          },
          insight === undefined ? rows : { rowsMax: insightRowsMax },
          new Budget(units),
        ),
      runError,
    );
    // Not each text of an expression can be an alias in the read.
    const shown = printed.columns.map((column, at) => ({ ...column, name: names?.[at] ?? column.name }));
    return { ...printed, columns: shown, warnings: [], ...insight?.results };
  });
  return { ...described, compile: (values, rows) => compile(values, rows, { timeZone, testAccounts: [], nowMs: 0 }) };
}

/** Reader of a stored insight: rows of a run's values, and the results that an inline run at the moment of the build would make of them. */
function readerOf({ plan: { keys, timeZone }, query }: TableToRead, { folded, ...moment }: StoredInsight) {
  const kind = insightKindOf(query);
  if (kind === undefined) throw new Error('the query of a stored insight is one');
  const insight = prepareStored(kind, query, { ...moment, timeZone, testAccounts: [] });
  return {
    rowsOf(values: Readonly<Record<string, VariableValue>>) {
      const where = storedRowsOf(keys, folded, values);
      return where === undefined ? {} : { where };
    },
    results: resultsOf(insight),
  };
}

/** The author of the query cannot repair it: a build with this release does. */
const unreadable = (cause: Error): AppError => new AppError('error', { cause });
