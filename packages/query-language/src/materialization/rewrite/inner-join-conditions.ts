import type { Expression } from '../../tree/expressions.ts';
import type { JoinExpr, SelectQuery } from '../../tree/statements.ts';
import { allOf, conjunctsOf, hasVariable, joinsOf } from '../selects/tree-conditions.ts';
import { someNode } from '../selects/walk.ts';
import { aliasesOf, isMovable, withConditions } from './moved-conditions.ts';
import type { RewriteRule } from './rewrite-rule.ts';

/** A condition with a variable in ON of an inner join belongs to WHERE as well. */
export const innerJoinConditions: RewriteRule = {
  name: 'inner-join-conditions',
  explanation: 'A comparison with a variable was moved from ON of an inner join into WHERE.',
  rewrite: (query) => {
    const joins = joinsOf(query.select_from);
    const moved: Expression[] = [];
    const rewritten = joins.map((join, at) => withoutConditions(join, at, joins, query, moved));
    if (moved.length === 0) return query;
    const select_from = rewritten.reduceRight<JoinExpr | undefined>((next_join, join) => {
      const { next_join: _next, ...own } = join;
      return next_join ? { ...own, next_join } : own;
    }, undefined);
    return withConditions({ ...query, ...(select_from ? { select_from } : {}) }, moved);
  },
};

const inner: ReadonlySet<string> = new Set(['JOIN', 'INNER JOIN', 'ALL INNER JOIN']);
/** Joins that keep every row before them, or drop it whatever else is joined. */
const keeping: ReadonlySet<string> = new Set([...inner, 'CROSS JOIN', 'LEFT JOIN', 'LEFT OUTER JOIN', 'LEFT ALL JOIN']);

// Adds what is moved to the list.
function withoutConditions(
  join: JoinExpr,
  at: number,
  joins: readonly JoinExpr[],
  query: SelectQuery,
  moved: Expression[],
): JoinExpr {
  const { constraint } = join;
  const later = joins.slice(at + 1);
  if (!constraint || constraint.constraint_type !== 'ON' || !inner.has(join.join_type ?? '')) return join;
  if (!later.every(({ join_type, natural }) => keeping.has(join_type ?? '') && !natural)) return join;
  const means = meaningOf(joins, later.length === 0, query);
  const conjuncts = conjunctsOf(constraint.expr);
  const own = conjuncts.filter((conjunct) => hasVariable(conjunct) && isMovable(conjunct) && means(conjunct));
  const expr = allOf(conjuncts.filter((conjunct) => !own.includes(conjunct)));
  if (own.length === 0 || !expr) return join;
  moved.push(...own);
  return { ...join, constraint: { ...constraint, expr } };
}

// Do the names of a condition mean in WHERE what they mean in ON? Behind the last join all do that are no aliases, elsewhere those of a table.
function meaningOf(
  joins: readonly JoinExpr[],
  isLast: boolean,
  query: SelectQuery,
): (condition: Expression) => boolean {
  const aliases = aliasesOf(query);
  const tables = new Set(
    joins.map(
      ({ table, alias }) => alias ?? (table.node === 'Field' ? table.chain[table.chain.length - 1] : undefined),
    ),
  );
  const usesMerged = joins.some(({ natural, constraint }) => natural || constraint?.constraint_type === 'USING');
  return (condition) =>
    !someNode(condition, (node) => {
      if (node.node !== 'Field') return false;
      const [first = ''] = node.chain;
      const isOfTable = node.chain.length > 1 && tables.has(first);
      return aliases.has(first) || !(isOfTable || (isLast && !usesMerged));
    });
}
