import { itemOf, lambdaOf } from './array-items.ts';
import { align, alignBranches, mismatch, toNumber } from './conversions.ts';
import { isNotNull } from './comparisons.ts';
import { call, type Resolved } from './resolved.ts';
import { convertArgument } from './resolve-call.ts';
import { counted, type Special } from './special-arguments.ts';
import type { Call } from './tree.ts';
import { commonType, describeType, isComposite, nullable, plain, type ValueType } from './types.ts';

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
};

function sorted(name: string): Special {
  return (args, node) => {
    const list = counted(args, node, 1, 3);
    const array = list.find((arg) => arg.type.kind !== 'lambda');
    return call(name, list, array?.type ?? plain('unknown', true), node);
  };
}

function reduced(name: string): Special {
  return (args, node) => {
    const [first, second] = counted(args, node, 1, 2) as [Resolved, Resolved?];
    if (first.type.kind === 'array') {
      const numbers = numbersOf(first, node);
      return call(name, [numbers], reducedType(name, numbers.type.item), node);
    }
    refuseOther(first);
    return call(name, second ? [first, second] : [first], reducedType(name, first.kind === 'lambda' ? first.body.type : undefined), node);
  };
}

// A number for each item: `arrayCumSum(array)`, `arrayCumSum(x -> …, array)`.
function running(name: string): Special {
  return (args, node) => {
    const [first, second] = counted(args, node, 1, 2) as [Resolved, Resolved?];
    if (first.type.kind === 'array') {
      const numbers = numbersOf(first, node);
      return call(name, [numbers], numbers.type, node);
    }
    refuseOther(first);
    return call(name, second ? [first, second] : [first], { kind: 'array', nullable: false, item: first.kind === 'lambda' ? first.body.type : plain('unknown', true) }, node);
  };
}

function refuseOther(first: Resolved): void {
  if (first.kind !== 'lambda' && first.type.kind !== 'unknown') throw mismatch(`Expected an array, found ${describeType(first.type)}`, first);
}

// An array of properties is an array of text until somebody adds it up.
function numbersOf(array: Resolved, node: Call): Resolved {
  if (!array.type.item?.property) return array;
  const item = itemOf(array.type.item, node);
  const number = toNumber(item);
  const present = call('arrayFilter', [lambdaOf(item, isNotNull(number, node)), array], array.type, node);
  return call('arrayMap', [lambdaOf(item, call('assumeNotNull', [number], plain('float'), node)), present], { kind: 'array', nullable: false, item: plain('float') }, node);
}

function reducedType(name: string, item: ValueType | undefined): ValueType {
  if (name === 'arrayAvg' || name === 'arrayProduct') return plain('float', item?.nullable ?? true);
  return item ? commonType([item]) : plain('unknown', true);
}

// `transform(x, from, to[, otherwise])`: x comes to the type of what it is looked up in.
function transform(args: readonly Resolved[], node: Call): Resolved {
  const [value, from, to, last] = counted(args, node, 3, 4) as [Resolved, Resolved, Resolved, Resolved?];
  const [known, given] = [convertArgument(from, 'array'), convertArgument(to, 'array')];
  const item = { ...itemOf(known.type.item ?? plain('unknown', true), node), local: false };
  const [looked = value] = align([value, item]);
  const otherwise = last ?? value;
  const type = commonType([given.type.item ?? plain('unknown', true), otherwise.type]);
  return call('transform', [looked, known, given, ...(last ? [last] : [])], looked.type.nullable ? nullable(type) : type, node);
}

// As of map(), the values are nullable, so that a key that is not there reads as NULL.
function mapFromArrays(args: readonly Resolved[], node: Call): Resolved {
  const [keys, values] = counted(args, node, 2, 2).map((arg) => convertArgument(arg, 'array')) as [Resolved, Resolved];
  const item = itemOf(values.type.item ?? plain('unknown', true), node);
  const firm = item.type.nullable || isComposite(item.type);
  const open = firm ? values : call('arrayMap', [lambdaOf(item, call('toNullable', [item], nullable(item.type), node)), values], { ...values.type, item: nullable(item.type) }, node);
  return call('mapFromArrays', [keys, open], { kind: 'map', nullable: false, item: nullable(alignBranches([item]).type) }, node);
}
