import { costOf, spend } from '../budget.ts';
import { anyOf, listOf, ofType, small, sum, textOf, tupleOf, type Estimate } from './estimate.ts';
import { allMade, at, count, itemOf, word, type Size } from './size.ts';
import { textSizes } from './text-sizes.ts';
import type { ResolvedCall } from '../resolved.ts';

const list: Size = (args) => args.find((arg) => arg.item) ?? at(args, 0);
const anyItem: Size = (args) => itemOf(args.find((arg) => arg.item) ?? word);
const same: Size = (args) => anyOf(args);
const first: Size = (args) => at(args, 0);
function lists(args: readonly Estimate[]): Estimate {
  const items = args.flatMap((arg) => (arg.item ? [arg.item] : []));
  return listOf(
    sum(args, (arg) => arg.items),
    anyOf(items),
    allMade(args),
  );
}

function pieces(text: Estimate, piece = 1): Estimate {
  return text.made
    ? { ...listOf(text.bytes, textOf(piece, true)), bytes: text.bytes * (8 + piece) }
    : ofType({ kind: 'array', nullable: false, item: { kind: 'text', nullable: false } });
}

// An item counts as large as the whole: how the whole is divided is unknown.
function entries(args: readonly Estimate[]): Estimate {
  const bytes = sum(args, (arg) => arg.bytes);
  return {
    ...listOf(
      sum(args, (arg) => Math.max(1, arg.items)),
      anyOf(args.map((arg) => arg.item ?? textOf(arg.bytes, arg.made))),
      allMade(args),
    ),
    bytes,
  };
}

// Values that are written in a text, each with a sign after it.
function written([text = word]: readonly Estimate[]): Estimate {
  return text.made ? { ...listOf(text.bytes / 2, textOf(text.bytes, true)), bytes: text.bytes * 9 } : text;
}

/** The functions whose result size does not follow from its type. */
export const sizes: Readonly<Record<string, Size>> = {
  ...textSizes,

  range: (args) => spanned(args),
  arrayWithConstant: ([times = word, item = word]) => listOf(count(times, item.bytes), item, times.made && item.made),
  arrayResize: ([array = word, length = word, filler]) =>
    listOf(
      Math.max(array.items, count(length, itemOf(array).bytes)),
      filler ? anyOf([itemOf(array), filler]) : itemOf(array),
      array.made && length.made,
    ),
  arrayConcat: lists,
  arrayUnion: lists,
  arrayPushBack: ([array = word, item = word]) => listOf(array.items + 1, anyOf([itemOf(array), item])),
  arrayPushFront: ([array = word, item = word]) => listOf(array.items + 1, anyOf([itemOf(array), item])),
  arrayMap: (args, expr, body) =>
    listOf(list(args, expr, body).items, body ?? word, allMade(args) && (body?.made ?? true)),
  ...Object.fromEntries(
    ['arraySplit', 'arrayReverseSplit'].map((name): [string, Size] => [
      name,
      (args, expr, body) => listOf(list(args, expr, body).items, itemOf(list(args, expr, body))),
    ]),
  ),
  arraySlice: ([array = word, , length]) =>
    length?.most === undefined || !array.item
      ? array
      : listOf(Math.min(array.items, length.most), array.item, array.made),
  arrayZip: (args) => listOf(Math.max(...args.map((arg) => arg.items)), tupleOf(args.map(itemOf))),
  arrayFlatten: ([array = word]) =>
    array.item?.item ? listOf(array.items * array.item.items, itemOf(array.item)) : array,
  array: (args) => listOf(args.length, anyOf(args), allMade(args)),
  tuple: (args) => tupleOf(args),
  tupleConcat: (args, expr) => {
    spend(sum(args, ({ members }) => members?.length ?? 1) * costOf.estimate, expr);
    return tupleOf(args.flatMap((arg) => arg.members ?? [arg]));
  },
  ...Object.fromEntries(['mapConcat', 'mapUpdate'].map((name) => [name, entries])),
  ...Object.fromEntries(
    ['mapFilter', 'mapSort'].map((name) => [name, (args: readonly Estimate[]) => entries(args.slice(0, 1))]),
  ),
  mapApply: (args, expr, body) =>
    listOf(list(args, expr, body).items, body ?? word, allMade(args) && (body?.made ?? true)),
  map: (args) => ({ ...listOf(args.length / 2, anyOf(args), allMade(args)), bytes: sum(args, (arg) => arg.bytes) }),
  mapFromArrays: (args) => ({
    ...listOf(Math.max(0, ...args.map((arg) => arg.items)), anyOf(args.map(itemOf)), allMade(args)),
    bytes: sum(args, (arg) => arg.bytes),
  }),
  tupleElement: ([tuple = word, place = word]) => tuple.members?.[(place.most ?? 0) - 1] ?? tuple,
  arrayElement: anyItem,
  arrayElementOrNull: anyItem,
  arrayFirst: anyItem,
  arrayLast: anyItem,
  arrayFirstOrNull: anyItem,
  arrayLastOrNull: anyItem,
  arrayMin: anyItem,
  arrayMax: anyItem,
  arrayJoin: anyItem,
  ngrams: ([text = word, length = word]) => pieces(text, length.most ?? text.bytes),
  ...Object.fromEntries(
    [
      'splitByChar',
      'splitByString',
      'splitByRegexp',
      'alphaTokens',
      'splitByWhitespace',
      'splitByNonAlpha',
      'extractAll',
      'extractURLParameters',
      'extractURLParameterNames',
      'JSONExtractArrayRaw',
      'JSONExtractKeys',
      'JSONExtractKeysAndValuesRaw',
      'extractGroups',
    ].map((name) => [name, (args: readonly Estimate[]) => pieces(anyOf(args))]),
  ),
  ...Object.fromEntries(
    [
      'mapKeys',
      'mapValues',
      'arrayFilter',
      'arrayFill',
      'arrayReverseFill',
      'arraySort',
      'arrayReverseSort',
      'arrayDistinct',
      'arrayReverse',
      'arrayCompact',
      'arrayIntersect',
      'arrayShuffle',
      'arrayRotateLeft',
      'arrayRotateRight',
      'arrayShiftLeft',
      'arrayShiftRight',
      'arrayPopBack',
      'arrayPopFront',
      'arrayRandomSample',
      'arrayCumSum',
      'arrayDifference',
      'arrayEnumerate',
      'arrayEnumerateUniq',
      'arrayEnumerateDense',
    ].map((name) => [name, list]),
  ),
  ...Object.fromEntries(['coalesce', 'ifNull', 'greatest', 'least', 'nullIf'].map((name) => [name, same])),
  if: (args) => anyOf(args.slice(1)),
  multiIf: (args) => anyOf(args.filter((_, index) => index % 2 === 1 || index === args.length - 1)),
  caseWithExpression: (args) => anyOf(args.slice(1)),
  ...Object.fromEntries(
    [
      'assumeNotNull',
      'toNullable',
      'identity',
      'accurateCastOrNull',
      'toInt64',
      'toFloat64',
      'any',
      'anyLast',
      'min',
      'max',
      'argMin',
      'argMax',
      'abs',
      'floor',
      'trunc',
    ].map((name) => [name, first]),
  ),
  plus: (args) =>
    small(
      allMade(args),
      both(args, (one, other) => one + other),
    ),
  multiply: (args) =>
    small(
      allMade(args),
      both(args, (one, other) => one * other),
    ),
  modulo: ([value = word, by = word]) => small(value.made, by.most),
  minus: (args) =>
    small(
      allMade(args),
      both(args, (one, other) => one + other),
    ),
};

function spanned(args: readonly Estimate[]): Estimate {
  const [from = word, to] = args;
  const most = to ? both([from, to], (one, other) => one + other) : from.most;
  return listOf(
    Math.ceil(count(most === undefined ? small(true) : small(true, most), 8)),
    small(allMade(args), most),
    allMade(args),
  );
}

function both([one, other]: readonly Estimate[], by: (one: number, other: number) => number): number | undefined {
  return one?.most === undefined || other?.most === undefined ? undefined : by(one.most, other.most);
}

/** Estimates the result of any other call by its type. A text is no longer than the arguments that it is made of. */
export function plainSize(args: readonly Estimate[], expr: ResolvedCall): Estimate {
  const made = allMade(args);
  if (made && isRead(expr)) return written(args);
  const byType = ofType(expr.type, made);
  if (expr.type.kind === 'text' || expr.type.kind === 'unknown')
    return {
      ...textOf(
        Math.max(
          sum(args, (arg) => arg.bytes),
          made ? 0 : 20,
        ),
        made,
      ),
      items: Math.max(1, ...args.map((arg) => arg.items)),
    };
  if (expr.type.kind !== 'array' || !made) return byType;
  // Its items are those of the lists among the arguments, or the arguments themselves.
  return listOf(
    Math.max(1, ...args.map((arg) => arg.items)),
    anyOf([byType.item ?? word, ...args.map((arg) => arg.item ?? arg)]),
    true,
  );
}

// A list or a map that is read out of a text: JSONExtract(x, 'Array(String)'), x::array(int).
function isRead({ name, type: { kind } }: ResolvedCall): boolean {
  return (kind === 'array' || kind === 'map') && /^(?:JSONExtract|CAST|accurateCast)/.test(name);
}
