import { isShort, named } from './array-items.ts';
import { alignItems } from './list-searches.ts';
import { align, mismatch, toMicroseconds, toText } from './conversions.ts';
import { warnOfNoDate, warnOfNoUuid, warnOfNullVariable, warnOfTextOrder } from './doubts.ts';
import { firstValue, warnOfDistinctId, warnOfMidnight } from './doubtful-equalities.ts';
import { alignTuples, withProperties } from './learned-tuples.ts';
import { besideQuery, tupleBesideQuery } from './query-members.ts';
import { compareProperties, sortsBySize } from './property-order.ts';
import { SpanError, type Span } from '../query-error.ts';
import { anyNullable, call, constant, fixed, type Resolved } from '../resolved.ts';
import type { CompareOperator } from '../tree/expressions.ts';
import { digitsOf, plain, type ValueType } from '../types.ts';
import { warnOfUnknownEvent } from '../hints/unknown-names.ts';
import { convertArgument } from './convert-argument.ts';

// Comparisons never yield NULL (contract/endpoints 10, decisions 14): with a NULL on one side, = and its like are false,
// and the negative ones are true, but for != and NOT IN of two NULLs.

const boolean = plain('boolean');
const functions: Partial<Record<CompareOperator, string>> = {
  '==': 'equals',
  '!=': 'notEquals',
  '<': 'less',
  '<=': 'lessOrEquals',
  '>': 'greater',
  '>=': 'greaterOrEquals',
  like: 'like',
  'not like': 'notLike',
  ilike: 'ilike',
  'not ilike': 'notILike',
};

const ordering: ReadonlySet<CompareOperator> = new Set(['<', '<=', '>', '>=']);

/** How a comparison is used: in a filter NULL and false mean the same, so nothing needs to be wrapped. */
export type Use = 'value' | 'filter';

/** `left op right` for every operator but IN. */
export function compare(op: CompareOperator, left: Resolved, right: Resolved, use: Use, span: Span): Resolved {
  if (op === '=~' || op === '!~' || op === '=~*' || op === '!~*') return matches(op, left, right, use, span);
  const name = functions[op];
  if (name === undefined)
    throw new SpanError('not_supported', `${op.toUpperCase()} is not supported: there are no cohorts here`, span);
  const textual = op.endsWith('like');
  const sides = textual ? [toText(left), toText(right)] : alignSides([left, right].map(withProperties));
  warnOfNullVariable([left, right]);
  if (!textual) warnOfNoUuid([left, right]);
  if (op === '==' || op === '!=') warnOfEquality([left, right], sides);
  if (ordering.has(op)) warnOfTextOrder([left, right], sides);
  if (sides.some((side) => side.type.kind === 'null')) return compareNull(op, sides, span);
  if (op === '!=' && sides.every((side) => side.type.nullable)) return call('isDistinctFrom', sides, boolean, span);
  if (ordering.has(op) && sides.every(sortsBySize))
    return withoutNull(compareProperties(name, sides as [Resolved, Resolved], span), false, use);
  const negative = op === '!=' || op.startsWith('not');
  return withoutNull(call(name, sides, plain('boolean', anyNullable(sides)), span), negative, use);
}

// `aligned` are the sides as they are compared.
function warnOfEquality(sides: readonly Resolved[], aligned: readonly Resolved[]): void {
  warnOfUnknownEvent(sides);
  warnOfNoDate(sides, aligned);
  warnOfMidnight(sides);
  const [left, right] = sides;
  if (left && sides.length === 2) warnOfDistinctId(left, right);
}

// A constant NULL (a variable that was given none) decides at once.
function compareNull(op: CompareOperator, sides: readonly Resolved[], span: Span): Resolved {
  const other = sides.find((side) => side.type.kind !== 'null');
  if (op === '!=') return other ? isNotNull(other, span) : constant(false, boolean, span);
  return constant(op.startsWith('not'), boolean, span);
}

function matches(op: '=~' | '!~' | '=~*' | '!~*', left: Resolved, right: Resolved, use: Use, span: Span): Resolved {
  const pattern = op.endsWith('*')
    ? call('concat', [fixed('(?i)', span), toText(right)], plain('text', right.type.nullable), span)
    : toText(right);
  const sides = [toText(left), pattern];
  const matched = call('match', sides, plain('boolean', anyNullable(sides)), span);
  return withoutNull(
    op.startsWith('!') ? call('not', [matched], matched.type, span) : matched,
    op.startsWith('!'),
    use,
  );
}

function withoutNull(expr: Resolved, whenNull: boolean, use: Use): Resolved {
  if (!expr.type.nullable || (use === 'filter' && !whenNull)) return expr;
  return call('ifNull', [expr, constant(whenNull ? 1 : 0, plain('integer'), expr)], boolean, expr);
}

/** `x IS NULL`. */
export function isNull(expr: Resolved, span: Span): Resolved {
  return call('isNull', [expr], boolean, span);
}

/** `x IS NOT NULL`. */
export function isNotNull(expr: Resolved, span: Span): Resolved {
  return call('isNotNull', [expr], boolean, span);
}

/** `left IS [NOT] DISTINCT FROM right`: NULL equals NULL. */
export function distinctFrom(negated: boolean, left: Resolved, right: Resolved, span: Span): Resolved {
  const sides = alignSides([left, right].map(withProperties));
  warnOfNoUuid([left, right]);
  warnOfNoDate([left, right], sides);
  return call(negated ? 'isNotDistinctFrom' : 'isDistinctFrom', withoutLongWholes(sides), boolean, span);
}

/** Brings the sides of a comparison to one type; of tuples, their members. Throws `type_mismatch`. */
export function alignSides(sides: readonly Resolved[]): Resolved[] {
  const aligned = align(sides);
  return aligned.every(({ type }) => type.kind === 'tuple') ? alignTuples(aligned, align) : aligned;
}

/** Brings sides that are aligned to what the engine tells apart: it does not take a whole number of 64 bits beside a float. */
export function withoutLongWholes(sides: readonly Resolved[]): Resolved[] {
  if (!sides.some(({ type }) => type.kind === 'float')) return [...sides];
  return sides.map((side) =>
    side.kind === 'constant' && side.type.kind === 'integer' && Math.abs(Number(side.value)) > wholeMax
      ? call('toFloat64', [side], plain('float'), side)
      : side,
  );
}

/** The engine takes a literal up to here for a whole number of 32 bits. */
const wholeMax = 2 ** 31 - 1;

/** `expr [NOT] BETWEEN low AND high`. */
export function between(
  negated: boolean,
  expr: Resolved,
  low: Resolved,
  high: Resolved,
  use: Use,
  span: Span,
): Resolved {
  const inside = call(
    'and',
    [compare('>=', expr, low, negated ? 'value' : use, span), compare('<=', expr, high, negated ? 'value' : use, span)],
    boolean,
    span,
  );
  return negated ? call('not', [inside], boolean, span) : inside;
}

/** `left [NOT] IN (members)`. Members that are constants print as a set, others as comparisons. */
export function inList(negated: boolean, left: Resolved, members: readonly Resolved[], use: Use, span: Span): Resolved {
  warnOfNullVariable([left, ...members]);
  const known = members.filter((member) => member.type.kind !== 'null');
  if (known.length === 0) return constant(negated, boolean, span);
  if (left.type.kind === 'null') return constant(negated, boolean, span);
  if (left.type.kind === 'tuple') return inTuples(negated, left, known, use, span);
  const set = constantSet(left, known, span);
  return set ? inSet(negated, set, use, span) : inComparisons(negated, left, known, span);
}

/** Printed members of `IN` that are constants: both sides brought to one type. */
export interface ConstantSet {
  subject: Resolved;
  list: Resolved;
}

/** Brings the value before IN and constants together; `undefined` when a member does not stay a constant. */
export function constantSet(left: Resolved, known: readonly Resolved[], span: Span): ConstantSet | undefined {
  const [aligned = left, ...set] = align([left, ...known]);
  warnOfNoUuid([left, ...known]);
  warnOfEquality([left, ...known], [aligned, ...set]);
  if (!set.every((member) => member.kind === 'constant')) return undefined;
  const item: ValueType = set.length > 0 ? (set[0] as Resolved).type : plain('text');
  const wide = set.some((member) => member.type.kind === 'float') ? plain('float') : item;
  // A stored time stays as it is, so that the engine finds rows by its key.
  const isStored = aligned.kind === 'column' && aligned.type.kind === 'datetime' && digitsOf(aligned.type) === 6;
  const subject = item.kind === 'datetime' && !isStored ? toMicroseconds(aligned, span) : aligned;
  const values = set.map((member) => member.value);
  const list = constant(values, { kind: 'array', nullable: false, item: wide }, span);
  return { subject, list };
}

/** `left [NOT] IN` constants that were brought together with it. */
export function inSet(negated: boolean, { subject, list }: ConstantSet, use: Use, span: Span): Resolved {
  return membership(negated, subject, list, subject.type.nullable, use, span);
}

function inComparisons(negated: boolean, left: Resolved, members: readonly Resolved[], span: Span): Resolved {
  const any = call(
    'or',
    [...members.map((member) => compare('==', left, member, 'value', span)), constant(0, plain('integer'), span)],
    boolean,
    span,
  );
  return negated ? call('not', [any], boolean, span) : any;
}

// Tuples print as they are: their members are lists of plain constants or nothing that IN could take.
function inTuples(negated: boolean, left: Resolved, members: readonly Resolved[], use: Use, span: Span): Resolved {
  if (left.kind !== 'call') throw mismatch('Expected a tuple in brackets before IN', left);
  const rows = members.map((member) => {
    if (member.kind !== 'call' || member.name !== 'tuple' || member.args.length !== left.args.length)
      throw mismatch(`Expected tuples of ${left.args.length} members`, member);
    return member.args;
  });
  const columns = left.args.map((arg, index) => {
    const values = [arg, ...rows.map((row) => row[index] as Resolved)];
    warnOfNoUuid(values);
    return align(values);
  });
  const tupleOf = (row: number): Resolved =>
    call(
      'tuple',
      columns.map((column) => column[row] as Resolved),
      { kind: 'tuple', nullable: false },
      span,
    );
  const set = call(
    'tuple',
    rows.map((_, index) => tupleOf(index + 1)),
    { kind: 'tuple', nullable: false },
    span,
  );
  return membership(negated, tupleOf(0), set, true, use, span);
}

/** `left [NOT] IN (SELECT …)`. */
export function inQuery(
  negated: boolean,
  left: Resolved,
  query: Resolved & { kind: 'query' },
  use: Use,
  span: Span,
): Resolved {
  const { columns } = query.query;
  const isTuple = left.kind === 'call' && left.name === 'tuple';
  const width = isTuple ? left.args.length : 1;
  if (columns.length !== width)
    throw mismatch(`The sub-query after IN has ${columns.length} columns, expected ${width}`, query);
  const [column] = columns;
  if (width > 1 || !column) {
    const { value, set } = isTuple ? tupleBesideQuery(left, query) : { value: left, set: query };
    return membership(negated, value, set, true, use, span);
  }
  warnOfDistinctId(left, firstValue(query.query));
  const { value, set } = besideQuery(left, query);
  return membership(negated, value, set, value.type.nullable || column.type.nullable, use, span);
}

/** `left [NOT] IN array`. */
export function inArray(negated: boolean, value: Resolved, array: Resolved, span: Span): Resolved {
  const [list, left] = alignItems(array, value);
  const has = call('has', [list, left], boolean, span);
  const known = left.type.nullable
    ? call(
        'ifNull',
        [call('and', [isNotNull(left, span), has], plain('boolean', true), span), constant(0, plain('integer'), span)],
        boolean,
        span,
      )
    : has;
  return negated ? call('not', [known], boolean, span) : known;
}

/** `left [NOT] IN property`: one of the items of a list, or the value itself. */
export function inProperty(negated: boolean, left: Resolved, property: Resolved, span: Span): Resolved {
  const among = (value: Resolved, list: Resolved): Resolved =>
    call(
      'or',
      [compare('==', value, list, 'value', span), inArray(false, value, convertArgument(list, 'array'), span)],
      boolean,
      span,
    );
  // Both are printed twice: a long text would double with each nested IN.
  const found = [left, property].every(isShort)
    ? among(left, property)
    : named({ __left: left, __list: property }, (names) => among(names.__left, names.__list), span);
  return negated ? call('not', [found], boolean, span) : found;
}

function membership(
  negated: boolean,
  left: Resolved,
  set: Resolved,
  mayBeNull: boolean,
  use: Use,
  span: Span,
): Resolved {
  return withoutNull(call(negated ? 'notIn' : 'in', [left, set], plain('boolean', mayBeNull), span), negated, use);
}
