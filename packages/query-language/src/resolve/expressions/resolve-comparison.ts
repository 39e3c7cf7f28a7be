import { inBoundList } from '../../operators/bound-lists.ts';
import {
  compare,
  inArray,
  inList,
  inProperty,
  inQuery,
  isNotNull,
  isNull,
  type Use,
} from '../../operators/comparisons.ts';
import { isProperty } from '../../operators/property-order.ts';
import { SpanError, type Span } from '../../query-error.ts';
import type { Resolved } from '../../resolved.ts';
import type { CompareOperation, CompareOperator, Expression } from '../../tree/expressions.ts';
import { forgetHiddenDay } from '../names/hidden-columns.ts';
import type { Scope } from '../names/scope.ts';
import { refuseAnyOfList } from './any-of-list.ts';
import { comparedValue } from './compared-value.ts';
import { tupleOf } from './members.ts';
import { cteAsQuery, subQuery } from './sub-query.ts';

/** Resolves an expression of the same SELECT. */
type Resolve = (expr: Expression) => Resolved;

/** Resolves a comparison with its sides, IN too. Throws `SpanError`. */
export function resolveComparison(expr: CompareOperation, scope: Scope, use: Use, resolve: Resolve): Resolved {
  const { op } = expr;
  const negated = op === '!=';
  // A NULL that is written out is a test for a missing value; one that a variable was given compares as every value
  // does.
  if ((op === '==' || negated) && (isNullWord(expr.left) || isNullWord(expr.right))) {
    const operand = resolve(isNullWord(expr.right) ? expr.left : expr.right);
    return negated ? isNotNull(operand, expr) : isNull(operand, expr);
  }
  refuseAnyOfList(expr, scope);
  const isIn = op === 'in' || op === 'not in';
  // Behind IN the members say what properties are.
  const left =
    isIn && expr.left.node === 'Tuple'
      ? tupleOf(
          expr.left.exprs.map((part) => resolve(part)),
          expr.left,
        )
      : resolve(expr.left);
  if (isIn) return resolveIn(op === 'not in', left, expr.right, scope, use, resolve, expr);
  const right = isEquality(op) ? comparedValue(expr.right, left, resolve) : resolve(expr.right);
  forgetHiddenDay(op, left, right, scope);
  return compare(op, left, right, use, expr);
}

const isEquality = (op: CompareOperator): boolean => op === '==' || op === '!=' || op.endsWith('like');

function isNullWord(expr: Expression): boolean {
  return expr.node === 'Constant' && expr.value === null;
}

function resolveIn(
  negated: boolean,
  left: Resolved,
  right: Expression,
  scope: Scope,
  use: Use,
  resolve: Resolve,
  span: Span,
): Resolved {
  const listed =
    right.node === 'Tuple' || right.node === 'Array'
      ? right.exprs
      : right.node === 'Call' && /^(?:tuple|array)$/i.test(right.name) && right.args.length > 0
        ? right.args
        : undefined;
  if (listed) {
    const members = listed.map((member) => comparedValue(member, left, resolve));
    members.forEach((member) => refuseObject(negated, left, member, span));
    // `(a, b) IN (1, 2)` is one tuple, the same as IN ((1, 2)).
    const single = left.type.kind === 'tuple' && members.every((member) => member.type.kind !== 'tuple');
    return inList(negated, left, single ? [resolve(right)] : members, use, span);
  }
  const statement = right.node === 'SelectQuery' || right.node === 'SelectSetQuery' ? right : cteAsQuery(right, scope);
  if (statement) return inQuery(negated, left, subQuery(statement, scope), use, span);
  const set = resolve(right);
  refuseObject(negated, left, set, span);
  if (set.kind === 'constant' && Array.isArray(set.value))
    return inBoundList(negated, left, set, scope.resolution.lists, use, span);
  if (set.type.kind === 'array') return inArray(negated, left, set, span);
  if (isProperty(set)) return inProperty(negated, left, set, span);
  return inList(negated, left, [set], use, span);
}

// `'plan' IN properties` asks for a key.
function refuseObject(negated: boolean, left: Resolved, set: Resolved, span: Span): void {
  if (!set.type.json) return;
  const saying = (written: string): string => {
    const [key, object] = [left, set].map(({ start, end }) => written.slice(start - span.start, end - span.start));
    return `${negated ? 'NOT ' : ''}JSONHas(${object}, ${key})`;
  };
  throw new SpanError('type_mismatch', 'IN does not look for keys in a JSON object', span, {
    saying,
    fallback: "JSONHas(properties, 'plan')",
  });
}
