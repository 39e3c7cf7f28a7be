import type { Span } from './query-error.ts';
import type { Resolved } from './resolved.ts';
import { plain, type ValueType } from './types.ts';

const itemName = '__x';

/** An item of an array, as a function that we print over its items calls it. */
export function itemOf(type: ValueType, { start, end }: Span): Resolved {
  return { kind: 'name', name: itemName, type, aggregate: false, local: true, start, end };
}

/** The function that makes `body` of such an item. */
export function lambdaOf(item: Resolved, body: Resolved): Resolved {
  return { ...item, kind: 'lambda', args: [itemName], body, type: plain('lambda') };
}
