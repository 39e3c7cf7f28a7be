import type { Cte, GroupingSet, SelectQuery, SelectSetQuery, Statement } from '../tree/statements.ts';
import type { Expression } from '../tree/expressions.ts';
import { writeWindow } from './write-calls.ts';
import { writeFrom } from './write-from.ts';
import { writeName, writeNames } from './write-names.ts';
import { writeAlias } from './write-operators.ts';
import { writeInterpolate, writeOrder } from './write-order.ts';
import { listOf, type Writing } from './written.ts';

/** The text of a SELECT, or of several with words such as UNION between them. */
export function writeQuery(tree: Statement, writing: Writing): string {
  return tree.node === 'SelectQuery' ? writeSelect(tree, writing) : writeSet(tree, writing);
}

function writeSet(
  { initial_select_query, subsequent_select_queries, limit, offset }: SelectSetQuery,
  writing: Writing,
): string {
  const text = [
    writeMember(initial_select_query, writing),
    ...subsequent_select_queries.map(
      ({ set_operator, select_query }) => `${set_operator} ${writeMember(select_query, writing)}`,
    ),
  ].join(' ');
  return limit || offset ? [`(${text})`, ...writeLimit({ limit, offset }, writing)].join(' ') : text;
}

function writeMember(member: Statement, writing: Writing): string {
  const text = writing.statement(member);
  return member.node === 'SelectSetQuery' ? `(${text})` : text;
}

function writeSelect(query: SelectQuery, writing: Writing): string {
  const { expression } = writing;
  const clause = (word: string, expr: Expression | undefined): string[] =>
    expr ? [`${word} ${expression(expr)}`] : [];
  const { ctes, select_from, array_join_op, array_join_list = [], window_exprs, order_by, interpolate } = query;
  return [
    ...(ctes ? [writeCtes(ctes, writing)] : []),
    `SELECT ${query.distinct ? 'DISTINCT ' : ''}${query.select.map(writing.column).join(', ')}`,
    ...(select_from ? [`FROM ${writeFrom(select_from, writing)}`] : []),
    ...(array_join_op ? [`${array_join_op} ${listOf(array_join_list, writing)}`] : []),
    ...clause('PREWHERE', query.prewhere),
    ...clause('WHERE', query.where),
    ...writeGroupBy(query, writing),
    ...clause('HAVING', query.having),
    ...(window_exprs ? [writeWindows(window_exprs, writing)] : []),
    ...clause('QUALIFY', query.qualify),
    ...(order_by ? [`ORDER BY ${writeOrder(order_by, writing)}`] : []),
    ...(interpolate ? [writeInterpolate(interpolate, writing)] : []),
    ...writeLimits(query, writing),
  ].join(' ');
}

function writeCtes(ctes: readonly Cte[], writing: Writing): string {
  const written = ctes.map((cte) => writeCte(cte, writing)).join(', ');
  return `WITH ${ctes.some(({ recursive }) => recursive) ? 'RECURSIVE ' : ''}${written}`;
}

function writeCte({ name, columns, cte_type, expr }: Cte, writing: Writing): string {
  if (cte_type === 'subquery')
    return `${writeName(name)}${columns ? writeNames(columns) : ''} AS ${writing.operand(expr, 0)}`;
  return writeAlias({ alias: name, expr }, writing).text;
}

function writeGroupBy({ group_by, group_by_mode }: SelectQuery, writing: Writing): string[] {
  if (group_by_mode === 'all') return ['GROUP BY ALL'];
  if (!group_by) return [];
  const keys = group_by.map((key) => (key.node === 'GroupingSet' ? writeGroup(key, writing) : writing.expression(key)));
  if (!group_by_mode) return [`GROUP BY ${keys.join(', ')}`];
  return [`GROUP BY ${group_by_mode.toUpperCase().replace('_', ' ')} (${keys.join(', ')})`];
}

function writeGroup({ exprs }: GroupingSet, writing: Writing): string {
  return `(${listOf(exprs, writing)})`;
}

function writeWindows(windows: NonNullable<SelectQuery['window_exprs']>, writing: Writing): string {
  const written = Object.entries(windows).map(
    ([name, window]) => `${writeName(name)} AS ${writeWindow(window, writing)}`,
  );
  return `WINDOW ${written.join(', ')}`;
}

function writeLimits(query: SelectQuery, writing: Writing): string[] {
  const { limit_by: by } = query;
  if (!by) return writeLimit(query, writing);
  const limited = writeLimit({ limit: by.n, offset: by.offset_value }, writing);
  return [...limited, `BY ${listOf(by.exprs, writing)}`, ...writeLimit(query, writing)];
}

interface Limit {
  limit?: Expression | undefined;
  offset?: Expression | undefined;
  limit_with_ties?: true;
}

function writeLimit({ limit, offset, limit_with_ties }: Limit, { expression }: Writing): string[] {
  return [
    ...(limit ? [`LIMIT ${expression(limit)}`] : []),
    ...(offset ? [`OFFSET ${expression(offset)}`] : []),
    ...(limit_with_ties ? ['WITH TIES'] : []),
  ];
}
