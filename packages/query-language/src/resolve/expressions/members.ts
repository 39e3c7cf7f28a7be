import { mismatch, toText } from '../../operators/conversions.ts';
import { convertArgument } from '../../operators/convert-argument.ts';
import { warnOfPlaceZero } from '../../operators/doubts.ts';
import { isProperty } from '../../operators/property-order.ts';
import { SpanError, type Span } from '../../query-error.ts';
import { call, constant, type Resolved } from '../../resolved.ts';
import type { ArrayAccess, TupleAccess } from '../../tree/expressions.ts';
import { isLearned, nullable, plain, type ValueType } from '../../types.ts';
import { followPath } from '../names/source-fields.ts';
import { unknownItem } from '../names/scope.ts';

/** `array[index]`: an item of an array, a value of a map, a member of a tuple or a property. */
export function elementOf(array: Resolved, index: Resolved, expr: ArrayAccess): Resolved {
  const isPath = isInside(array.type);
  if (isPath) {
    const key = index.kind === 'constant' ? index.value : undefined;
    if (typeof key !== 'string' && !(typeof key === 'number' && Number.isSafeInteger(key)))
      throw new SpanError(
        'wrong_arguments',
        'A property is named by a plain text or number; for a computed name use JSONExtractString',
        expr.property,
      );
    if (!array.type.json) warnOfPlaceZero(index, expr.property);
    return followPath(array, [key], expr);
  }
  if (array.type.kind === 'array' || array.type.kind === 'unknown') {
    if (index.type.kind === 'text' && !isProperty(index))
      throw mismatch('An array is indexed by a number, from 1', expr.property);
    warnOfPlaceZero(index, expr.property);
    const place = convertArgument(index, 'integer');
    const item = array.type.item ?? unknownItem;
    return call('arrayElement', [array, place], place.type.nullable ? nullable(item) : item, expr);
  }
  if (array.type.kind === 'map')
    return call('arrayElement', [array, toText(index)], array.type.item ?? unknownItem, expr);
  if (array.type.kind === 'tuple' && index.kind === 'constant' && typeof index.value === 'number')
    return tupleMember(array, index.value, expr);
  const ofText = array.type.kind === 'text' ? '; for JSON text write JSONExtractString(text, name)' : '';
  throw mismatch(`Only arrays, tuples, maps and properties have members${ofText}`, expr);
}

// JSON has parts; what was read by a learned type is a property still, whose parts are NULL.
function isInside(type: ValueType): boolean {
  return type.json === true || type.property === true || isLearned(type);
}

/** `tuple.1`, also of a property that is a list. */
export function memberOf(tuple: Resolved, expr: TupleAccess): Resolved {
  if (tuple.type.property && expr.index === 0) warnOfPlaceZero(constant(0, plain('integer'), expr), expr);
  if (isInside(tuple.type)) return followPath(tuple, [expr.index], expr);
  return tupleMember(tuple, expr.index, expr);
}

/** `(a, b)`: its members as they are. */
export function tupleOf(members: readonly Resolved[], span: Span): Resolved {
  return call('tuple', members, { kind: 'tuple', nullable: false, items: members.map((member) => member.type) }, span);
}

function tupleMember(tuple: Resolved, index: number, span: Span): Resolved {
  const { items } = tuple.type;
  if (tuple.type.kind !== 'tuple' && tuple.type.kind !== 'unknown')
    throw mismatch('Only a tuple has numbered members', span);
  if (!Number.isSafeInteger(index) || index < 1 || (items && index > items.length))
    throw mismatch(`The tuple has members 1 to ${items?.length ?? 'n'}`, span);
  return call(
    'tupleElement',
    [tuple, constant(index, plain('integer'), span)],
    items?.[index - 1] ?? unknownItem,
    span,
  );
}
