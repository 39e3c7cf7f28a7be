import { itemOf, lambdaOf } from '../operators/array-items.ts';
import { safeCast } from '../operators/casts.ts';
import { align, alignBranches, mismatch, toNumber, toText } from '../operators/conversions.ts';
import { isNotNull } from '../operators/comparisons.ts';
import { alignLists, propertyAgain } from '../operators/learned-lists.ts';
import { overLists } from '../operators/property-lists.ts';
import { sortingKeys, sortsBySize } from '../operators/property-order.ts';
import { call, constant, fixed, type Resolved } from '../resolved.ts';
import { counted, one, type Special } from './special-arguments.ts';
import type { Call } from '../tree/expressions.ts';
import {
  commonType,
  describeType,
  isComposite,
  isLearned,
  isNumeric,
  isTime,
  nullable,
  plain,
  type ValueType,
} from '../types.ts';
import { convertArgument } from '../operators/convert-argument.ts';

/** Functions of arrays whose result depends on what the items are. */
export const arrayFunctions: Readonly<Record<string, Special>> = {
  arraySort: sorted('arraySort'),
  arrayReverseSort: sorted('arrayReverseSort'),
  arraySum: reduced('arraySum'),
  arrayAvg: reduced('arrayAvg'),
  arrayMin: reduced('arrayMin'),
  arrayMax: reduced('arrayMax'),
  arrayProduct: reduced('arrayProduct'),
  arrayCumSum: running('arrayCumSum'),
  arrayDifference: running('arrayDifference'),
  transform,
  mapFromArrays,
  sortableSemVer: (args, node) => versionNumbers(one(args, node), node),
};

function sorted(name: string): Special {
  return (args, node) => {
    const list = counted(args, node, 1, 3).map(asArray);
    const array = list.find((arg) => arg.type.kind !== 'lambda');
    return call(name, bySize(list), array?.type ?? plain('unknown', true), node);
  };
}

// Properties that are numbers go by their size here too.
function bySize(list: readonly Resolved[]): readonly Resolved[] {
  const [first, ...arrays] = list;
  if (first?.kind === 'lambda')
    return sortsBySize(first.body) ? [{ ...first, body: tupleOf(sortingKeys(first.body)) }, ...arrays] : list;
  const item = first?.type.item && itemOf(first.type.item, first);
  return item && sortsBySize(item) ? [lambdaOf(item, tupleOf(sortingKeys(item))), ...list] : list;
}

function tupleOf(keys: readonly Resolved[]): Resolved {
  return call(
    'tuple',
    keys,
    { kind: 'tuple', nullable: false, items: keys.map((key) => key.type) },
    keys[0] as Resolved,
  );
}

function reduced(name: string): Special {
  const of = (args: readonly Resolved[], node: Call): Resolved => {
    const [given, second] = counted(args, node, 1, 2).map(asArray) as [Resolved, Resolved?];
    const first = mapped(given, second, node);
    if (first.type.kind === 'array') {
      const numbers = numbersOf(first, node);
      return call(name, [numbers], reducedType(name, numbers.type.item), node);
    }
    refuseOther(first);
    return call(
      name,
      second ? [first, second] : [first],
      reducedType(name, first.kind === 'lambda' ? first.body.type : undefined),
      node,
    );
  };
  return (args, node) => overLists(args.map(propertyAgain), [0, 1], (given) => of(given, node), node);
}

// A number for each item: `arrayCumSum(array)`, `arrayCumSum(x -> …, array)`.
function running(name: string): Special {
  return (args, node) => {
    const [given, second] = counted(args, node, 1, 2).map(asArray) as [Resolved, Resolved?];
    const first = mapped(given, second, node);
    if (first.type.kind === 'array') {
      const numbers = numbersOf(first, node);
      return call(name, [numbers], numbers.type, node);
    }
    refuseOther(first);
    return call(
      name,
      second ? [first, second] : [first],
      { kind: 'array', nullable: false, item: first.kind === 'lambda' ? first.body.type : plain('unknown', true) },
      node,
    );
  };
}

function refuseOther(first: Resolved): void {
  if (first.kind !== 'lambda' && first.type.kind !== 'unknown')
    throw mismatch(`Expected an array, found ${describeType(first.type)}`, first);
}

function asArray(arg: Resolved): Resolved {
  return arg.type.property || isLearned(arg.type) ? convertArgument(arg, 'array') : arg;
}

// The engine adds up no NULLs: what a lambda gives of each item is an array of its own then, which loses them.
function mapped(first: Resolved, second: Resolved | undefined, node: Call): Resolved {
  if (
    first.kind !== 'lambda' ||
    !second ||
    !(isPropertyText(first.body.type) || (first.body.type.nullable && isNumeric(first.body.type)))
  )
    return first;
  return call('arrayMap', [first, second], { kind: 'array', nullable: false, item: first.body.type }, node);
}

// A time that was read by a learned type is added up as its text is.
function isPropertyText(type: ValueType): boolean {
  return type.property === true || (isLearned(type) && isTime(type));
}

// An array of properties is an array of text until it is summed.
function numbersOf(array: Resolved, node: Call): Resolved {
  const { item: type } = array.type;
  if (!type || !(isPropertyText(type) || (type.nullable && isNumeric(type)))) return array;
  const item = itemOf(type, node);
  const number = toNumber(item);
  const present = call('arrayFilter', [lambdaOf(item, isNotNull(number, node)), array], array.type, node);
  return call(
    'arrayMap',
    [lambdaOf(item, call('assumeNotNull', [number], plain(number.type.kind), node)), present],
    { kind: 'array', nullable: false, item: plain(number.type.kind) },
    node,
  );
}

function reducedType(name: string, item: ValueType | undefined): ValueType {
  if (name === 'arrayAvg' || name === 'arrayProduct') return plain('float', item?.nullable ?? true);
  return item ? commonType([item]) : plain('unknown', true);
}

// `transform(x, from, to[, fallback])`: x comes to the type of the values it is compared with.
function transform(args: readonly Resolved[], node: Call): Resolved {
  const [value, from, to, other] = counted(args, node, 3, 4) as [Resolved, Resolved, Resolved, Resolved?];
  const known = convertArgument(from, 'array');
  const results = [convertArgument(to, 'array'), ...(other ? [other] : [])];
  const [given, last] = alignLists(results, align, results.slice(1)) as [Resolved, Resolved?];
  const item = { ...itemOf(known.type.item ?? plain('unknown', true), node), local: false };
  const [looked = value] = align([value, item]);
  const fallback = last ?? (isLearned(value.type) ? looked : value);
  const type = commonType([given.type.item ?? plain('unknown', true), fallback.type]);
  return call(
    'transform',
    [looked, known, given, ...(last ? [last] : [])],
    looked.type.nullable ? nullable(type) : type,
    node,
  );
}

// As of map(), the values are nullable, so that a key that is not there reads as NULL.
function mapFromArrays(args: readonly Resolved[], node: Call): Resolved {
  const [keys, values] = counted(args, node, 2, 2).map((arg) => convertArgument(arg, 'array')) as [Resolved, Resolved];
  const item = itemOf(values.type.item ?? plain('unknown', true), node);
  const firm = item.type.nullable || isComposite(item.type);
  const open = firm
    ? values
    : call(
        'arrayMap',
        [lambdaOf(item, call('toNullable', [item], nullable(item.type), node)), values],
        { ...values.type, item: nullable(item.type) },
        node,
      );
  return call(
    'mapFromArrays',
    [keys, open],
    { kind: 'map', nullable: false, item: nullable(alignBranches([item]).type) },
    node,
  );
}

// The numbers of a version as a list, which sorts by them: 1.10.2 after 1.9.0. Nothing of a text without one.
function versionNumbers(version: Resolved, node: Call): Resolved {
  const text = call('ifNull', [toText(version), fixed('', node)], plain('text'), node);
  const numbers = call('extract', [text, fixed(String.raw`[0-9]+(?:\.[0-9]+)+`, node)], plain('text'), node);
  const item = itemOf(plain('text'), node);
  const number = call(
    'ifNull',
    [safeCast(item, 'integer', 'Int64', node), constant(0, plain('integer'), node)],
    plain('integer'),
    node,
  );
  const parts = call(
    'splitByChar',
    [fixed('.', node), numbers],
    { kind: 'array', nullable: false, item: plain('text') },
    node,
  );
  return call(
    'arrayMap',
    [lambdaOf(item, number), parts],
    { kind: 'array', nullable: false, item: plain('integer') },
    node,
  );
}
