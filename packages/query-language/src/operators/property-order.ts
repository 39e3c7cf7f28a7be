import { isReadable, readByType } from './learned-types.ts';
import type { Span } from '../query-error.ts';
import { call, constant, fixed, isOpenPlaceholder, type Resolved } from '../resolved.ts';
import { plain, type ValueType } from '../types.ts';

// Properties are text whose meaning the context decides. Where only an order is needed, those that are numbers go by
// their size and come before the others, which go by their letters: 9, 10, 'a', 'b', and those that are missing last.

/** Does nothing say what this property's values are? */
export function isProperty(expr: Resolved): boolean {
  return expr.type.property === true && expr.kind !== 'constant' && !isOpenPlaceholder(expr);
}

/** Is it sorted by size where it is a number? `toString(…)` around a property says that it is not. */
export function sortsBySize(expr: Resolved): boolean {
  return isProperty(expr) && !expr.type.asText;
}

/** Sort keys of a value, from the first to the last. */
export function sortingKeys(expr: Resolved): Resolved[] {
  if (isReadable(expr)) return [readByType(expr)];
  return sortsBySize(expr) ? [asNumber(expr), expr] : [expr];
}

function asNumber(expr: Resolved): Resolved {
  return call('toFloat64OrNull', [expr], plain('float', true), expr);
}

/** One key without a NULL in it, by which the least or the greatest value is found; a missing one is neither. */
export function extremeKey(expr: Resolved, which: 'least' | 'greatest', span: Span): Resolved {
  const number = asNumber(expr);
  const later = (of: Resolved): Resolved =>
    call(which === 'least' ? 'isNull' : 'isNotNull', [of], plain('boolean'), span);
  const items = [
    later(expr),
    later(number),
    withFallback(number, constant(0, plain('integer'), span), span),
    withFallback(expr, fixed('', span), span),
  ];
  return call('tuple', items, { kind: 'tuple', nullable: false, items: items.map((item) => item.type) }, span);
}

function withFallback(expr: Resolved, value: Resolved, span: Span): Resolved {
  const type: ValueType = plain(expr.type.kind);
  return expr.type.nullable ? call('ifNull', [expr, value], type, span) : expr;
}

/** `left op right` of two properties: as numbers where both are, else as texts. */
export function compareProperties(name: string, [left, right]: readonly [Resolved, Resolved], span: Span): Resolved {
  const compared = (a: Resolved, b: Resolved): Resolved => call(name, [a, b], plain('boolean', true), span);
  return call(
    'ifNull',
    [compared(asNumber(left), asNumber(right)), compared(left, right)],
    plain('boolean', left.type.nullable || right.type.nullable),
    span,
  );
}
