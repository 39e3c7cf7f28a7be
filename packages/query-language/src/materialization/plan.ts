import type { Span } from '../query-error.ts';
import type { CompareOperator, Expression } from '../tree/expressions.ts';
import type { SelectQuery, Statement } from '../tree/statements.ts';
import type { RuleCode } from './rules/rules.ts';

/** A declared variable, as far as a plan depends on it. `Any`: neither a type nor a default was declared. */
export interface PlannedVariable {
  readonly name: string;
  readonly type: 'String' | 'Number' | 'Boolean' | 'List' | 'Date' | 'Any';
}

/** Why a query cannot be materialized (contract/endpoints 6.2). `code` is the innermost one (contract/decisions 4). */
export interface Refusal {
  readonly code: RuleCode;
  /** One sentence for the query's author, without a full stop. */
  readonly reason: string;
  /** Offsets into the query's text. */
  readonly position?: Span;
}

/** Kinds of the JSON values that a run gives. */
export type ValueWord = 'text' | 'number' | 'boolean';

/** A stored column that one variable is compared with. */
export interface PlannedKey {
  readonly variable: string;
  /** Its name in the table: the variable's own, unless the query uses that name for something else. */
  readonly column: string;
  /** The column as the author wrote it: `timestamp`, `properties.plan`; undefined where it is no plain column. */
  readonly path: string | undefined;
  /** Expression that the build stores. */
  readonly expression: Expression;
  /** Operators with the column on their left. A membership in a list of texts is `in`. */
  readonly operators: readonly CompareOperator[];
  readonly bucketFn: string | null;
  /** Separator of the list of texts in the optional membership. */
  readonly separator: string | null;
  /** Expression in the place of the value, if it is more than the variable: `toDate({variables.day})`. */
  readonly wrapper: Expression | null;
  /** An empty text or NULL means no filter: runs may leave the variable out. */
  readonly isOptional: boolean;
  /** A value picks at most one stored group. `servesValue` says for which values that holds. */
  readonly isPinned: boolean;
  /** A property that the query itself groups by: a project that knows its type groups by such values. */
  readonly isGroupKey: boolean;
  /** Cut times find what uncut ones do where the value is the first moment of a bucket: all operators are `>=` and `<`. */
  readonly isExactAtStart: boolean;
  /** Kinds of values that the table answers as the query does; undefined: all. */
  readonly exactFor: readonly ValueWord[] | undefined;
}

/** Variables that are compared with one column by `>=`, `>`, `<`, `<=` (contract/endpoints 6.7). */
export interface RangePair {
  column: string;
  variables: string[];
  bucket_fn: string | null;
}

/** An aggregate of the SELECT list, and the function that makes one value of several stored ones (contract/endpoints 6.7). */
export interface PlannedAggregate {
  expression: string;
  reaggregate_fn: string | null;
}

/** How a query is stored and read (contract/endpoints 6.3 to 6.5). */
export interface MaterializationPlan {
  /** The query that fills the table. No variable is left in it. */
  readonly build: Statement;
  /** The query on the table of this name, with the variables in it. */
  readonly read: (table: string) => SelectQuery;
  /** Names of the columns that a run returns, in their order; undefined where a star says what they are. */
  readonly columns: readonly string[] | undefined;
  readonly keys: readonly PlannedKey[];
  /** Stored columns that no run returns, keys among them. */
  readonly hidden: readonly string[];
  readonly rangePairs: readonly RangePair[];
  readonly aggregates: readonly PlannedAggregate[];
  /** Are stored rows put together when they are read? */
  readonly isReaggregated: boolean;
  /** No row found means that the query itself must be asked: it returns one where nothing matches. */
  readonly emptyMeansInline: boolean;
  /** Functions whose values are those of the build's time, each once. */
  readonly volatile: readonly string[];
}

/** A query that is not materialized. */
export interface Refused {
  readonly ok: false;
  readonly refusal: Refusal;
}

/** A plan, or the first rule that refuses the query. */
export type Planned = { readonly ok: true; readonly plan: MaterializationPlan } | Refused;
