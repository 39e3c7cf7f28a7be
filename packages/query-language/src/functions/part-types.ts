import type { Resolved } from '../resolved.ts';
import { plain, type ValueType } from '../types.ts';

type Rule = (types: readonly [ValueType, ...ValueType[]], args: readonly Resolved[]) => ValueType | undefined;

/** Types of the results of functions that put lists, tuples and maps together or take them apart. */
const rules: Readonly<Record<string, Rule>> = {
  arrayFlatten: ([list]) => (list.kind === 'array' ? arrayOf(innermost(list)) : undefined),
  arrayWithConstant: ([, value]) => value && arrayOf(value),
  arrayZip: (lists) => arrayOf(tupleOf(lists.map(({ item }) => item ?? unknown))),
  mapValues: ([map]) => map.item && arrayOf(map.item),
  tupleElement: ([tuple], [, index]) =>
    index?.kind === 'constant' && typeof index.value === 'number' ? tuple.items?.[index.value - 1] : undefined,
  sumMap: sumsOf,
  minMap: sumsOf,
  maxMap: sumsOf,
};

/** The type of a call of such a function; undefined for others, and where the arguments do not say it. */
export function typeOfParts(name: string, args: readonly Resolved[]): ValueType | undefined {
  const [first, ...rest] = args.map(({ type }) => type);
  return first && Object.hasOwn(rules, name) ? rules[name]?.([first, ...rest], args) : undefined;
}

// It makes a tuple of lists out of lists of keys and of values, and a map out of maps.
function sumsOf(types: readonly ValueType[]): ValueType | undefined {
  return types.length > 1 ? tupleOf(types) : undefined;
}

function innermost(list: ValueType): ValueType {
  return list.kind === 'array' ? innermost(list.item ?? unknown) : list;
}

const unknown = plain('unknown', true);
const arrayOf = (item: ValueType): ValueType => ({ kind: 'array', nullable: false, item });
const tupleOf = (items: readonly ValueType[]): ValueType => ({ kind: 'tuple', nullable: false, items: [...items] });
