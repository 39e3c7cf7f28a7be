import { costOf, spend } from '../budget.ts';
import type { Span } from '../query-error.ts';
import { isComposite, isNumeric, isTime, type ValueType } from '../types.ts';

/** Size of a value: an upper bound for one that the query makes, the usual size for one that a table holds. */
export interface Estimate {
  /** The whole value. */
  bytes: number;
  /** Characters of its texts, items of its lists: what a function that goes through it looks at. */
  leaves: number;
  /** Items of an array or a map; 1 of others. */
  items: number;
  /** An item of the array. */
  item?: Estimate;
  /** The members of a tuple. */
  members?: readonly Estimate[];
  /** Largest absolute value that a number can have. */
  most?: number;
  /** The text itself, when the query writes it out. */
  text?: string;
  /** The most bytes of a text, where those of tables that it is made of have `madeBytesMax` each; of others as `longestOf` says. */
  longest?: number;
  /** Nothing in it comes from a table. */
  made: boolean;
}

/** A number, a time, a flag. */
export function small(made: boolean, most?: number): Estimate {
  return { bytes: 8, leaves: 1, items: 1, made, ...(most === undefined ? {} : { most }) };
}

/** A text of so many bytes. */
export function textOf(bytes: number, made: boolean): Estimate {
  return { bytes, leaves: textLeaves(bytes), items: 1, made };
}

/** An array. */
export function listOf(items: number, item: Estimate, made = item.made): Estimate {
  return {
    bytes: items * (item.bytes + (item.item || !isWord(item) ? 8 : 0)),
    leaves: items * item.leaves,
    items,
    item,
    made,
  };
}

/** A number, a time, a flag, by its size. */
export function isWord({ bytes, members }: Estimate): boolean {
  return bytes <= 8 && members === undefined;
}

/** A tuple. */
export function tupleOf(members: readonly Estimate[]): Estimate {
  return {
    bytes: sum(members, (member) => member.bytes),
    leaves: sum(members, (member) => member.leaves),
    items: 1,
    members,
    made: members.every((member) => member.made),
  };
}

/** Estimate for a value that can be any of these: the largest of their sizes. */
export function anyOf(values: readonly Estimate[]): Estimate {
  const [first, ...rest] = values;
  if (!first) return small(true);
  return rest.reduce((one, other) => {
    const most = one.most === undefined || other.most === undefined ? {} : { most: Math.max(one.most, other.most) };
    const longest =
      one.longest === undefined && other.longest === undefined
        ? {}
        : { longest: Math.max(one.longest ?? 0, other.longest ?? 0) };
    const item = one.item && other.item ? anyItemOf(one.item, other.item) : (one.item ?? other.item);
    const [bytes, items] = [Math.max(one.bytes, other.bytes), Math.max(one.items, other.items)];
    const leaves = item ? items * item.leaves : one.members ? one.leaves : textLeaves(bytes);
    return {
      bytes,
      leaves,
      items,
      made: one.made && other.made,
      ...most,
      ...longest,
      ...(item ? { item } : {}),
      ...(one.members ? { members: one.members } : {}),
    };
  }, first);
}

// Lists of lists of … are gone through level by level, and have thousands of levels where each is a CTE.
function anyItemOf(one: Estimate, other: Estimate): Estimate {
  if (one === other) return one;
  spend(costOf.estimate, nowhere);
  return anyOf([one, other]);
}

function textLeaves(bytes: number): number {
  return bytes <= 8 ? 1 : bytes;
}

const usualText = 40;
const usualObject = 300;
const usualItems = 5;

const nowhere: Span = { start: 0, end: 0 };

// By the members' types: a type is no tree, as a tuple of the same tuple twice, over and over, has one more part with each, and twice the size.
const known = { made: new WeakMap<object, Estimate>(), read: new WeakMap<object, Estimate>() };

/** Usual size of a value of this type in a table; with `made`, estimate for a made value of which only the type is known. */
export function ofType(type: ValueType, made = false): Estimate {
  if (type.kind === 'array') {
    spend(costOf.estimate, nowhere);
    return listOf(usualItems, type.item ? ofType(type.item, made) : textOf(20, made), made);
  }
  if (type.kind === 'tuple') return ofMembers(type.items ?? [], made);
  if (
    isNumeric(type) ||
    isTime(type) ||
    type.kind === 'boolean' ||
    type.kind === 'uuid' ||
    type.kind === 'interval' ||
    type.kind === 'null'
  )
    return small(made);
  return textOf(type.json || isComposite(type) ? usualObject : usualText, made);
}

function ofMembers(types: readonly ValueType[], made: boolean): Estimate {
  const estimates = known[made ? 'made' : 'read'];
  const estimate = estimates.get(types) ?? tupleOf(types.map((type) => ofType(type, made)));
  estimates.set(types, estimate);
  return estimate;
}

/** The sum of what `by` says of each. */
export function sum<Value>(values: readonly Value[], by: (value: Value) => number): number {
  return values.reduce((total, value) => total + by(value), 0);
}
