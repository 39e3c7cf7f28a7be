import { itemOf, lambdaOf, named } from './array-items.ts';
import { align } from './conversions.ts';
import { warnOfNoUuid } from './doubts.ts';
import type { Span } from '../query-error.ts';
import { call, constant, type Resolved } from '../resolved.ts';
import { plain } from '../types.ts';

/** A list, and what is looked for in it: properties on either side become what the other is, as they do in every comparison. */
export function alignItems(list: Resolved, sought: Resolved): [list: Resolved, sought: Resolved] {
  const type = list.type.item;
  if (type?.kind === 'uuid') warnOfNoUuid([itemOf(type, list), sought]);
  if (!type || ![type, sought.type].some(({ property, learned }) => property || learned)) return [list, sought];
  const item = itemOf(type, list);
  const [fitted = item, value = sought] = align([item, sought]);
  return [
    fitted === item
      ? list
      : call('arrayMap', [lambdaOf(item, fitted), list], { kind: 'array', nullable: false, item: fitted.type }, list),
    value,
  ];
}

/**
 * `has(list, x)`, `hasAny(list, list)` and their like, which `find` prints. A property that does not become what it is compared with
 * is NULL, and equals no other NULL.
 */
export function searchList(
  [list, sought]: readonly [Resolved, Resolved],
  find: (items: Resolved, value: Resolved) => Resolved,
  span: Span,
): Resolved {
  const { item } = sought.type;
  if (sought.type.kind === 'array' && item) {
    const [items] = alignItems(list, itemOf(item, sought));
    const [values] = alignItems(sought, itemOf(list.type.item ?? item, list));
    return items === list && values === sought
      ? find(list, sought)
      : find(asFloats(withoutNulls(items)), asFloats(values));
  }
  const [items, value] = alignItems(list, sought);
  if ((items === list && value === sought) || !value.type.nullable) return find(items, value);
  const isThere = (expr: Resolved): Resolved => call('isNotNull', [expr], plain('boolean'), span);
  return named(
    { __list: items, __sought: value },
    ({ __list, __sought }) => {
      const found = find(__list, __sought);
      return call(
        'if',
        [isThere(__sought), found, constant(0, plain('integer'), span)],
        { ...found.type, nullable: items.type.nullable },
        span,
      );
    },
    span,
  );
}

// Type that properties get; the engine brings no whole numbers of 64 bits together with it.
function asFloats(list: Resolved): Resolved {
  const item = itemOf(list.type.item ?? plain('unknown', true), list);
  const float = call('toFloat64', [item], { ...item.type, kind: 'float' }, list);
  return item.type.kind === 'integer'
    ? call('arrayMap', [lambdaOf(item, float), list], { ...list.type, item: float.type }, list)
    : list;
}

function withoutNulls(list: Resolved): Resolved {
  const item = itemOf(list.type.item ?? plain('unknown', true), list);
  return item.type.nullable
    ? call('arrayFilter', [lambdaOf(item, call('isNotNull', [item], plain('boolean'), list)), list], list.type, list)
    : list;
}
