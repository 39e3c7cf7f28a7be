import type { Expression } from '../../tree/expressions.ts';
import type { Cte, SelectQuery, Statement } from '../../tree/statements.ts';
import type { PlannedKey } from '../plan.ts';
import { isStar } from '../selects/select-shape.ts';
import { addKeys, type AddedKey } from '../transform/add-keys.ts';
import { allOf, conjunctsOf } from '../selects/tree-conditions.ts';
import { equal, field } from '../transform/make-nodes.ts';
import { isColumnOf, type Carrier } from './carriers.ts';

/** The CTEs of a query with the keys in those that carry them. */
export function carryKeys(
  ctes: readonly Cte[],
  home: { readonly cte: Cte; readonly build: SelectQuery },
  carriers: readonly Carrier[],
  keys: readonly PlannedKey[],
): Cte[] {
  return ctes.map((cte) => {
    const names = cte.columns && { columns: [...cte.columns, ...keys.map(({ column }) => column)] };
    if (cte === home.cte) return { ...cte, ...names, expr: home.build };
    const own = carriers.filter((carrier) => carrier.cte === cte);
    return own.length === 0 ? cte : { ...cte, ...names, expr: carriedIn(cte.expr as Statement, own, keys) };
  });
}

function carriedIn(expr: Statement, carriers: readonly Carrier[], keys: readonly PlannedKey[]): Statement {
  const carried = (query: Statement): Statement => {
    const carrier = carriers.find((each) => each.query === query);
    return carrier ? withKeys(carrier, carrier.query, keys) : query;
  };
  if (expr.node === 'SelectQuery') return carried(expr);
  return {
    ...expr,
    initial_select_query: carried(expr.initial_select_query),
    subsequent_select_queries: expr.subsequent_select_queries.map((each) => ({
      ...each,
      select_query: carried(each.select_query),
    })),
  };
}

/** A SELECT that reads carried keys, with them in it. Tables that both carry them have the same in each row. */
export function withKeys(carrier: Carrier, query: SelectQuery, keys: readonly PlannedKey[]): SelectQuery {
  const [first, ...others] = carrier.readings;
  const equalities = others.flatMap(({ name }) =>
    keys.map(({ column }) => equal(field(first?.name ?? '', column), field(name, column))),
  );
  const where = allOf([...conjunctsOf(query.where), ...equalities]);
  const joined = equalities.length > 0 && where ? { ...query, where } : query;
  return addKeys(joined, carriedColumns(carrier, query, keys));
}

/** The carried keys as columns of a SELECT that reads them. */
function carriedColumns({ readings }: Carrier, query: SelectQuery, keys: readonly PlannedKey[]): AddedKey[] {
  const [first] = readings;
  return keys.flatMap(({ column }): AddedKey[] => {
    if (query.select.some(isStar)) return [];
    const own = query.select.find((item): item is Expression & { node: 'Field' } => isColumnOf(item, column, readings));
    return [{ column, expression: own ?? field(first?.name ?? '', column) }];
  });
}
