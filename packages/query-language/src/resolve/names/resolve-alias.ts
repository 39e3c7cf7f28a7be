import { SpanError } from '../../query-error.ts';
import type { Resolved } from '../../resolved.ts';
import { childNodes } from '../../tree/tree-nodes.ts';
import type { Alias, Expression, TreeNode } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import { aliasNamed, checkAlias, isUnread, type AliasEntry, type ResolvedAlias, type Scope } from './scope.ts';

/** Resolves an expression of the same SELECT. */
type Resolver = (expr: Expression) => Resolved;

/** Resolves an alias once, for a place that names it; one inside an expression becomes known by that. */
export function resolveAlias(alias: Alias, scope: Scope, resolve: Resolver): Resolved {
  const entry = scope.aliases.get(alias.alias) ?? addInner(alias, scope);
  if (entry.node !== alias) return resolve(alias.expr);
  if (typeof entry.state !== 'string') return entry.state;
  const allowed = scope.aggregatesAllowed;
  // The alias is outside of the lambdas around the expression that names it.
  const lambdas = scope.lambdas.splice(0);
  const around = scope.lambdasAroundAggregate;
  scope.lambdasAroundAggregate = 0;
  scope.aggregatesAllowed = true;
  const resolved = resolveEntry(entry, scope, resolve);
  scope.aggregatesAllowed = allowed;
  scope.lambdasAroundAggregate = around;
  scope.lambdas.push(...lambdas);
  return resolved;
}

/**
 * Resolves an alias inside an expression: `(a + 1 AS b) * 2`. Its value prints once, in WITH, and it is known in the
 * whole SELECT; inside a lambda, after it. Throws `SpanError`, also where nothing can be printed beside the
 * expression.
 */
export function resolveInnerAlias(alias: Alias, scope: Scope, resolve: Resolver): Resolved {
  const lambda = scope.lambdas[scope.lambdas.length - 1];
  if (lambda) {
    if (lambda.has(checkAlias(alias.alias, alias))) throw twice(alias);
    const value = resolve(alias.expr);
    lambda.set(alias.alias, { name: '', type: value.type, value });
    return value;
  }
  const known = scope.aliases.get(alias.alias);
  if (known && known.node !== alias) throw twice(alias);
  const entry = known ?? addInner(alias, scope);
  if (typeof entry.state === 'string') resolveEntry(entry, scope, resolve);
  return aliasNamed(entry as ResolvedAlias, scope, alias);
}

function twice(alias: Alias): SpanError {
  return new SpanError('invalid_name', `Two expressions have the alias "${alias.alias}"`, alias);
}

function addInner(alias: Alias, scope: Scope): AliasEntry {
  if (!scope.hoisted)
    throw new SpanError(
      'not_supported',
      'An alias cannot be defined in ON or INTERPOLATE; define it in the SELECT list or in WITH',
      alias,
    );
  const entry: AliasEntry = { node: alias, state: 'waiting', sqlName: scope.resolution.freshName('w'), inner: true };
  scope.aliases.set(checkAlias(alias.alias, alias), entry);
  return entry;
}

function resolveEntry(entry: AliasEntry, scope: Scope, resolve: Resolver): Resolved {
  entry.state = 'resolving';
  const resolved = resolve(entry.node.expr);
  entry.state = resolved;
  if (entry.inner && resolved.kind !== 'constant' && !isUnread(resolved))
    scope.hoisted?.push({ kind: 'scalar', name: entry.sqlName, expr: resolved });
  return resolved;
}

/** The aliases inside the expressions of a SELECT, lambdas and sub-queries left out; those of the SELECT list itself are not among them. */
export function innerAliases(query: SelectQuery): Map<string, Alias> {
  const { ctes: _ctes, select_from: _from, array_join_list: items = [], select, ...clauses } = query;
  const found = new Map<string, Alias>();
  const open: TreeNode[] = [
    ...childNodes({ ...clauses, select: [] }),
    ...[...select, ...items].map((item) => (item.node === 'Alias' ? item.expr : item)),
  ];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.node === 'SelectQuery' || node.node === 'SelectSetQuery' || node.node === 'Lambda') continue;
    if (node.node === 'Alias') found.set(node.alias, node);
    open.push(...childNodes(node));
  }
  return found;
}
