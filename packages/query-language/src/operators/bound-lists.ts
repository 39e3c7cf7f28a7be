import { costOf, spend } from '../budget.ts';
import { constantSet, inList, inSet, type ConstantSet, type Use } from './comparisons.ts';
import type { Span } from '../query-error.ts';
import { constantOf, type Resolved, type ResolvedConstant } from '../resolved.ts';
import { plain } from '../types.ts';
import type { ConstantValue } from '../values.ts';

/** Converted lists of a run, so that a list that is named often is converted once: by list, then by what it meets. */
export type KnownLists = Map<ConstantValue, Map<string, { left: Resolved; set: ConstantSet }>>;

/** `left [NOT] IN {list}`. Throws `SpanError`, `query_too_large` when the lists of the query have too many members. */
export function inBoundList(
  negated: boolean,
  left: Resolved,
  { value, type, ...at }: ResolvedConstant,
  lists: KnownLists,
  use: Use,
  span: Span,
): Resolved {
  const values = value as readonly ConstantValue[];
  const key = keyOf(left);
  const known = lists.get(values)?.get(key);
  if (known)
    return inSet(negated, { subject: replaced(known.set.subject, known.left, left), list: known.set.list }, use, span);
  spend(values.length * costOf.meeting, span);
  const item = type.item ?? plain('text');
  const members = values.map((member) => constantOf(member, member === null ? plain('null', true) : item, at));
  const present = members.filter((member) => member.value !== null);
  const set = key === '' || present.length === 0 ? undefined : constantSet(left, present, span);
  if (!set) return inList(negated, left, members, use, span);
  lists.set(
    values,
    (lists.get(values) ?? new Map<string, { left: Resolved; set: ConstantSet }>()).set(key, { left, set }),
  );
  return inSet(negated, set, use, span);
}

// Key of the conversion of the list; empty where the value or its members decide too.
function keyOf({ kind, type }: Resolved): string {
  if (
    kind === 'constant' ||
    type.kind === 'null' ||
    type.item ||
    type.items ||
    ['array', 'tuple', 'map'].includes(type.kind)
  )
    return '';
  return [type.kind, type.nullable, type.property, type.learned, type.json, kind === 'column'].join(' ');
}

// A conversion encloses the value that it converts.
function replaced(expr: Resolved, before: Resolved, after: Resolved): Resolved {
  if (expr === before) return after;
  if (expr.kind !== 'call') return expr;
  const args = expr.args.map((arg) => replaced(arg, before, after));
  return { ...expr, args, aggregate: args.some((arg) => arg.aggregate), local: args.some((arg) => arg.local) };
}
