import type { Span } from '../query-error.ts';
import type { Alias, Expression, Field, Placeholder, WindowExpr } from './expressions.ts';

// Statements of the syntax tree, and their parts beside expressions.

export interface OrderExpr extends Span {
  node: 'OrderExpr';
  expr: Expression;
  order: 'ASC' | 'DESC';
  /** Ours: the published tree drops NULLS FIRST and NULLS LAST. */
  nulls?: 'FIRST' | 'LAST';
  with_fill?: WithFillExpr;
}

/** `WITH FILL [FROM …] [TO …] [STEP …]`: rows for the values in between. */
export interface WithFillExpr extends Span {
  node: 'WithFillExpr';
  from_value?: Expression;
  to_value?: Expression;
  step_value?: Expression;
}

/** `INTERPOLATE (name AS value)`: what a column holds in rows that WITH FILL adds; without a value that of the row before. */
export interface InterpolateExpr extends Span {
  node: 'InterpolateExpr';
  name: string;
  value?: Expression;
}

export interface JoinConstraint extends Span {
  node: 'JoinConstraint';
  constraint_type: 'ON' | 'USING';
  expr: Expression;
}

export interface JoinExpr extends Span {
  node: 'JoinExpr';
  table: Field | Placeholder | SelectQuery | SelectSetQuery;
  table_args?: Expression[];
  table_final?: true;
  alias?: string;
  /** Ours: names of the columns of a sub-query or of a table function, as in `(VALUES (1, 2)) AS t(a, b)`. */
  columns?: string[];
  join_type?: string;
  /** Ours: the published tree drops NATURAL. */
  natural?: true;
  constraint?: JoinConstraint;
  next_join?: JoinExpr;
}

/** One of GROUPING SETS: keys that are grouped by together; none for the whole. */
export interface GroupingSet extends Span {
  node: 'GroupingSet';
  exprs: Expression[];
}

/** `LIMIT n [OFFSET m] BY …`: so many rows of each group. */
export interface LimitByExpr extends Span {
  node: 'LimitByExpr';
  n: Expression;
  offset_value?: Expression;
  exprs: Expression[];
}

/** `x AS (SELECT …)` is a sub-query, `<expression> AS x` a column. */
export interface Cte extends Span {
  node: 'CTE';
  name: string;
  /** Names of the sub-query's columns, as in `WITH t(a, b) AS (…)`. */
  columns?: string[];
  cte_type: 'subquery' | 'column';
  /** Behind WITH RECURSIVE, as all of its list. */
  recursive?: true;
  expr: Expression | SelectQuery | SelectSetQuery;
}

export interface SelectQuery extends Span {
  node: 'SelectQuery';
  ctes?: Cte[];
  distinct?: true;
  select: Expression[];
  select_from?: JoinExpr;
  array_join_op?: 'ARRAY JOIN' | 'LEFT ARRAY JOIN' | 'INNER ARRAY JOIN';
  array_join_list?: Alias[];
  prewhere?: Expression;
  where?: Expression;
  /** Sets of keys with mode `grouping_sets`, keys otherwise. `WITH ROLLUP` and `WITH CUBE`, which the published tree drops, are modes too. */
  group_by?: (Expression | GroupingSet)[];
  group_by_mode?: 'all' | 'rollup' | 'cube' | 'grouping_sets';
  having?: Expression;
  qualify?: Expression;
  window_exprs?: Record<string, WindowExpr>;
  order_by?: OrderExpr[];
  /** Empty: every column that is not sorted by. */
  interpolate?: InterpolateExpr[];
  limit_by?: LimitByExpr;
  limit?: Expression;
  limit_with_ties?: true;
  offset?: Expression;
}

/** INTERSECT binds tighter than the others; those without a word after them are the ALL forms, but for UNION. */
export type SetOperator =
  | 'UNION ALL'
  | 'UNION DISTINCT'
  | 'INTERSECT'
  | 'INTERSECT ALL'
  | 'INTERSECT DISTINCT'
  | 'EXCEPT'
  | 'EXCEPT ALL'
  | 'EXCEPT DISTINCT';

export interface SelectSetNode extends Span {
  node: 'SelectSetNode';
  select_query: SelectQuery | SelectSetQuery;
  set_operator: SetOperator;
}

export interface SelectSetQuery extends Span {
  node: 'SelectSetQuery';
  initial_select_query: SelectQuery | SelectSetQuery;
  subsequent_select_queries: SelectSetNode[];
  limit?: Expression;
  offset?: Expression;
}

export type Statement = SelectQuery | SelectSetQuery;
