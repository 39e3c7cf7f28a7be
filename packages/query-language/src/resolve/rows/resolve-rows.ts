import { costOf, spend } from '../../budget.ts';
import { readByType } from '../../operators/learned-types.ts';
import { sortingKeys } from '../../operators/property-order.ts';
import { SpanError, type Span } from '../../query-error.ts';
import { resolveExpression } from '../expressions/resolve-expression.ts';
import {
  call,
  constant,
  isOpenPlaceholder,
  type OutputColumn,
  type Resolved,
  type ResolvedLimitBy,
  type ResolvedOrder,
} from '../../resolved.ts';
import { resolveFill } from './resolve-fill.ts';
import { hasColumn } from '../names/source-columns.ts';
import { isUnread, nameOf, type Scope } from '../names/scope.ts';
import { Shapes } from './shapes.ts';
import type { Expression } from '../../tree/expressions.ts';
import type { LimitByExpr, SelectQuery, Statement } from '../../tree/statements.ts';

/** Resolves a key of GROUP BY: 2 means the second column. */
export function resolveGroup(
  expr: Expression,
  columns: readonly OutputColumn[],
  values: readonly Resolved[],
  scope: Scope,
): Resolved {
  const position = positionOf(expr, columns);
  if (position === undefined) return notAPosition(resolveExpression(expr, scope));
  const value = values[position - 1] as Resolved;
  if (value.aggregate)
    throw new SpanError('illegal_aggregate', `Column ${position} is an aggregate; it cannot be grouped by`, expr);
  return isUnread(value)
    ? { ...value, start: expr.start, end: expr.end }
    : nameOf(columns[position - 1]?.sqlName ?? '', value, expr);
}

// A constant that is no position must not print as one.
function notAPosition(expr: Resolved): Resolved {
  return expr.kind === 'constant' ? call('identity', [expr], expr.type, expr) : expr;
}

/** GROUP BY ALL: every column that does not aggregate. */
export function groupByAll(
  columns: readonly OutputColumn[],
  values: readonly Resolved[],
  query: SelectQuery,
): Resolved[] {
  spend(values.length * costOf.column, query);
  return values.flatMap((value, index) =>
    value.aggregate || value.kind === 'constant'
      ? []
      : [isUnread(value) ? value : nameOf(columns[index]?.sqlName ?? '', value, query)],
  );
}

const fillsMax = 10;

/** Resolves ORDER BY. `ORDER BY ALL` sorts by every column, in their order, unless something has that name. */
export function resolveOrderBy(
  query: SelectQuery,
  columns: OutputColumn[],
  values: Resolved[],
  scope: Scope,
): ResolvedOrder[] {
  const items = query.order_by ?? [];
  const [first] = items;
  if (first && items.length === 1 && !first.with_fill && isAll(first.expr, columns, scope)) {
    spend(columns.length * costOf.column, first);
    return columns.flatMap((column, at) =>
      sortingKeys(placed(column, values[at], first)).map((expr) => ({
        expr,
        order: first.order,
        nulls: first.nulls,
      })),
    );
  }
  const beyond = items.filter((item) => item.with_fill)[fillsMax];
  if (beyond) throw new SpanError('query_too_large', `One ORDER BY has WITH FILL more than ${fillsMax} times`, beyond);
  const selected = { columns, values, shapes: new Shapes(query) };
  return items.flatMap((item) => {
    const expr = columnOr(item.expr, columns, values, scope);
    const sorted = (key: Resolved): ResolvedOrder => ({ expr: key, order: item.order, nulls: item.nulls });
    return item.with_fill
      ? [{ ...sorted(expr), ...resolveFill(item.with_fill, readByType(expr), selected, scope) }]
      : sortingKeys(expr).map(sorted);
  });
}

function isAll({ node, ...rest }: Expression, columns: readonly OutputColumn[], scope: Scope): boolean {
  const chain = node === 'Field' && 'chain' in rest ? rest.chain : [];
  const [name = ''] = chain;
  return (
    chain.length === 1 &&
    name.toLowerCase() === 'all' &&
    !columns.some((column) => column.name === name) &&
    !scope.sources.some((source) => hasColumn(source, name))
  );
}

/** Resolves LIMIT … BY, whose entries may be positions too. */
export function resolveLimitBy(
  { n, offset_value: offset, exprs }: LimitByExpr,
  columns: readonly OutputColumn[],
  values: readonly Resolved[],
  scope: Scope,
): ResolvedLimitBy {
  return {
    limit: wholeNumber(n, 'LIMIT', scope),
    offset: wholeNumber(offset, 'OFFSET', scope),
    exprs: exprs.map((expr) => readByType(columnOr(expr, columns, values, scope))),
  };
}

function columnOr(
  expr: Expression,
  columns: readonly OutputColumn[],
  values: readonly Resolved[],
  scope: Scope,
): Resolved {
  const position = positionOf(expr, columns);
  const column = position === undefined ? undefined : columns[position - 1];
  return column && position !== undefined
    ? placed(column, values[position - 1], expr)
    : notAPosition(resolveExpression(expr, scope));
}

// A column of the SELECT that a place or ALL stands for.
function placed(column: OutputColumn, value: Resolved | undefined, span: Span): Resolved {
  return value && isUnread(value)
    ? { ...value, start: span.start, end: span.end }
    : nameOf(column.sqlName, constant(null, column.type, span), span);
}

function positionOf(expr: Expression, columns: readonly OutputColumn[]): number | undefined {
  if (expr.node !== 'Constant' || typeof expr.value !== 'number') return undefined;
  if (!Number.isInteger(expr.value) || expr.value < 1 || expr.value > columns.length)
    throw new SpanError('wrong_arguments', `The columns are numbered 1 to ${columns.length}`, expr);
  spend(costOf.visit, expr);
  return expr.value;
}

/** LIMIT and OFFSET, which must be whole numbers once the placeholders are bound. */
export function limitsOf(query: Statement, scope: Scope): { limit: number | undefined; offset: number | undefined } {
  return { limit: wholeNumber(query.limit, 'LIMIT', scope), offset: wholeNumber(query.offset, 'OFFSET', scope) };
}

function wholeNumber(expr: Expression | undefined, clause: string, scope: Scope): number | undefined {
  if (!expr) return undefined;
  const resolved = expr.node === 'Constant' || expr.node === 'Placeholder' ? resolveExpression(expr, scope) : undefined;
  if (resolved && isOpenPlaceholder(resolved)) return undefined;
  const value = resolved?.kind === 'constant' ? resolved.value : undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new SpanError(
      'wrong_arguments',
      `${clause} must be a whole number or a placeholder for one${expr.node === 'Field' && /^all$/i.test(String(expr.chain[0])) ? '; leave it out for all rows' : ''}`,
      expr,
    );
  return value;
}
