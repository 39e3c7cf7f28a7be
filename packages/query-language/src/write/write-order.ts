import type { InterpolateExpr, OrderExpr, WithFillExpr } from '../tree/statements.ts';
import { writeName } from './write-names.ts';
import type { Writing } from './written.ts';

/** The list after ORDER BY, of a query or of a window. */
export function writeOrder(order: readonly OrderExpr[], writing: Writing): string {
  return order
    .map(({ expr, order: direction, nulls, with_fill }) =>
      [
        writing.expression(expr),
        ...(direction === 'DESC' ? ['DESC'] : []),
        ...(nulls ? [`NULLS ${nulls}`] : []),
        ...(with_fill ? [writeFill(with_fill, writing)] : []),
      ].join(' '),
    )
    .join(', ');
}

function writeFill({ from_value, to_value, step_value }: WithFillExpr, { expression }: Writing): string {
  return [
    'WITH FILL',
    ...(from_value ? [`FROM ${expression(from_value)}`] : []),
    ...(to_value ? [`TO ${expression(to_value)}`] : []),
    ...(step_value ? [`STEP ${expression(step_value)}`] : []),
  ].join(' ');
}

/** INTERPOLATE after ORDER BY. */
export function writeInterpolate(columns: readonly InterpolateExpr[], { expression }: Writing): string {
  if (columns.length === 0) return 'INTERPOLATE';
  const written = columns.map(({ name, value }) => `${writeName(name)}${value ? ` AS ${expression(value)}` : ''}`);
  return `INTERPOLATE (${written.join(', ')})`;
}
