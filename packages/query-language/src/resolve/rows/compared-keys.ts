import { alignSides, inList, inQuery, withoutLongWholes } from '../../operators/comparisons.ts';
import { align, toText } from '../../operators/conversions.ts';
import { alignItems } from '../../operators/list-searches.ts';
import { call, constantOf, type Resolved, type ResolvedCall } from '../../resolved.ts';
import { plain } from '../../types.ts';
import type { ConstantValue } from '../../values.ts';

type Comparison = (expr: ResolvedCall, sides: readonly Resolved[]) => Resolved;

// All sides come to one type.
const compared: Comparison = (expr, sides) => ({ ...expr, args: alignSides(sides) });

const distinct: Comparison = (expr, sides) => ({ ...expr, args: withoutLongWholes(alignSides(sides)) });

// It stays a text for what is around it.
function nullIf(expr: ResolvedCall, sides: readonly Resolved[]): Resolved {
  const [value, other] = align(sides) as [Resolved, Resolved];
  const kept = call('nullIf', [value, other], { ...value.type, nullable: true }, expr);
  return { ...toText(kept), type: expr.type };
}

// CASE x WHEN a THEN … WHEN b THEN … ELSE … END
function matched(expr: ResolvedCall, sides: readonly Resolved[]): Resolved {
  const isMatch = (at: number): boolean => at % 2 === 1 && at < sides.length - 1;
  const [subject = expr, ...matches] = align(sides.filter((_, at) => at === 0 || isMatch(at)));
  const args = sides.map((side, at) => (at === 0 ? subject : isMatch(at) ? (matches[(at - 1) / 2] ?? side) : side));
  return { ...expr, args };
}

function found(expr: ResolvedCall, [list, sought]: readonly Resolved[]): Resolved {
  return list && sought ? { ...expr, args: alignItems(list, sought) } : expr;
}

function among(expr: ResolvedCall, sides: readonly Resolved[]): Resolved {
  const [value, set] = sides as [Resolved, Resolved];
  const negated = expr.name === 'notIn';
  if (set.kind === 'query') return inQuery(negated, value, set, 'filter', expr);
  if (set.kind === 'call' && set.name === 'tuple') return inList(negated, value, set.args, 'filter', expr);
  if (set.kind !== 'constant' || !Array.isArray(set.value)) return { ...expr, args: sides };
  const type = set.type.item ?? plain('text');
  const members = (set.value as readonly ConstantValue[]).map((member) => constantOf(member, type, set));
  return inList(negated, value, members, 'filter', expr);
}

const comparisons: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ...['equals', 'notEquals', 'less', 'lessOrEquals', 'greater', 'greaterOrEquals'].map((name): [string, Comparison] => [
    name,
    compared,
  ]),
  ['isDistinctFrom', distinct],
  ['isNotDistinctFrom', distinct],
  ['nullIf', nullIf],
  ['caseWithExpression', matched],
  ['has', found],
  ['indexOf', found],
  ['countEqual', found],
  ['in', among],
  ['notIn', among],
]);

/**
 * How a call compares its arguments, where keys of groups among them are values of their learned types: as it would one query further
 * out, where nothing is left of a key but its value. Undefined where the call compares nothing.
 */
export function comparisonOf({ name }: ResolvedCall): Comparison | undefined {
  return comparisons.get(name);
}
