import { toCondition } from './conversions.ts';
import { QueryFault } from './query-error.ts';
import { resolveAlias, resolveExpression } from './resolve-expression.ts';
import { columnNames, fieldOfSource, tableColumn } from './resolve-field.ts';
import { resolveFrom } from './resolve-from.ts';
import { call, constant, isOpenPlaceholder, type OutputColumn, type Resolved, type ResolvedOrder, type ResolvedQuery, type ResolvedSelect, type ResolvedSet, type ResolvedWith, type Source } from './resolved.ts';
import { checkAlias, impliedName, nameOf, printedNames, Scope, type Resolution } from './scope.ts';
import { childNodes, type Cte, type Expression, type Field, type OrderExpr, type SelectQuery, type SelectSetQuery, type Statement, type TreeNode } from './tree.ts';
import { commonType, plain } from './types.ts';

/** Resolves a SELECT or a set of them. `outer` gives the CTEs and scalar WITHs around; columns of outer queries are not seen. */
export function resolveStatement(statement: Statement, resolution: Resolution, outer: Scope | undefined): ResolvedQuery {
  return statement.node === 'SelectQuery' ? resolveSelect(statement, new Scope(resolution, outer), statement.ctes ?? []) : resolveSet(statement, new Scope(resolution, outer));
}

// A WITH before the first SELECT of a set serves all of them.
function resolveSet(set: SelectSetQuery, scope: Scope): ResolvedSet {
  const later = set.subsequent_select_queries.find((member) => member.set_operator !== 'UNION ALL');
  if (later) throw new QueryFault('not_supported', `${later.set_operator} is not supported yet; UNION ALL is`, later);
  const first = set.initial_select_query;
  const { resolved: withs } = resolveWiths((first.node === 'SelectQuery' ? first.ctes : undefined) ?? [], scope, true);
  const members = [
    first.node === 'SelectQuery' ? resolveSelect(first, new Scope(scope.resolution, scope), []) : resolveStatement(first, scope.resolution, scope),
    ...set.subsequent_select_queries.map((member) => resolveStatement(member.select_query, scope.resolution, scope)),
  ];
  return { kind: 'set', withs, columns: setColumns(set, members), members, ...limitsOf(set, scope) };
}

function setColumns(set: SelectSetQuery, members: readonly ResolvedQuery[]): OutputColumn[] {
  const [first] = members as [ResolvedQuery];
  members.forEach((member, index) => {
    if (member.columns.length === first.columns.length) return;
    throw new QueryFault('type_mismatch', `The queries of a UNION have ${first.columns.length} and ${member.columns.length} columns`, set.subsequent_select_queries[index - 1] ?? set);
  });
  return first.columns.map((column, index) => ({ ...column, type: commonType(members.map((member) => member.columns[index]?.type ?? plain('unknown', true))) }));
}

function resolveSelect(query: SelectQuery, scope: Scope, withs: readonly Cte[]): ResolvedSelect {
  const early = resolveWiths(withs, scope, false);
  const joins = query.select_from ? resolveFrom(query.select_from, scope) : [];
  const late = resolveWiths(early.waiting, scope, true);
  const { columns, values } = resolveColumns(query, scope);
  scope.aggregatesAllowed = false;
  const filters = [query.prewhere, query.where].filter((filter) => filter !== undefined).map((filter) => resolveFilter(filter, scope));
  const groupBy = (query.group_by ?? []).map((expr) => resolveGroup(expr, columns, values, scope));
  scope.aggregatesAllowed = true;
  return {
    kind: 'select',
    withs: [...early.resolved, ...late.resolved],
    distinct: query.distinct === true,
    columns,
    values,
    joins,
    where: filters.length > 1 ? call('and', filters, plain('boolean', true), query) : filters[0],
    groupBy,
    having: query.having ? resolveFilter(query.having, scope) : undefined,
    orderBy: (query.order_by ?? []).map((item) => resolveOrder(item, columns, scope)),
    ...limitsOf(query, scope),
  };
}

function resolveFilter(filter: Expression, scope: Scope): Resolved {
  return toCondition(resolveExpression(filter, scope, 'filter'));
}

interface Withs {
  resolved: ResolvedWith[];
  waiting: Cte[];
}

// Entries that read columns wait until FROM is known.
function resolveWiths(withs: readonly Cte[], scope: Scope, columnsKnown: boolean): Withs {
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
    if (node.node !== 'SelectQuery' && node.node !== 'SelectSetQuery' && node.node !== 'Placeholder') open.push(...childNodes(node));
  }
  return false;
}

function resolveWith(cte: Cte, scope: Scope): ResolvedWith[] {
  const name = checkAlias(cte.name, cte);
  if (scope.ctes.has(name) || scope.scalars.has(name)) throw new QueryFault('invalid_name', `WITH names "${name}" twice`, cte);
  if (cte.cte_type === 'subquery') {
    const query = scope.resolution.resolveQuery(cte.expr as Statement, scope);
    const resolved = { kind: 'cte' as const, name: scope.resolution.freshName('w'), query };
    scope.ctes.set(name, resolved);
    return [resolved];
  }
  const expr = resolveExpression(cte.expr, scope);
  const printed = scope.resolution.freshName('w');
  scope.scalars.set(name, expr.kind === 'constant' ? expr : nameOf(printed, expr, cte));
  return expr.kind === 'constant' ? [] : [{ kind: 'scalar', name: printed, expr }];
}

function resolveColumns(query: SelectQuery, scope: Scope): { columns: OutputColumn[]; values: Resolved[] } {
  const entries = query.select.flatMap((expr) => (isStar(expr) ? expandStar(expr, scope) : [{ name: columnName(expr, scope), expr }]));
  const aliased = new Set(query.select.filter((expr) => expr.node === 'Alias').map((expr) => (expr.node === 'Alias' ? expr.alias : '')));
  // Aliases keep their own names; a column that merely happens to be called the same gives way.
  const names = printedNames(entries.map(({ name, expr }) => (aliased.has(name) && expr?.node !== 'Alias' ? '' : name)));
  entries.forEach(({ expr }, index) => registerAlias(expr, names[index] ?? '', scope));
  const values = entries.map(({ expr, value }) => value ?? (expr?.node === 'Alias' ? resolveAlias(expr, scope) : resolveExpression(expr as Expression, scope)));
  const lambda = values.find((value) => value.type.kind === 'lambda');
  if (lambda) throw new QueryFault('wrong_arguments', 'A lambda is no value', lambda);
  const columns = entries.map(({ name }, index) => ({ name, sqlName: names[index] ?? '', type: (values[index] as Resolved).type }));
  return { columns, values };
}

interface Entry {
  name: string;
  expr?: Expression;
  value?: Resolved;
}

function columnName(expr: Expression, scope: Scope): string {
  return expr.node === 'Alias' ? checkAlias(expr.alias, expr) : impliedName(expr, scope.resolution.text);
}

function registerAlias(expr: Expression | undefined, sqlName: string, scope: Scope): void {
  if (expr?.node !== 'Alias') return;
  if (scope.aliases.has(expr.alias)) throw new QueryFault('invalid_name', `Two columns have the alias "${expr.alias}"`, expr);
  scope.aliases.set(expr.alias, { node: expr, state: 'waiting', sqlName });
}

function isStar(expr: Expression): expr is Field {
  return expr.node === 'Field' && expr.chain[expr.chain.length - 1] === '*';
}

function expandStar(star: Field, scope: Scope): Entry[] {
  const [table] = star.chain;
  const sources = star.chain.length === 1 ? scope.sources : scope.sources.filter((source) => source.name === table);
  if (star.chain.length > 2 || sources.length === 0) throw new QueryFault('unknown_table', star.chain.length === 1 ? 'There is no table for *' : `Unknown table "${star.chain.slice(0, -1).join('.')}"`, star);
  return sources.flatMap((source) => starColumns(source, star));
}

function starColumns(source: Source, star: Field): Entry[] {
  const { from } = source;
  if (from.kind !== 'table') return columnNames(source).map((name) => ({ name, value: fieldOfSource(source, [name], star) }));
  return Object.entries(from.table.fields).flatMap(([name, field]) => (field.kind === 'group' ? [] : [{ name, value: tableColumn(source, field, star) }]));
}

// GROUP BY 2 means the second column.
function resolveGroup(expr: Expression, columns: readonly OutputColumn[], values: readonly Resolved[], scope: Scope): Resolved {
  const position = positionOf(expr, columns);
  if (position === undefined) return notAPosition(resolveExpression(expr, scope));
  const value = values[position - 1] as Resolved;
  if (value.aggregate) throw new QueryFault('illegal_aggregate', `Column ${position} is an aggregate; it cannot be grouped by`, expr);
  return nameOf(columns[position - 1]?.sqlName ?? '', value, expr);
}

// A constant that is no position must not print as one.
function notAPosition(expr: Resolved): Resolved {
  return expr.kind === 'constant' ? call('identity', [expr], expr.type, expr) : expr;
}

function resolveOrder(item: OrderExpr, columns: readonly OutputColumn[], scope: Scope): ResolvedOrder {
  const position = positionOf(item.expr, columns);
  const column = position === undefined ? undefined : columns[position - 1];
  const expr = column ? nameOf(column.sqlName, { ...constant(null, column.type, item), kind: 'constant' }, item) : notAPosition(resolveExpression(item.expr, scope));
  return { expr, order: item.order, nulls: item.nulls };
}

function positionOf(expr: Expression, columns: readonly OutputColumn[]): number | undefined {
  if (expr.node !== 'Constant' || typeof expr.value !== 'number') return undefined;
  if (!Number.isInteger(expr.value) || expr.value < 1 || expr.value > columns.length) throw new QueryFault('wrong_arguments', `There are columns 1 to ${columns.length}`, expr);
  return expr.value;
}

/** LIMIT and OFFSET, which must be whole numbers once the placeholders are bound. */
function limitsOf(query: Statement, scope: Scope): { limit: number | undefined; offset: number | undefined } {
  return { limit: wholeNumber(query.limit, 'LIMIT', scope), offset: wholeNumber(query.offset, 'OFFSET', scope) };
}

function wholeNumber(expr: Expression | undefined, clause: string, scope: Scope): number | undefined {
  if (!expr) return undefined;
  const resolved = childNodes(expr).length === 0 || expr.node === 'Placeholder' ? resolveExpression(expr, scope) : undefined;
  if (resolved && isOpenPlaceholder(resolved)) return undefined;
  const value = resolved?.kind === 'constant' ? resolved.value : undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw new QueryFault('wrong_arguments', `${clause} must be a whole number or a placeholder for one`, expr);
  return value;
}
