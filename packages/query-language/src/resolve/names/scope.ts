import { costOf, spend } from '../../budget.ts';
import type { KnownLists } from '../../operators/bound-lists.ts';
import { nearestName } from '../../nearest-name.ts';
import { SpanError, type Span } from '../../query-error.ts';
import {
  openValue,
  type Resolved,
  type ResolvedCte,
  type ResolvedWindow,
  type ResolvedWith,
  type StoredRows,
  type Source,
} from '../../resolved.ts';
import type { Alias, Expression, WindowExpr } from '../../tree/expressions.ts';
import type { Statement } from '../../tree/statements.ts';
import { nullable, plain, type ValueType } from '../../types.ts';
import type { BoundValue } from '../../values.ts';
import type { InlinedSelects } from './inlined-selects.ts';
import type { ResolvedQuery } from '../../resolved.ts';

/** An alias: resolved when first needed, so that aliases may use later ones. */
export interface AliasEntry {
  node: Alias;
  state: 'waiting' | 'resolving' | Resolved;
  sqlName: string;
  /** True: inside an expression, not in the SELECT list. */
  inner?: true;
}

/** An alias that is resolved. */
export type ResolvedAlias = Omit<AliasEntry, 'state'> & { state: Resolved };

/** A column that JOIN … USING made one of several tables' columns. */
export interface MergedColumn {
  /** In the order of FROM. */
  sources: ReadonlySet<Source>;
  read: (span: Span) => Resolved;
}

/** A window of the WINDOW clause: resolved when first needed. */
interface WindowEntry {
  node: WindowExpr;
  resolved?: ResolvedWindow;
}

/**
 * Gives the value of a placeholder, or an expression in its place, which may depend on the tables of the SELECT; `'any'` when columns are
 * inferred without values.
 */
export type PlaceholderSource = (
  chain: readonly string[],
  span: Span,
  tables: readonly Source[],
) => BoundValue | Expression | 'any';

/** State of one whole query. */
export interface Resolution {
  /** Value of `{…}`; throws `unknown_variable`. */
  placeholder: PlaceholderSource;
  /** Stored results by name. Only a tree that code made has any. */
  stored: ReadonlyMap<string, StoredRows>;
  lists: KnownLists;
  /** How many expressions are being resolved, each inside the one before. */
  depth: number;
  /** The SELECTs of the statement so far. */
  selects: InlinedSelects;
  resolveQuery: (statement: Statement, scope: Scope | undefined) => ResolvedQuery;
  /** Makes names for the printed query: `__t0`, `__w1`. Users cannot take them: their aliases do not begin with `__`. */
  freshName: (letter: 'a' | 'n' | 't' | 'w' | 'x') => string;
}

/** `value` is set for an alias inside the lambda. */
interface LambdaArgument {
  name: string;
  type: ValueType;
  value?: Resolved;
}

/** `outside`: of a lambda around the aggregate function that names it. */
type FoundArgument = LambdaArgument & { outside: boolean };

/** An alias that WHERE names, and that hides a column of its name. */
interface HiddenColumn {
  name: string;
  span: Span;
  holder: Source;
  /** It is the day of the column. */
  isDay: boolean;
}

/** The names that one SELECT sees. */
export class Scope {
  readonly resolution: Resolution;
  readonly parent: Scope | undefined;
  readonly sources: Source[] = [];
  readonly aliases = new Map<string, AliasEntry>();
  readonly ctes = new Map<string, ResolvedCte>();
  readonly scalars = new Map<string, Resolved>();
  /** Columns of JOIN … USING, by name. */
  readonly merged = new Map<string, MergedColumn>();
  /** Columns of ARRAY JOIN, by name. */
  readonly arrayItems = new Map<string, Resolved>();
  /** Names of items of unnest(), by the name of their table. */
  readonly unnested = new Map<string, Set<string>>();
  readonly windows = new Map<string, WindowEntry>();
  /** Arguments of the lambdas around, innermost last. */
  readonly lambdas: Map<string, LambdaArgument>[] = [];
  /** Inner aliases, printed in WITH; undefined where WITH is not allowed. */
  hoisted: ResolvedWith[] | undefined;
  /** The aliases of the SELECT list, which its tables do not know. */
  listed: ReadonlySet<string> = new Set();
  /** Aliases inside expressions that are not resolved yet, by name; collected when a name is not known otherwise. */
  laterAliases: (() => ReadonlyMap<string, Alias>) | undefined;
  /** Number of lambdas around the aggregate function that is being resolved: it cannot take their arguments. */
  lambdasAroundAggregate = 0;
  /** Inside OVER, a window of the WINDOW clause, or the arguments of a function with a window. */
  insideWindow = false;
  /** GROUP BY has ROLLUP, CUBE or GROUPING SETS: grouping() distinguishes their rows. */
  groupsDiffer = false;
  /** In WHERE and PREWHERE, where an alias that hides a column is hardly meant. */
  inWhere = false;
  /** Names that were given there, by place. */
  readonly hiddenColumns = new Map<number, HiddenColumn>();
  /** The columns of the SELECT are those of a stored result, and have their names. */
  isStored = false;
  /** In WHERE and GROUP BY: a column wins over an alias of the same name that aggregates. */
  aggregatesAllowed = true;

  constructor(resolution: Resolution, parent: Scope | undefined) {
    this.resolution = resolution;
    this.parent = parent;
  }

  /** The CTE of this name, from here outwards. */
  findCte(name: string, span: Span): ResolvedCte | undefined {
    spend(costOf.visit, span);
    return this.ctes.get(name) ?? this.parent?.findCte(name, span);
  }

  /** The scalar WITH of this name, from here outwards. Outside its own SELECT it must not depend on that SELECT's rows. */
  findScalar(name: string, span: Span): Resolved | undefined {
    spend(costOf.visit, span);
    const own = this.scalars.get(name);
    if (own) return own;
    const outer = this.parent?.findScalar(name, span);
    if (outer?.local)
      throw new SpanError(
        'not_supported',
        `"${name}" depends on the rows of the query outside; using it in a sub-query is not supported yet`,
        span,
      );
    return outer;
  }

  /** The lambda argument of this name, innermost first. */
  findLambdaArgument(name: string): FoundArgument | undefined {
    for (let index = this.lambdas.length - 1; index >= 0; index -= 1) {
      const found = this.lambdas[index]?.get(name);
      if (found) return { ...found, outside: index < this.lambdasAroundAggregate };
    }
    return undefined;
  }
}

/** The error for a name that is not known, with the nearest one that is. */
export function unknownColumn(name: string, known: Iterable<string>, span: Span): SpanError {
  return new SpanError('unknown_column', `Unknown column "${name}"`, span, nearestName(name, known));
}

const aliasLengthMax = 128;

/** Checks an alias that the user chose. Throws `invalid_name`. */
export function checkAlias(alias: string, span: Span): string {
  const message =
    alias === '' || alias.length > aliasLengthMax
      ? `has 1 to ${aliasLengthMax} characters`
      : alias.startsWith('__')
        ? 'must not begin with __'
        : alias.toLowerCase() === 'team_id'
          ? 'must not be team_id'
          : /^[\p{L}\p{M}\p{N}_$ .,:;()[\]<>*+\-/%#@&|!?=~^]+$/u.test(alias)
            ? undefined
            : 'may hold letters, digits, spaces and plain signs, but no quotes, backslashes, braces or control characters';
  if (message !== undefined) throw new SpanError('invalid_name', `An alias ${message}`, span);
  return alias;
}

/** Gives each output column a printed name: its own where that is plain and free, else `__c` and its place. */
export function printedNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name, index) => {
    const own =
      /^[A-Za-z$_][\w$]{0,127}$/.test(name) &&
      !name.startsWith('__') &&
      name.toLowerCase() !== 'team_id' &&
      !taken.has(name);
    const printed = own ? name : `__c${index}`;
    taken.add(printed);
    return printed;
  });
}

/** A name as printed, such as an alias used again. */
export function nameOf(name: string, of: Resolved, span: Span): Resolved {
  return {
    kind: 'name',
    name,
    type: of.type,
    aggregate: of.aggregate,
    local: of.local,
    start: span.start,
    end: span.end,
  };
}

/** Is this a property that its place has yet to read by its learned type? It stands for itself wherever it is named. */
export function isUnread({ kind, type }: Resolved): boolean {
  return (kind === 'column' || kind === 'json') && type.property === true && type.learned !== undefined;
}

/** An alias as printed where it is used. With groups of several sizes it can always be NULL. */
export function aliasNamed({ sqlName, state, inner }: ResolvedAlias, scope: Scope, span: Span): Resolved {
  if (state.kind === 'constant') return inner ? { ...state, start: span.start, end: span.end } : state;
  if (isUnread(state)) return { ...state, start: span.start, end: span.end };
  if (!scope.groupsDiffer || state.aggregate) return nameOf(sqlName, state, span);
  return inner
    ? openValue(nameOf(sqlName, state, span))
    : nameOf(sqlName, { ...state, type: nullable(state.type) }, span);
}

/** The type of a lambda's argument whose array is not known. */
export const unknownItem: ValueType = plain('unknown', true);
