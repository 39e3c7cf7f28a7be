import { placeholderChain } from '../../placeholders/placeholders.ts';
import type { Call, Expression, Placeholder, TreeNode } from '../../tree/expressions.ts';
import type { OrderExpr, SelectQuery } from '../../tree/statements.ts';
import { isAlias, type FreshNames } from '../selects/fresh-names.ts';
import { findingPart, type Finding } from '../rules/finding.ts';
import { rules } from '../rules/rules.ts';
import { countOf, isAggregate, reaggregateOf } from '../selects/aggregates.ts';
import {
  aliasIn,
  groupingOf,
  groupKeys,
  holdsAggregate,
  isStar,
  outputName,
  valueOf,
} from '../selects/select-shape.ts';
import { treeKey } from '../selects/tree-key.ts';
import { hasNode } from '../selects/walk.ts';
import { callOf, named, storedColumn } from './make-nodes.ts';
import { mapTree } from './map-tree.ts';
import { limitsOf, sortedColumn } from './order-of.ts';
import { unfilled, type StoredSelect } from './read-as-stored.ts';
import { StoredColumns } from './stored-columns.ts';

/**
 * Stores the bare aggregates of a SELECT, and puts several stored groups together when they are read (contract/endpoints 6.5): HAVING,
 * ORDER BY and what is computed of aggregates come after that. A finding where an aggregate cannot be put together (rule 19).
 */
export function regroup(query: SelectQuery, names: FreshNames): StoredSelect | Finding {
  const { order_by = [], having, limit: _limit, offset: _offset, limit_with_ties: _ties, interpolate, ...rest } = query;
  const regrouping = new Regrouping(query, names);
  try {
    const select = query.select.map((item, at) => regrouping.column(item, at));
    const kept = having && regrouping.behind(having);
    const sorted = order_by.map((item) => regrouping.sorted(item));
    const groupBy = regrouping.groupBy();
    return {
      build: { ...rest, select: regrouping.stored.select },
      read: {
        select,
        ...(groupBy.length > 0 && { group_by: groupBy }),
        ...(kept && { having: kept }),
        ...(sorted.length > 0 && { order_by: sorted }),
        ...(interpolate && { interpolate }),
        ...limitsOf(query),
      },
      added: regrouping.stored.added,
    };
  } catch (error) {
    if (error instanceof NotRegrouped) return error.finding;
    throw error;
  }
}

class NotRegrouped extends Error {
  readonly finding: Finding;

  constructor(found: Finding) {
    super(found.reason);
    this.finding = found;
  }
}

function refuse(part: keyof typeof rules.aggregate.parts, why: string, at: TreeNode): NotRegrouped {
  return new NotRegrouped(findingPart(rules.aggregate, part, why, at));
}

/** Nodes of the tree that names stand for: names that stand for one another could double with each of them. */
const copiedMax = 5_000;

class Regrouping {
  readonly stored: StoredColumns;
  readonly #query: SelectQuery;
  readonly #keys: readonly Expression[];
  readonly #byKey: ReadonlyMap<string, Expression>;
  readonly #kinds: ReadonlySet<string>;
  readonly #isGlobal: boolean;
  readonly #grouped = new Set<string>();
  #copied = 0;
  #depth = 0;

  constructor(query: SelectQuery, names: FreshNames) {
    this.#query = query;
    this.#keys = groupKeys(query);
    // A constant is itself, whatever is grouped by.
    const keys = this.#keys.filter(({ node }) => node !== 'Constant');
    this.#byKey = new Map(keys.map((key) => [treeKey(key), key]));
    this.#kinds = new Set(keys.map(({ node }) => node));
    this.#isGlobal = groupingOf(query) === 'global';
    this.stored = new StoredColumns(query, names);
  }

  /** A column of the SELECT list, read of stored ones. */
  column(item: Expression, at: number): Expression {
    const name = outputName(item);
    if (name === undefined || isStar(item))
      throw refuse('star', 'a star stands beside aggregates; name the columns', item);
    const value = valueOf(item);
    if (!this.#isGlobal && !holdsAggregate([value], this.#query) && hasNode([value], isOfRow))
      return named(this.#groupedBy(this.stored.nameAt(at) ?? name), name);
    return called(this.#rewrite(value, new Set(), 'select'), item, name);
  }

  /** HAVING, and what stands in ORDER BY: they may name columns of the SELECT list. */
  behind(expr: Expression): Expression {
    return this.#rewrite(expr, new Set(), 'behind');
  }

  sorted(item: OrderExpr): OrderExpr {
    const column = sortedColumn(item, this.#query);
    if (column === undefined && item.with_fill) throw new NotRegrouped(unfilled(item));
    return column === 'as it is' ? item : { ...item, expr: this.behind(item.expr) };
  }

  /** Keys by which stored rows are put together: those of the query, and columns that follow from them. */
  groupBy(): Expression[] {
    for (const key of this.#keys) this.#groupedBy(this.stored.columnOf(key, 'grouped_by'));
    return [...this.#grouped].map(storedColumn);
  }

  #groupedBy(name: string): Expression {
    this.#grouped.add(name);
    return storedColumn(name);
  }

  #rewrite(expr: Expression, bound: ReadonlySet<string>, place: 'select' | 'behind'): Expression {
    return mapTree(expr, (node): TreeNode | undefined => {
      if (this.#depth > 0 && (this.#copied += 1) > copiedMax)
        throw refuse('long', 'the names beside its aggregates stand for too long expressions', node);
      if (isAggregate(node)) return this.#aggregate(node);
      if (node.node === 'SelectQuery' || node.node === 'SelectSetQuery')
        throw refuse('subQuery', 'a sub-query stands beside an aggregate, which is computed of stored values', node);
      if (node.node === 'WindowFunction' || node.node === 'Alias')
        throw refuse('inside', 'an expression with aggregates has a window function or an alias inside of it', node);
      if (node.node === 'Placeholder' && isFilters(node))
        throw refuse('filters', '{filters} stands beside aggregates; it is about rows, in WHERE', node);
      const key = this.#kinds.has(node.node) ? this.#byKey.get(treeKey(node)) : undefined;
      if (key) return this.#groupedBy(this.stored.columnOf(key, 'grouped_by'));
      if (node.node === 'Lambda')
        return { ...node, expr: this.#rewrite(node.expr, new Set([...bound, ...node.args]), place) };
      return node.node === 'Field' ? this.#named(node, bound, place) : undefined;
    });
  }

  // Names of the SELECT list and of WITH. Everything else is a column that the query groups by, and was found before.
  #named(node: TreeNode & { node: 'Field' }, bound: ReadonlySet<string>, place: 'select' | 'behind'): TreeNode {
    const [name = '', ...rest] = node.chain;
    if (bound.has(name)) return node;
    const alias = rest.length === 0 ? aliasIn(this.#query, name) : undefined;
    if (alias && place === 'behind') return node;
    const scalar = rest.length === 0 ? this.#query.ctes?.find((cte) => cte.name === name) : undefined;
    const meant = alias?.expr ?? (scalar?.cte_type === 'column' ? scalar.expr : undefined);
    if (!meant)
      throw refuse('column', `${node.chain.join('.')} stands beside an aggregate and is no key of GROUP BY`, node);
    this.#depth += 1;
    const written = this.#rewrite(meant, bound, place);
    this.#depth -= 1;
    return written;
  }

  #aggregate(node: Call): Expression {
    const name = reaggregateOf(node);
    if (name === undefined)
      throw refuse(
        'function',
        `${node.name}() cannot be put together of several stored values; count, sum, min and max can, with or without -If`,
        node,
      );
    const value = storedColumn(this.stored.columnOf(bare(node), 'aggregate'));
    const counted = name === 'sum' ? undefined : countOf(node);
    if (!counted) return callOf(name, value);
    // The least of no rows is no value, and the engine stores 0 for it.
    const count = storedColumn(this.stored.columnOf(counted, 'counted'));
    const none: Expression = { node: 'Constant', value: 0, start: 0, end: 0 };
    return callOf(`${name}If`, value, {
      node: 'CompareOperation',
      left: count,
      op: '>',
      right: none,
      start: 0,
      end: 0,
    });
  }
}

function isFilters(node: Placeholder): boolean {
  return placeholderChain(node)[0] === 'filters';
}

// The name that a column has without an alias is no part of the call.
function bare(node: Call): Call {
  const { written: _, ...call } = node as Call & { written?: string };
  return call;
}

function isOfRow({ node }: TreeNode): boolean {
  return node === 'Field' || node === 'SelectQuery' || node === 'SelectSetQuery';
}

function called(expr: Expression, item: Expression, name: string): Expression {
  const isWritten = item.node !== 'Alias' && expr.node !== 'Field' && !isAlias(name);
  return isWritten ? Object.assign({ ...expr }, { written: name }) : named(expr, name);
}
