import { intervalFunctions } from '../parse/words.ts';
import { power } from '../parse/powers.ts';
import type { Call, Expression, WindowExpr, WindowFrameExpr, WindowFunction } from '../tree/expressions.ts';
import { isBare } from '../tree/tree-nodes.ts';
import { writeOrder } from './write-order.ts';
import { writeFunctionName, writeName } from './write-names.ts';
import { between } from './write-operators.ts';
import { isStatement, listOf, wholeText, type Writing, type Written } from './written.ts';

const units: ReadonlyMap<string, string> = new Map(
  Object.entries(intervalFunctions).map(([unit, name]) => [name, unit.toUpperCase()]),
);

/** A call, and what CASE, INTERVAL, EXISTS and `&&` stand for. */
export function writeCall(call: Call, writing: Writing): Written {
  const form = isBare(call) ? writeForm(call, writing) : undefined;
  if (form) return form;
  const { args, params, within_group, order_by } = call;
  const name = isCast(call) ? call.name : writeFunctionName(call.name);
  const [given, ordered] = within_group ? [params ?? [], within_group] : [args, order_by];
  const parameters = params && !within_group ? `(${listOf(params, writing)})` : '';
  const inside = [
    `${call.distinct ? 'DISTINCT ' : ''}${listOf(given, writing)}`,
    ...(ordered && !within_group ? [`ORDER BY ${writeOrder(ordered, writing)}`] : []),
  ];
  const group = within_group ? ` WITHIN GROUP (ORDER BY ${writeOrder(within_group, writing)})` : '';
  const text = `${name}${parameters}(${inside.filter((part) => part !== '').join(' ')})${group}`;
  return wholeText(`${text}${writeBehind(call, writing)}`);
}

function writeBehind({ nulls, filter_expr }: Call | WindowFunction, { expression }: Writing): string {
  return `${nulls ? ` ${nulls} NULLS` : ''}${filter_expr ? ` FILTER (WHERE ${expression(filter_expr)})` : ''}`;
}

// `CAST(x, 'Int64')`. Its first argument takes no alias.
function isCast(call: Call): boolean {
  return /^(?:try_)?cast$/i.test(call.name) && isBare(call) && call.args.length > 0 && call.args[0]?.node !== 'Alias';
}

function writeForm(call: Call, writing: Writing): Written | undefined {
  const { name, args } = call;
  const [first, second] = args;
  if (!first) return undefined;
  if (name === '_caseWithExpression' && args.length >= 4 && args.length % 2 === 0)
    return wholeText(writeCase(args, writing));
  if (args.length === 2 && second && name === '_overlap') return between(first, '&&', second, power.overlap, writing);
  if (args.length > 1) return undefined;
  if (name === 'NOT') return wholeText(`NOT (${writing.expression(first)})`);
  const unit = units.get(name);
  if (unit !== undefined && first.node === 'Constant' && Number.isSafeInteger(first.value) && Number(first.value) >= 0)
    return wholeText(`INTERVAL ${String(first.value)} ${unit}`);
  if (name !== 'exists' || !isStatement(first)) return undefined;
  const query = writing.statement(first);
  return wholeText(query.startsWith('(') ? `exists((${query}))` : `EXISTS (${query})`);
}

function writeCase(args: readonly Expression[], { expression }: Writing): string {
  const [value = '', ...rest] = args.map(expression);
  const otherwise = rest.pop() ?? '';
  const branches = rest.flatMap((when, at) => (at % 2 === 0 ? [`WHEN ${when} THEN ${rest[at + 1] ?? ''}`] : []));
  return `CASE ${value} ${branches.join(' ')} ELSE ${otherwise} END`;
}

/** A function over a window. */
export function writeWindowFunction(expr: WindowFunction, writing: Writing): Written {
  const { name, exprs, args, over_expr, over_identifier = '' } = expr;
  const parameters = args.length > 0 ? `(${listOf(exprs, writing)})` : '';
  const given = `${expr.distinct ? 'DISTINCT ' : ''}${listOf(args.length > 0 ? args : exprs, writing)}`;
  const over = over_expr ? writeWindow(over_expr, writing) : writeName(over_identifier);
  return wholeText(
    `${writeFunctionName(name)}${parameters}(${given.trim()})${writeBehind(expr, writing)} OVER ${over}`,
  );
}

/** A window in its brackets. */
export function writeWindow(window: WindowExpr, writing: Writing): string {
  const { partition_by, order_by, frame_method, frame_start, frame_end } = window;
  const frame =
    frame_start && frame_end ? `BETWEEN ${writeBound(frame_start)} AND ${writeBound(frame_end)}` : frame_start;
  const parts = [
    partition_by ? `PARTITION BY ${listOf(partition_by, writing)}` : '',
    order_by ? `ORDER BY ${writeOrder(order_by, writing)}` : '',
    frame_method && frame ? `${frame_method} ${typeof frame === 'string' ? frame : writeBound(frame)}` : '',
  ];
  return `(${parts.filter((part) => part !== '').join(' ')})`;
}

function writeBound({ frame_type, frame_value }: WindowFrameExpr): string {
  return frame_type === 'CURRENT ROW' ? frame_type : `${frame_value ?? 'UNBOUNDED'} ${frame_type}`;
}
