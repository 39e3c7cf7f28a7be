import { costOf, spend } from '../../budget.ts';
import { SpanError } from '../../query-error.ts';
import type { Alias, Expression } from '../../tree/expressions.ts';
import { rowsOfArrays } from '../../tree/rows-of-arrays.ts';
import type { JoinExpr, SelectQuery } from '../../tree/statements.ts';

// `unnest(list)` in FROM: ARRAY JOIN by another name.

/** Is this table a call of unnest()? */
export function isUnnest({ table, table_args }: JoinExpr): boolean {
  return table_args !== undefined && table.node === 'Field' && /^unnest$/i.test(table.chain.join('.'));
}

/** The rows of an unnest() that depends on no other table. */
export function unnestedRows(join: JoinExpr): SelectQuery {
  return rowsOfArrays(itemsOf(join), join);
}

const plainJoins: ReadonlySet<string> = new Set(['CROSS JOIN', 'JOIN', 'INNER JOIN']);
const later: ReadonlySet<string> = new Set([...plainJoins, 'LEFT JOIN', 'LEFT OUTER JOIN']);

/**
 * The query with `FROM t, unnest(t.list) AS item` as `FROM t ARRAY JOIN t.list AS item`. Throws `SpanError` where this would not be the same.
 */
export function withoutUnnest(query: SelectQuery): SelectQuery {
  const { select_from: first } = query;
  if (!first?.next_join) return query;
  const joins: JoinExpr[] = [];
  for (let join: JoinExpr | undefined = first; join; join = join.next_join) joins.push(join);
  const at = joins.findIndex((join, index) => index > 0 && isUnnest(join));
  const unnest = joins[at];
  if (!unnest) return query;
  spend(joins.length * costOf.visit, unnest);
  check(query, joins, at);
  const select_from = joins.toSpliced(at, 1).reduceRight<JoinExpr | undefined>((next, join) => {
    const { next_join: _next, ...own } = join;
    return next ? { ...own, next_join: next } : own;
  }, undefined);
  const array_join_list = itemsOf(unnest).map(({ name, array }): Alias => ({
    node: 'Alias',
    alias: name,
    expr: array,
    ...(unnest.alias === undefined ? {} : { table: unnest.alias }),
    start: unnest.start,
    end: unnest.end,
  }));
  return {
    ...query,
    ...(select_from ? { select_from } : {}),
    array_join_op: 'ARRAY JOIN',
    array_join_list,
  };
}

function check(query: SelectQuery, joins: readonly JoinExpr[], at: number): void {
  const unnest = joins[at] as JoinExpr;
  const other = joins.find((join, index) => index > at && isUnnest(join)) ?? query.array_join_list?.[0];
  if (other)
    throw new SpanError(
      'not_supported',
      'One FROM can have only one unnest() or ARRAY JOIN; put the first into a sub-query: FROM (SELECT *, item FROM t ARRAY JOIN a AS item), unnest(b) AS other',
      other,
    );
  const isPlain = plainJoins.has(unnest.join_type ?? '') && (!unnest.constraint || isAlways(unnest.constraint.expr));
  if (!isPlain || unnest.natural)
    throw new SpanError(
      'not_supported',
      'unnest() must come after a comma or CROSS JOIN. To keep the rows whose lists are empty write LEFT ARRAY JOIN list AS item. Write a condition on items in WHERE',
      unnest,
    );
  const outer = joins.find((join, index) => index > at && (join.natural || !later.has(join.join_type ?? '')));
  if (outer)
    throw new SpanError(
      'not_supported',
      `unnest() must come after the last ${outer.join_type ?? 'JOIN'}, or be in its own sub-query`,
      unnest,
    );
}

function isAlways(condition: Expression): boolean {
  return condition.node === 'Constant' && (condition.value === true || condition.value === 1);
}

// The alias of one list is the name of its items too, as in Postgres.
function itemsOf(join: JoinExpr): { name: string; array: Expression }[] {
  const { table_args: arrays = [], columns, alias = 'unnest' } = join;
  const names = columns ?? (arrays.length === 1 ? [alias] : arrays.map((_, at) => `column${at + 1}`));
  if (arrays.length === 0 || names.length !== arrays.length)
    throw new SpanError(
      'wrong_arguments',
      `unnest() takes one list for each of its columns: unnest(list) AS item, unnest(a, b) AS t(x, y)`,
      join,
    );
  return arrays.map((array, at) => ({ name: names[at] ?? '', array }));
}
