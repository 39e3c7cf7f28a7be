import { SpanError } from '../../query-error.ts';
import type { ResolvedCte, ResolvedQuery, ResolvedWith } from '../../resolved.ts';
import { childNodes } from '../../tree/tree-nodes.ts';
import type { TreeNode } from '../../tree/expressions.ts';
import type { Cte, Statement } from '../../tree/statements.ts';
import { resolveExpression } from '../expressions/resolve-expression.ts';
import { withColumnNames } from './named-columns.ts';
import { resolveRecursive } from './resolve-recursive.ts';
import { checkAlias, isUnread, nameOf, type Scope } from '../names/scope.ts';

interface Withs {
  resolved: ResolvedWith[];
  waiting: Cte[];
}

/** Resolves the entries of WITH into the scope. Those that read columns wait, with all values after them, until FROM is known. */
export function resolveWiths(withs: readonly Cte[], scope: Scope, columnsKnown: boolean): Withs {
  const resolved: ResolvedWith[] = [];
  const waiting: Cte[] = [];
  for (const cte of withs) {
    if (!columnsKnown && (waiting.length > 0 ? cte.cte_type === 'column' : readsColumns(cte, scope))) waiting.push(cte);
    else resolved.push(...resolveWith(cte, scope));
  }
  return { resolved, waiting };
}

function readsColumns(cte: Cte, scope: Scope): boolean {
  if (cte.cte_type === 'subquery') return false;
  const open: TreeNode[] = [cte.expr];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.node === 'Field' && !scope.findScalar(node.chain[0] ?? '', node)) return true;
    if (node.node !== 'SelectQuery' && node.node !== 'SelectSetQuery' && node.node !== 'Placeholder')
      open.push(...childNodes(node));
  }
  return false;
}

function resolveWith(cte: Cte, scope: Scope): ResolvedWith[] {
  const name = checkAlias(cte.name, cte);
  if (scope.ctes.has(name) || scope.scalars.has(name))
    throw new SpanError('invalid_name', `WITH names "${name}" twice`, cte);
  if (cte.cte_type === 'subquery') {
    const statement = cte.expr as Statement;
    const { result: resolved, selects } = scope.resolution.selects.apart(() =>
      cte.recursive && statement.node === 'SelectSetQuery'
        ? resolveRecursive(cte, statement, scope)
        : ordinary(name, withColumnNames(scope.resolution.resolveQuery(statement, scope), cte.columns, cte), scope),
    );
    resolved.selects = selects;
    scope.ctes.set(name, resolved);
    return [resolved];
  }
  const expr = resolveExpression(cte.expr, scope);
  const printed = scope.resolution.freshName('w');
  const standsForItself = expr.kind === 'constant' || isUnread(expr);
  scope.scalars.set(name, standsForItself ? expr : nameOf(printed, expr, cte));
  return standsForItself ? [] : [{ kind: 'scalar', name: printed, expr }];
}

function ordinary(written: string, query: ResolvedQuery, scope: Scope): { kind: 'cte' } & ResolvedCte {
  return { kind: 'cte', name: scope.resolution.freshName('w'), written, query, selects: 0 };
}

/** Splits waiting entries at the first that names an item of ARRAY JOIN: they wait for that as well. */
export function splitWiths(waiting: readonly Cte[], items: readonly string[]): [before: Cte[], after: Cte[]] {
  const named = new Set(items);
  const at = items.length === 0 ? -1 : waiting.findIndex((cte) => names(cte).some((name) => named.has(name)));
  return at === -1 ? [[...waiting], []] : [waiting.slice(0, at), waiting.slice(at)];
}

function names(cte: Cte): string[] {
  const found: string[] = [];
  const open: TreeNode[] = [cte.expr];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.node === 'Field') found.push(node.chain[0] ?? '');
    open.push(...childNodes(node));
  }
  return found;
}
