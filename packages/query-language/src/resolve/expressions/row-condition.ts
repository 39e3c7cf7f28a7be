import { toCondition } from '../../operators/conversions.ts';
import { SpanError } from '../../query-error.ts';
import type { Resolved } from '../../resolved.ts';
import type { Expression } from '../../tree/expressions.ts';
import type { RowCondition } from '../../tree/made-expressions.ts';
import { placedAt } from '../../tree/placed-at.ts';
import { Scope } from '../names/scope.ts';

const quotedMax = 200;

/** Resolves a condition on a row. Throws `SpanError`, which quotes it: also `illegal_aggregate`, and `type_mismatch` for what is no condition. */
export function resolveRowCondition(
  { expr, from, text, ...span }: RowCondition,
  scope: Scope,
  resolve: (expr: Expression, scope: Scope) => Resolved,
): Resolved {
  const condition = (tree: Expression): Resolved => {
    const row = new Scope(scope.resolution, undefined);
    row.sources.push(...scope.sources.slice(from, from + 1));
    row.aggregatesAllowed = false;
    return toCondition(resolve(tree, row));
  };
  try {
    // Warnings, and all that is made of it, have the place that it is grafted to.
    return condition(placedAt(expr, span));
  } catch (error) {
    if (!(error instanceof SpanError)) throw error;
    const { code, message } = exactly(error, () => condition(expr), text);
    throw new SpanError(code, `In the filter "${text.slice(0, quotedMax)}": ${message}`, span);
  }
}

/** The error with the words of the text, which its places are for. */
function exactly(error: SpanError, again: () => void, text: string): Pick<SpanError, 'code' | 'message'> {
  try {
    again();
    return error;
  } catch (exact) {
    if (!(exact instanceof SpanError)) throw exact;
    return exact.code === error.code ? { code: exact.code, message: exact.wordsIn(text).message } : error;
  }
}
