import type { Span } from '../query-error.ts';
import type { Command } from './commands.ts';
import type { ReadAs, RowCondition, TextSearch } from './made-expressions.ts';
import type {
  Cte,
  GroupingSet,
  InterpolateExpr,
  JoinConstraint,
  JoinExpr,
  LimitByExpr,
  OrderExpr,
  SelectQuery,
  SelectSetNode,
  SelectSetQuery,
  WithFillExpr,
} from './statements.ts';

// The syntax tree. Node names and shapes are HogQL's published ones; positions are offsets into the text.
// Parts that a statement does not have are left out (the published form writes null).

/** A name or a path of names: `event`, `properties.$browser`, `e.*`. */
export interface Field extends Span {
  node: 'Field';
  chain: string[];
  /** Ours, in trees that code makes: the place of its table in FROM. It is a column of that table then, whatever else has its name. */
  from?: number;
  /** Ours: the name begins in double quotes, in which many write texts. */
  quoted?: true;
}

/** A literal. `value_type: 'number'` marks a number that JavaScript cannot hold, with its text in `value`. */
export interface Constant extends Span {
  node: 'Constant';
  value: null | boolean | number | string;
  value_type?: 'number';
}

/** A function call, also what CASE, INTERVAL, `||`, `??` and `? :` stand for. `params` are those of `quantile(0.9)(x)`. */
export interface Call extends Span {
  node: 'Call';
  name: string;
  args: Expression[];
  params?: Expression[];
  distinct?: boolean;
  /** `FILTER (WHERE …)` after an aggregate. */
  filter_expr?: Expression;
  /** `groupArray(a ORDER BY b)`. */
  order_by?: OrderExpr[];
  /** `quantile(0.5) WITHIN GROUP (ORDER BY x)`: the arguments before it are in `params`. */
  within_group?: OrderExpr[];
  /** Ours: the published parser drops IGNORE NULLS and refuses RESPECT NULLS. */
  nulls?: Nulls;
}

/** Treatment of NULL by an aggregate or a function of windows. */
export type Nulls = 'IGNORE' | 'RESPECT';

/** `f(…) OVER (…)`, or OVER a window's name. As published, `exprs` are the arguments; of `quantile(0.9)(x)` they are the parameters, and `args` the arguments. */
export interface WindowFunction extends Span {
  node: 'WindowFunction';
  name: string;
  exprs: Expression[];
  args: Expression[];
  /** Ours: the published parser refuses DISTINCT here and drops FILTER. */
  distinct?: true;
  filter_expr?: Expression;
  nulls?: Nulls;
  over_expr?: WindowExpr;
  over_identifier?: string;
}

export interface WindowExpr extends Span {
  node: 'WindowExpr';
  partition_by?: Expression[];
  order_by?: OrderExpr[];
  frame_method?: 'ROWS' | 'RANGE';
  frame_start?: WindowFrameExpr;
  frame_end?: WindowFrameExpr;
}

/** Begin or end of a frame; without a number it is unbounded. */
export interface WindowFrameExpr extends Span {
  node: 'WindowFrameExpr';
  frame_type: 'CURRENT ROW' | 'PRECEDING' | 'FOLLOWING';
  frame_value?: number;
}

interface And extends Span {
  node: 'And';
  exprs: Expression[];
}

interface Or extends Span {
  node: 'Or';
  exprs: Expression[];
}

interface Not extends Span {
  node: 'Not';
  expr: Expression;
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';

interface ArithmeticOperation extends Span {
  node: 'ArithmeticOperation';
  left: Expression;
  op: ArithmeticOperator;
  right: Expression;
}

export type CompareOperator =
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'like'
  | 'not like'
  | 'ilike'
  | 'not ilike'
  | '=~'
  | '!~'
  | '=~*'
  | '!~*'
  | 'in'
  | 'not in'
  | 'in cohort'
  | 'not in cohort';

/** A comparison. `is_null_comparison_style` marks `IS [NOT] NULL`. */
export interface CompareOperation extends Span {
  node: 'CompareOperation';
  left: Expression;
  op: CompareOperator;
  right: Expression | SelectQuery | SelectSetQuery;
  is_null_comparison_style?: true;
}

interface BetweenExpr extends Span {
  node: 'BetweenExpr';
  expr: Expression;
  low: Expression;
  high: Expression;
  negated: boolean;
}

/** `IS [NOT] DISTINCT FROM`, `<=>`. */
interface IsDistinctFrom extends Span {
  node: 'IsDistinctFrom';
  left: Expression;
  right: Expression;
  negated: boolean;
}

export interface Alias extends Span {
  node: 'Alias';
  alias: string;
  expr: Expression;
  /** Ours, of items of unnest(): the name that stands before theirs, `t` of `unnest(list) AS t(item)`. */
  table?: string;
}

export interface Lambda extends Span {
  node: 'Lambda';
  args: string[];
  expr: Expression;
}

interface ArrayNode extends Span {
  node: 'Array';
  exprs: Expression[];
}

interface Tuple extends Span {
  node: 'Tuple';
  exprs: Expression[];
}

export interface ArrayAccess extends Span {
  node: 'ArrayAccess';
  array: Expression;
  property: Expression;
  nullish?: true;
}

/** `a[from:to]`: both ends may be left out. */
interface ArraySlice extends Span {
  node: 'ArraySlice';
  array: Expression;
  start_expr?: Expression;
  end_expr?: Expression;
}

/** `{'a': 1, 'b': 2}`. */
export interface Dict extends Span {
  node: 'Dict';
  items: [key: Expression, value: Expression][];
}

export interface TupleAccess extends Span {
  node: 'TupleAccess';
  tuple: Expression;
  index: number;
  nullish?: true;
}

export interface TypeCast extends Span {
  node: 'TypeCast' | 'TryCast';
  expr: Expression;
  type_name: string;
}

/** `{variables.x}` or `{x}`: a value that comes with the run. */
export interface Placeholder extends Span {
  node: 'Placeholder';
  expr: Expression;
}

/** Several columns: `*` with some left out or replaced, `COLUMNS('pattern')`, `COLUMNS(a, b)`. One of the first three is set. */
export interface ColumnsExpr extends Span {
  node: 'ColumnsExpr';
  all_columns?: true;
  regex?: string;
  columns?: Expression[];
  exclude?: string[];
  replace?: Record<string, Expression>;
  /** Ours: the table before the star or COLUMNS, which the published tree drops or takes for a call. */
  table?: string[];
}

export type Expression =
  | Field
  | Constant
  | Call
  | WindowFunction
  | And
  | Or
  | Not
  | ArithmeticOperation
  | CompareOperation
  | BetweenExpr
  | IsDistinctFrom
  | Alias
  | Lambda
  | ArrayNode
  | Tuple
  | Dict
  | ArrayAccess
  | ArraySlice
  | TupleAccess
  | TypeCast
  | ReadAs
  | TextSearch
  | RowCondition
  | Placeholder
  | ColumnsExpr
  | SelectQuery
  | SelectSetQuery;

/** An expression in a list of columns. `written` is the text that it is called by, where that does not follow from the node. */
export type ListedColumn = Expression & { written?: string };

/** Every node of the tree. */
export type TreeNode =
  | Expression
  | OrderExpr
  | JoinConstraint
  | JoinExpr
  | Cte
  | SelectSetNode
  | WindowExpr
  | WindowFrameExpr
  | LimitByExpr
  | GroupingSet
  | WithFillExpr
  | InterpolateExpr
  | Command;
