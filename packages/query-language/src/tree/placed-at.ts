import type { Span } from '../query-error.ts';
import type { Expression } from './expressions.ts';

/** The expression with all of its nodes at this place. Pure. */
export function placedAt(expr: Expression, { start, end }: Span): Expression {
  return placed(expr, { start, end }) as Expression;
}

function placed(value: unknown, span: Span): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => placed(item, span));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, placed(part, span)]);
  return { ...Object.fromEntries(entries), ...('node' in value && span) };
}
