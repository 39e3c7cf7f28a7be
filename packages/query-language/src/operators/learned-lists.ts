import { itemOf, lambdaOf } from './array-items.ts';
import { learnedText, pliableText } from './learned-types.ts';
import { call, type Resolved } from '../resolved.ts';
import { isLearned, type ValueType } from '../types.ts';

// Lists whose items were read by a learned type: the items give way to what they meet, as single values do.

type Align = (exprs: readonly Resolved[]) => Resolved[];

/** A value that was read by a learned type, as the property that it was, where a list is expected: it is none. */
export function propertyAgain(arg: Resolved): Resolved {
  return isLearned(arg.type) ? pliableText(arg) : arg;
}

/** Was a value, or the items of a list or of lists in it, read by a learned type? */
export function isOfLearned(type: ValueType): boolean {
  return type.item ? isOfLearned(type.item) : isLearned(type);
}

/** Does one of these lists have such items? */
export function haveLearnedItems(exprs: readonly Resolved[]): boolean {
  return exprs.some(({ type }) => type.item !== undefined && isOfLearned(type.item));
}

/**
 * Brings the items of lists to one type by `align`, where some were read by a learned type; with `values`, also the values that become
 * items of these lists. All else stays as it is. Throws what `align` throws.
 */
export function alignLists(exprs: readonly Resolved[], align: Align, values: readonly Resolved[] = []): Resolved[] {
  if (!exprs.some(({ type }) => isOfLearned(type))) return [...exprs];
  const ofLists = exprs.some(({ type }) => type.item?.kind === 'array');
  const items = exprs.map((expr) => {
    if (values.includes(expr)) return (expr.type.kind === 'array') === ofLists ? expr : undefined;
    return expr.type.kind === 'array' && expr.type.item ? itemOf(expr.type.item, expr) : undefined;
  });
  const known = items.filter((item) => item !== undefined);
  const aligned = align(known);
  return exprs.map((expr, at) => {
    const item = items[at];
    const fitted = item && aligned[known.indexOf(item)];
    if (!fitted || fitted === item) return expr;
    return item === expr ? fitted : mapped(expr, item, fitted);
  });
}

/** A list whose items are texts, where they were read by a learned type. */
export function textItems(list: Resolved): Resolved {
  const { item: type } = list.type;
  if (!type || !isLearned(type)) return list;
  const item = itemOf(type, list);
  return mapped(list, item, learnedText(item));
}

function mapped(list: Resolved, item: Resolved, made: Resolved): Resolved {
  return call('arrayMap', [lambdaOf(item, made), list], { kind: 'array', nullable: false, item: made.type }, list);
}
