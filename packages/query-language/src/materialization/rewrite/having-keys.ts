import { spelledAggregate } from '../../functions/aggregate-spellings.ts';
import { findFunction } from '../../functions/find-function.ts';
import { SpanError } from '../../query-error.ts';
import { isBare, isSameTree } from '../../tree/tree-nodes.ts';
import type { Call, Expression } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import { allOf, conjunctsOf, hasVariable } from '../selects/tree-conditions.ts';
import { someNode } from '../selects/walk.ts';
import { aliasesOf, isMovable, withConditions } from './moved-conditions.ts';
import type { RewriteRule } from './rewrite-rule.ts';

/** A condition on keys of GROUP BY selects whole groups: before the grouping it selects their rows. */
export const havingKeys: RewriteRule = {
  name: 'having-keys',
  explanation: 'A comparison of a key of GROUP BY with a variable was moved from HAVING into WHERE.',
  rewrite: (query, { readsTyped }) => {
    // With keys of several sizes a key is NULL in some of the groups.
    if (!query.having || !query.group_by || query.group_by_mode) return query;
    const keys = new Keys(query, readsTyped);
    const conjuncts = conjunctsOf(query.having);
    const moved = conjuncts.map((conjunct) => (hasVariable(conjunct) ? keys.ofRows(conjunct) : undefined));
    const conditions = moved.filter((condition) => condition !== undefined);
    if (conditions.length === 0) return query;
    const { having: _having, ...rest } = query;
    const having = allOf(conjuncts.filter((_, at) => moved[at] === undefined));
    return withConditions({ ...rest, ...(having ? { having } : {}) }, conditions);
  },
};

/** Keys of a SELECT, as expressions of its rows. */
class Keys {
  private readonly aliases: Set<string>;
  private readonly query: SelectQuery;
  private readonly keys: Expression[];

  constructor(query: SelectQuery, readsTyped: boolean) {
    this.query = query;
    this.aliases = aliasesOf(query);
    this.keys = (query.group_by ?? []).flatMap((key) => {
      const expr = key.node === 'GroupingSet' ? undefined : this.keyOf(key);
      if (expr && readsTyped && someNode(expr, (node) => node.node === 'Field' && node.chain.includes('properties')))
        return [];
      return expr && isMovable(expr) && !someNode(expr, (node) => node.node === 'Field' && this.isAlias(node.chain))
        ? [expr]
        : [];
    });
  }

  /** The condition as one of rows, undefined where it is about anything but keys and variables. */
  ofRows(condition: Expression): Expression | undefined {
    const named = condition.node === 'Field' ? this.aliased(condition.chain) : undefined;
    const key = this.keys.find((known) => isSameTree(known, named ?? condition));
    if (key) return named || !this.isAlias(condition.node === 'Field' ? condition.chain : []) ? key : undefined;
    switch (condition.node) {
      case 'Constant':
      case 'Placeholder':
        return condition;
      case 'And':
      case 'Or':
      case 'Array':
      case 'Tuple': {
        const exprs = this.all(condition.exprs);
        return exprs && { ...condition, exprs };
      }
      case 'Not': {
        const expr = this.ofRows(condition.expr);
        return expr && { ...condition, expr };
      }
      case 'CompareOperation': {
        const [left, right] = this.all([condition.left, condition.right]) ?? [];
        return left && right && { ...condition, left, right };
      }
      case 'BetweenExpr': {
        const [expr, low, high] = this.all([condition.expr, condition.low, condition.high]) ?? [];
        return expr && low && high && { ...condition, expr, low, high };
      }
      case 'Call': {
        const args = isOfRows(condition) ? this.all(condition.args) : undefined;
        return args && { ...condition, args };
      }
      default:
        return undefined;
    }
  }

  private all(exprs: readonly Expression[]): Expression[] | undefined {
    const found = exprs.flatMap((expr) => this.ofRows(expr) ?? []);
    return found.length === exprs.length ? found : undefined;
  }

  // A number is the place of a column.
  private keyOf(key: Expression): Expression | undefined {
    const column = key.node === 'Constant' && typeof key.value === 'number' ? this.query.select[key.value - 1] : key;
    const named = column?.node === 'Field' ? this.aliased(column.chain) : undefined;
    return named ?? (column?.node === 'Alias' ? column.expr : column);
  }

  private aliased(chain: readonly string[]): Expression | undefined {
    const [name] = chain.length === 1 ? chain : [];
    const named = this.query.select.filter((column) => column.node === 'Alias' && column.alias === name);
    const [only] = named;
    return named.length === 1 && only?.node === 'Alias' ? only.expr : undefined;
  }

  private isAlias([name = '']: readonly string[]): boolean {
    return this.aliases.has(name);
  }
}

function isOfRows(call: Call): boolean {
  if (!isBare(call) || !isMovable({ ...call, args: [] }) || spelledAggregate(call) !== call) return false;
  try {
    return findFunction(call).kind !== 'aggregate';
  } catch (error) {
    if (error instanceof SpanError) return false;
    throw error;
  }
}
