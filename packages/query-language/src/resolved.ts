import { costOf, spend } from './budget.ts';
import type { JoinType } from './join-types.ts';
import type { Span } from './query-error.ts';
import type { ConstantValue } from './values.ts';
import { isComposite, nullable, plain, propertyType, unread, type ValueType } from './types.ts';
import type { Contents, LogicalTable, Lookup, ColumnLocation, StoredKeys } from './schema/logical-table.ts';

// The resolved tree: names are settled, types known, functions allowed. Nothing in it comes from the user as text
// but constants, which the printer binds, and aliases, which were checked.

interface Common extends Span {
  type: ValueType;
  /** Does it contain an aggregate function? */
  aggregate: boolean;
  /** Does it read a column of this SELECT's tables? */
  local: boolean;
}

export interface ResolvedConstant extends Common {
  kind: 'constant';
  value: ConstantValue;
  /** Name in the braces that the value was given for: `variables.plan`. Only warnings read it. */
  placeholder?: string;
}

/** Location of a column's value in its source: a stored column, one key of a stored map, or a column of a sub-query. */
export interface ValueLocation extends ColumnLocation {
  key?: string;
  /** The column that has the value of the key beside the map. */
  ownColumn?: string;
  /** Lookup of a large JSON object that the row only names. */
  contents?: Contents;
  textOf?: true;
}

export interface ResolvedColumn extends Common {
  kind: 'column';
  source: Source;
  location: ValueLocation;
  /** Set when this is a whole JSON object: how its keys are reached. */
  object?: StoredKeys & { join?: Lookup; contents?: Contents };
  /** Read where groups differ: it prints so that it can be NULL. */
  opened?: true;
}

export interface ResolvedCall extends Common {
  kind: 'call';
  name: string;
  params: readonly Resolved[];
  args: readonly Resolved[];
  distinct: boolean;
}

/** The rows of a window that count, when the query says which. */
export interface WindowFrame {
  method: 'ROWS' | 'RANGE';
  from: { type: 'CURRENT ROW' } | { type: 'PRECEDING' | 'FOLLOWING'; rows: number | undefined };
  to: WindowFrame['from'] | undefined;
}

/** The rows that a function of windows sees. `name` is set when it prints in the WINDOW clause. */
export interface ResolvedWindow {
  name?: string;
  partitionBy: readonly Resolved[];
  orderBy: readonly ResolvedOrder[];
  frame: WindowFrame | undefined;
}

export type Resolved =
  | ResolvedConstant
  | ResolvedColumn
  | ResolvedCall
  /** Words of our own, printed as a literal: type names, units, time zones. */
  | (Common & { kind: 'fixed'; text: string })
  /** A value inside JSON text. */
  | (Common & { kind: 'json'; base: Resolved; path: readonly (string | number)[] })
  /** An alias or a lambda's argument, as printed. */
  | (Common & { kind: 'name'; name: string })
  | (Common & { kind: 'lambda'; args: readonly string[]; body: Resolved })
  | (Common & { kind: 'window'; call: Resolved; over: ResolvedWindow })
  | (Common & { kind: 'query'; query: ResolvedQuery });

/** A stored result as a source of rows. */
export interface StoredRows {
  /** As printed. */
  physical: string;
  columns: readonly OutputColumn[];
}

/** A table, sub-query or CTE in FROM. `needed` collects the columns that are read, for sources that print as a sub-query of their own. */
export interface Source {
  /** As printed. */
  alias: string;
  /** As the user wrote it. */
  name: string | undefined;
  /** Rows may be missing (the other side of an outer join): every column is nullable. */
  optional: boolean;
  /** True while columns after GROUP BY ROLLUP and its like are resolved: a row may not be grouped by them. */
  opened?: boolean;
  from:
    | { kind: 'table'; table: LogicalTable }
    | { kind: 'stored'; rows: StoredRows }
    | { kind: 'query'; query: ResolvedQuery }
    | { kind: 'cte'; cte: ResolvedCte }
    | { kind: 'numbers'; args: readonly Resolved[] };
  needed: Map<string, { name: string; location: ValueLocation; type: ValueType }>;
  /** Joins of a table's rows by name. Each needs only those before it. */
  lookups: Map<string, Lookup>;
}

/** An entry of WITH: a sub-query or a value. */
export type ResolvedWith = ({ kind: 'cte' } & ResolvedCte) | { kind: 'scalar'; name: string; expr: Resolved };

export interface ResolvedCte {
  /** As printed. */
  name: string;
  /** As the user wrote it. */
  written: string;
  query: ResolvedQuery;
  /** Number of SELECTs of each use. */
  selects: number;
  /** The query reads its own rows. */
  recursive?: true;
}

/** `name` is what users see, `sqlName` what is printed. */
export interface OutputColumn {
  name: string;
  sqlName: string;
  type: ValueType;
}

export interface ResolvedJoin {
  type: JoinType['sql'];
  source: Source;
  on: Resolved | undefined;
}

/** `LEFT` keeps the rows whose arrays are empty. */
export interface ResolvedArrayJoin {
  left: boolean;
  items: readonly { name: string; array: Resolved }[];
}

/** LIMIT … BY: most rows of each group. */
export interface ResolvedLimitBy {
  limit: number | undefined;
  offset: number | undefined;
  exprs: readonly Resolved[];
}

export interface ResolvedOrder {
  expr: Resolved;
  order: 'ASC' | 'DESC';
  nulls: 'FIRST' | 'LAST' | undefined;
  fill?: ResolvedFill;
}

/** WITH FILL: rows for the values in between. */
export interface ResolvedFill {
  from: Resolved | undefined;
  to: Resolved | undefined;
  step: Resolved | undefined;
}

/** Groups of several sizes in one result. A key that a row is not grouped by is NULL there. */
export interface ResolvedGrouping {
  sql: 'ROLLUP' | 'CUBE' | 'GROUPING SETS';
  /** Keys of GROUPING SETS; the other modes have all keys in `groupBy`. */
  sets: Resolved[][];
  /** Values of keys that are not nullable: they are printed so that they can be NULL. */
  firm: Resolved[];
}

export interface ResolvedSelect {
  kind: 'select';
  withs: ResolvedWith[];
  distinct: boolean;
  columns: OutputColumn[];
  values: Resolved[];
  joins: ResolvedJoin[];
  arrayJoin: ResolvedArrayJoin | undefined;
  where: Resolved | undefined;
  groupBy: Resolved[];
  grouping: ResolvedGrouping | undefined;
  having: Resolved | undefined;
  windows: ResolvedWindow[];
  qualify: Resolved | undefined;
  orderBy: ResolvedOrder[];
  /** Values of columns in the rows that WITH FILL adds; empty: all columns that are not sorted by. */
  interpolate: { name: string; value: Resolved | undefined }[] | undefined;
  limitBy: ResolvedLimitBy | undefined;
  /** The limit lets rows through that sort the same as the last one. */
  withTies: boolean;
  limit: number | undefined;
  offset: number | undefined;
}

/** Always with its second word, because the server's settings decide the meaning without it. */
export type SetSql = `${'UNION' | 'INTERSECT' | 'EXCEPT'} ${'ALL' | 'DISTINCT'}`;

export interface ResolvedSet {
  kind: 'set';
  withs: ResolvedWith[];
  columns: OutputColumn[];
  members: ResolvedQuery[];
  /** Between the members, one fewer; INTERSECT binds tighter, the others group from the left. */
  operators: SetSql[];
  limit: number | undefined;
  offset: number | undefined;
}

export type ResolvedQuery = ResolvedSelect | ResolvedSet;

/** A constant. */
export function constant(value: ConstantValue, type: ValueType, span: Span): ResolvedConstant {
  spend(costOf.node, span);
  return constantOf(value, type, span);
}

/** A constant that is charged for already. */
export function constantOf(value: ConstantValue, type: ValueType, span: Span): ResolvedConstant {
  return { kind: 'constant', value, type, aggregate: false, local: false, start: span.start, end: span.end };
}

/** A word of ours as a literal. */
export function fixed(text: string, span: Span): Resolved {
  spend(costOf.node, span);
  return { kind: 'fixed', text, type: plain('text'), aggregate: false, local: false, start: span.start, end: span.end };
}

const openPlaceholder = '__p';

/** A placeholder without a value, while columns are inferred: it fits everywhere. Never printed. */
export function openPlaceholderAt(span: Span): Resolved {
  return {
    kind: 'name',
    name: openPlaceholder,
    type: propertyType,
    aggregate: false,
    local: false,
    start: span.start,
    end: span.end,
  };
}

/** Is this a placeholder without a value? */
export function isOpenPlaceholder(expr: Resolved): boolean {
  return expr.kind === 'name' && expr.name === openPlaceholder;
}

/** A call of a ClickHouse function. `name` must be ours, never the user's spelling. */
export function call(
  name: string,
  args: readonly Resolved[],
  type: ValueType,
  span: Span,
  more: { params?: readonly Resolved[]; distinct?: boolean; aggregate?: boolean } = {},
): ResolvedCall {
  spend(costOf.node + args.length * costOf.part, span);
  return {
    kind: 'call',
    name,
    args,
    params: more.params ?? [],
    distinct: more.distinct ?? false,
    type: unread(type),
    aggregate: more.aggregate === true || args.some((arg) => arg.aggregate),
    local: args.some((arg) => arg.local),
    start: span.start,
    end: span.end,
  };
}

/** Makes a value of the rows nullable, as it is after groups of several sizes. */
export function openValue(value: Resolved): Resolved {
  const stays = !value.local || value.aggregate || value.type.nullable || isComposite(value.type);
  return stays ? value : call('toNullable', [value], nullable(value.type), value);
}

/** Is any of these nullable? */
export function anyNullable(args: readonly Resolved[]): boolean {
  return args.some((arg) => arg.type.nullable);
}

/** The types that the queries of a set give to their columns at this place. */
export function typesAt(members: readonly ResolvedQuery[], at: number): ValueType[] {
  return members.map((member) => member.columns[at]?.type ?? plain('unknown', true));
}
