import { SpanError } from '../../query-error.ts';
import { constant, type Resolved } from '../../resolved.ts';
import type { Constant } from '../../tree/expressions.ts';
import { warnOfQuotedPlaceholder } from '../../placeholders/quoted-placeholder.ts';
import { plain } from '../../types.ts';

/** A literal with its type. Throws `invalid_value` for a whole number beyond 64 bits. */
export function literal(expr: Constant): Resolved {
  const { value } = expr;
  if (expr.value_type === 'number') return constant(integerOf(expr), plain('integer'), expr);
  if (value === null) return constant(null, plain('null', true), expr);
  if (typeof value === 'boolean') return constant(value, plain('boolean'), expr);
  if (typeof value === 'string') {
    warnOfQuotedPlaceholder(value, expr);
    return constant(value, plain('text'), expr);
  }
  return constant(
    value,
    plain(Number.isInteger(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? 'integer' : 'float'),
    expr,
  );
}

function integerOf(expr: Constant): bigint {
  const value = BigInt(String(expr.value));
  if (BigInt.asIntN(64, value) !== value && BigInt.asUintN(64, value) !== value)
    throw new SpanError('invalid_value', 'The number does not fit into 64 bits', expr);
  return value;
}
