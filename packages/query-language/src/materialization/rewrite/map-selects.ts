import type { JoinExpr, SelectQuery, Statement } from '../../tree/statements.ts';

/** The statement with every SELECT whose rows it reads in the place of what `change` makes of it: members of sets, sub-queries in WITH and FROM, and itself. */
export function mapSelects(tree: Statement, change: (query: SelectQuery) => SelectQuery): Statement {
  const inside = (part: Statement): Statement => mapSelects(part, change);
  if (tree.node === 'SelectSetQuery')
    return {
      ...tree,
      initial_select_query: inside(tree.initial_select_query),
      subsequent_select_queries: tree.subsequent_select_queries.map((member) => ({
        ...member,
        select_query: inside(member.select_query),
      })),
    };
  const { ctes, select_from } = tree;
  return change({
    ...tree,
    ...(ctes
      ? {
          ctes: ctes.map((cte) =>
            cte.cte_type === 'subquery' && (cte.expr.node === 'SelectQuery' || cte.expr.node === 'SelectSetQuery')
              ? { ...cte, expr: inside(cte.expr) }
              : cte,
          ),
        }
      : {}),
    ...(select_from ? { select_from: inJoins(select_from, inside) } : {}),
  });
}

function inJoins(join: JoinExpr, inside: (part: Statement) => Statement): JoinExpr {
  const { table, next_join } = join;
  return {
    ...join,
    table: table.node === 'SelectQuery' || table.node === 'SelectSetQuery' ? inside(table) : table,
    ...(next_join ? { next_join: inJoins(next_join, inside) } : {}),
  };
}
