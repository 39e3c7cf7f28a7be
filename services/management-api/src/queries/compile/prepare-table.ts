import { Budget } from '@millrace/query-language/budget.ts';
import { prepareStatement } from '@millrace/query-language/compile.ts';
import { servesValue } from '@millrace/query-language/materialization/keys/serves-value.ts';
import { parseSelect } from '@millrace/query-language/parse.ts';
import { noNames, schemaOf, type KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import { parseStoredType } from '@millrace/query-language/stored/parse-stored-type.ts';
import type { DeclaredVariable, VariableValue } from '../definition/variables.ts';
import { valuesOf } from './bound-values.ts';
import type { CheckedQuery } from './check-query.ts';
import type { PreparedHere } from './prepared-endpoint-query.ts';
import { tableInPlan, type TablePlan } from './compile-table.ts';
import { keepingLast } from './keeping-last.ts';
import { runError, translated } from './translated-errors.ts';

/** A stored table, ready for the runs of its version. */
export interface PreparedTable extends PreparedHere {
  /** Does the table answer these values as the query itself does? */
  serves(values: Readonly<Record<string, VariableValue>>): boolean;
  emptyMeansInline: boolean;
}

/** Prepares the read of a table. `view`: its name in database `materialized`. @throws {Error} for a plan that this release cannot read */
export function prepareTable(
  { read, columns, keys, emptyMeansInline, timeZone }: TablePlan,
  view: string,
  { declared, query, kept }: { declared: readonly DeclaredVariable[]; query: CheckedQuery; kept: KeptTypes },
): PreparedTable {
  const prepared = prepareStatement(parseSelect(read));
  const stored = columns.map(({ type, ...column }) => ({ ...column, type: parseStoredType(type) }));
  const typeOf = new Map(stored.map(({ name, type }) => [name, type]));
  const schema = schemaOf(noNames, kept);
  return {
    variables: declared,
    wantsTestAccounts: false,
    emptyMeansInline,
    serves: (values) => keys.every((key) => servesValue(key, values[key.variable], typeOf.get(key.column), timeZone)),
    compile: keepingLast((values, rows) =>
      translated(
        () =>
          prepared.print(
            {
              ...valuesOf(declared, values, query.values ?? {}, timeZone),
              timeZone,
              schema,
              stored: { [tableInPlan]: { view, columns: stored } },
            },
            rows,
            new Budget(),
          ),
        runError,
      ),
    ),
  };
}
