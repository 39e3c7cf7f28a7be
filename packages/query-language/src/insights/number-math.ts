import type { Expression } from '../tree/expressions.ts';
import { call, callWith, constant } from './nodes.ts';

/** Function of a list of numbers; quantiles interpolate linearly. */
export type NumberMath = 'sum' | 'avg' | 'min' | 'max' | { quantile: number };

/** An aggregate of numbers, of which NULLs are left out. NULL when there are none. */
export function overNumbers(math: NumberMath, number: Expression): Expression {
  if (typeof math === 'string') return call(math, number);
  return callWith('quantileExactInclusive', [constant(math.quantile)], number);
}

/** The number, NULL when it is infinite or none: `"nan"` is no text of a number. */
export const finiteNumber = (number: Expression): Expression =>
  call('if', call('isFinite', number), number, constant(null));
