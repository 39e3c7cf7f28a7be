import { costOf, spend } from '../budget.ts';
import { toCondition } from '../operators/conversions.ts';
import { SpanError } from '../query-error.ts';
import {
  call,
  typesAt,
  type OutputColumn,
  type Resolved,
  type ResolvedArrayJoin,
  type ResolvedJoin,
  type ResolvedQuery,
  type ResolvedSelect,
  type ResolvedSet,
  type ResolvedWith,
  type SetSql,
} from '../resolved.ts';
import type { Expression } from '../tree/expressions.ts';
import type { Cte, SelectQuery, SelectSetQuery, SetOperator, Statement } from '../tree/statements.ts';
import { commonType, plain } from '../types.ts';
import { alignMembers } from './aligned-members.ts';
import { beforeGroups } from './rows/before-groups.ts';
import { checkSelect } from './rows/check-select.ts';
import { typedGroups } from './rows/typed-groups.ts';
import { warnOfHiddenColumns } from './names/hidden-columns.ts';
import { innerAliases } from './names/resolve-alias.ts';
import { resolveArrayJoin } from './tables/resolve-array-join.ts';
import { resolveColumns } from './columns/resolve-columns.ts';
import { resolveExpression } from './expressions/resolve-expression.ts';
import { resolveInterpolate } from './rows/resolve-fill.ts';
import { resolveFrom } from './tables/resolve-from.ts';
import { behindGroups, prepareGrouping, resolveGroupBy } from './rows/resolve-group-by.ts';
import { limitsOf, resolveLimitBy, resolveOrderBy } from './rows/resolve-rows.ts';
import { usedWindows } from './expressions/resolve-window.ts';
import { resolveWiths, splitWiths } from './tables/resolve-withs.ts';
import { withoutUnnest } from './tables/unnest.ts';
import { checkAlias, Scope, type Resolution } from './names/scope.ts';

/**
 * Resolves a SELECT or a set of them. `outer` gives the CTEs and scalar WITHs around; columns of outer queries are not seen. `isStored`: the
 * columns are printed under the names of a stored result.
 */
export function resolveStatement(
  statement: Statement,
  resolution: Resolution,
  outer: Scope | undefined,
  isStored = false,
): ResolvedQuery {
  spend(costOf.select, statement);
  const scope = new Scope(resolution, outer);
  scope.isStored = isStored;
  return statement.node === 'SelectQuery'
    ? resolveSelect(statement, scope, statement.ctes ?? [])
    : resolveSet(statement, scope);
}

// A WITH before the first SELECT of a set serves all of them.
function resolveSet(set: SelectSetQuery, scope: Scope): ResolvedSet {
  const first = set.initial_select_query;
  const hoisted: ResolvedWith[] = [];
  scope.hoisted = hoisted;
  const { resolved: withs } = resolveWiths((first.node === 'SelectQuery' ? first.ctes : undefined) ?? [], scope, true);
  const members = [
    resolveFirst(first, scope),
    ...set.subsequent_select_queries.map((member) => resolveStatement(member.select_query, scope.resolution, scope)),
  ];
  const aligned = alignMembers(members, scope.resolution, set);
  const operators = set.subsequent_select_queries.map((member) => setOperators[member.set_operator]);
  const nested = set.subsequent_select_queries.filter((member) => !member.set_operator.startsWith('UNION'));
  if (nested.length > setDepthMax)
    throw new SpanError(
      'too_deep',
      `One query has INTERSECT and EXCEPT more than ${setDepthMax} times`,
      nested[setDepthMax] ?? set,
    );
  return {
    kind: 'set',
    withs: [...withs, ...hoisted],
    columns: setColumns(set, aligned),
    members: aligned,
    operators,
    ...limitsOf(set, scope),
  };
}

// The first of a set names its columns.
function resolveFirst(first: Statement, scope: Scope): ResolvedQuery {
  if (first.node !== 'SelectQuery') return resolveStatement(first, scope.resolution, scope, scope.isStored);
  const own = new Scope(scope.resolution, scope);
  own.isStored = scope.isStored;
  return resolveSelect(first, own, []);
}

// The engine reads each one deeper than the one before, and 1,000 levels at most.
const setDepthMax = 400;

// Without a second word INTERSECT and EXCEPT keep repeated rows, as the engine has it.
const setOperators: Readonly<Record<SetOperator, SetSql>> = {
  'UNION ALL': 'UNION ALL',
  'UNION DISTINCT': 'UNION DISTINCT',
  INTERSECT: 'INTERSECT ALL',
  'INTERSECT ALL': 'INTERSECT ALL',
  'INTERSECT DISTINCT': 'INTERSECT DISTINCT',
  EXCEPT: 'EXCEPT ALL',
  'EXCEPT ALL': 'EXCEPT ALL',
  'EXCEPT DISTINCT': 'EXCEPT DISTINCT',
};

function setColumns(set: SelectSetQuery, members: readonly ResolvedQuery[]): OutputColumn[] {
  const [first] = members as [ResolvedQuery];
  members.forEach((member, index) => {
    if (member.columns.length === first.columns.length) return;
    const node = set.subsequent_select_queries[index - 1];
    throw new SpanError(
      'type_mismatch',
      `The queries of ${node ? `${node.set_operator.startsWith('U') ? 'a' : 'an'} ${node.set_operator.replace(/ .*/, '')}` : 'a set'} have ${first.columns.length} and ${member.columns.length} columns`,
      node ?? set,
    );
  });
  spend(members.length * first.columns.length * costOf.visit, set);
  return first.columns.map((column, index) => ({ ...column, type: commonType(typesAt(members, index)) }));
}

function resolveSelect(written: SelectQuery, scope: Scope, ctes: readonly Cte[]): ResolvedSelect {
  scope.resolution.selects.add(1, written);
  const query = withoutUnnest(written);
  prepareGrouping(query, scope);
  const hoisted: ResolvedWith[] = [];
  scope.hoisted = hoisted;
  scope.listed = new Set(query.select.flatMap((item) => (item.node === 'Alias' ? item.alias : [])));
  const { withs, joins, arrayJoin } = resolveTables(query, scope, ctes);
  for (const [name, node] of Object.entries(query.window_exprs ?? {}))
    scope.windows.set(checkAlias(name, node), { node });
  const { columns, values } = behindGroups(scope, () => resolveColumns(query, scope));
  scope.aggregatesAllowed = false;
  scope.inWhere = true;
  const filters = [query.prewhere, query.where]
    .filter((filter) => filter !== undefined)
    .map((filter) => resolveFilter(filter, scope));
  scope.inWhere = false;
  warnOfHiddenColumns(scope);
  const where = filters.length > 1 ? call('and', filters, plain('boolean', true), query) : filters[0];
  const groups = behindGroups(scope, () => resolveGroups(query, columns, values, scope));
  const all = [...withs, ...hoisted];
  const select = typedGroups({
    kind: 'select',
    withs: all,
    distinct: query.distinct === true,
    columns,
    values,
    joins,
    arrayJoin,
    where: where && scope.groupsDiffer ? beforeGroups(where, all, scope) : where,
    ...groups,
    ...limitsOf(query, scope),
  });
  return checkSelect(select);
}

type Groups = Pick<
  ResolvedSelect,
  'groupBy' | 'grouping' | 'having' | 'qualify' | 'orderBy' | 'interpolate' | 'limitBy' | 'withTies' | 'windows'
>;

// GROUP BY and the clauses after it.
function resolveGroups(query: SelectQuery, columns: OutputColumn[], values: Resolved[], scope: Scope): Groups {
  const { groupBy, grouping } = resolveGroupBy(query, columns, values, scope);
  scope.aggregatesAllowed = true;
  const having = query.having ? resolveFilter(query.having, scope) : undefined;
  const qualify = query.qualify ? resolveFilter(query.qualify, scope) : undefined;
  const orderBy = resolveOrderBy(query, columns, values, scope);
  return {
    groupBy,
    grouping,
    having,
    qualify,
    orderBy,
    interpolate: resolveInterpolate(query, { columns, values, orderBy }, scope),
    limitBy: query.limit_by ? resolveLimitBy(query.limit_by, columns, values, scope) : undefined,
    withTies: withTies(query),
    // Last: by now it is known which of them are used.
    windows: usedWindows(scope, (part) => resolveExpression(part, scope)),
  };
}

function resolveTables(
  query: SelectQuery,
  scope: Scope,
  ctes: readonly Cte[],
): { withs: ResolvedWith[]; joins: ResolvedJoin[]; arrayJoin: ResolvedArrayJoin | undefined } {
  const early = resolveWiths(ctes, scope, false);
  const { hoisted } = scope;
  // Until all tables are known a column may yet turn out to be in two of them, or to be NULL.
  scope.hoisted = undefined;
  const joins = query.select_from ? resolveFrom(query.select_from, scope) : [];
  scope.hoisted = hoisted;
  scope.laterAliases = once(() => innerAliases(query));
  const [before, after] = splitWiths(
    early.waiting,
    (query.array_join_list ?? []).map((item) => item.alias),
  );
  const middle = behindGroups(scope, () => resolveWiths(before, scope, true));
  const arrayJoin = resolveArrayJoin(query, scope);
  const late = behindGroups(scope, () => resolveWiths(after, scope, true));
  return { withs: [...early.resolved, ...middle.resolved, ...late.resolved], joins, arrayJoin };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function withTies(query: SelectQuery): boolean {
  if (!query.limit_with_ties) return false;
  if (!query.order_by)
    throw new SpanError(
      'syntax_error',
      'WITH TIES needs ORDER BY: it adds the rows that sort the same as the last one',
      query.limit ?? query,
    );
  const filled = query.order_by.find((item) => item.with_fill);
  if (filled) throw new SpanError('wrong_arguments', 'WITH TIES cannot be used together with WITH FILL', filled);
  return true;
}

function resolveFilter(filter: Expression, scope: Scope): Resolved {
  return toCondition(resolveExpression(filter, scope, 'filter'));
}
