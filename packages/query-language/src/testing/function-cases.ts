import type { FunctionSignature } from '../functions/function-signature.ts';
import {
  aggregateFunctions,
  scalarFunctions,
  specialFunctionNames,
  windowFunctions,
} from '../functions/function-table.ts';
import type { ArgumentKind } from '../operators/convert-argument.ts';

/** Calls of one function in ClickHouse's own words, with `{n}` for the size of what grows: for measurements. The first that runs of each list counts. */
export interface FunctionCase {
  /** As printed. */
  name: string;
  kind: 'scalar' | 'aggregate' | 'window';
  calls: readonly (readonly string[])[];
}

const text = "repeat('a', {n})";
const lookalike = "concat(repeat('a', intDiv({n}, 2)), 'b')";

/** Sample arguments: a text, a number or a map where any value is taken, and arrays with numbers, texts or arrays as items. */
interface Flavour {
  any: [large: string, small: string];
  array: [large: string, small: string];
  body: string;
}

const map = 'mapFromArrays(arrayMap(x -> toString(x), range({n})), range({n}))';
const numbers: Flavour['array'] = ['range({n})', '[1, 2]'];
const flavours: readonly Flavour[] = [
  { any: [text, "'a'"], array: numbers, body: 'x > 3' },
  { any: [text, "'a'"], array: ['arrayMap(x -> toString(x), range({n}))', "['a', 'b']"], body: "x != 'b'" },
  { any: ['range({n})', '3'], array: numbers, body: 'x' },
  { any: [map, "'a'"], array: ['arrayMap(x -> [x], range({n}))', '[[1]]'], body: '(x, y) -> y > 3' },
  { any: [map, map], array: ['arrayMap(x -> (x, x), range({n}))', '[(1, 1)]'], body: '(x, y) -> (x, y)' },
  { any: ["tuple(repeat('a', {n}))", "tuple('a')"], array: ['[range({n})]', '[1]'], body: 'x' },
  { any: ['materialize({n})', '3'], array: numbers, body: 'x > 3' },
];

function small(kind: ArgumentKind, { any, array, body }: Flavour): string {
  if (typeof kind !== 'string') return `'${kind[kind.length - 1]}'`;
  const words: Readonly<Record<string, string>> = {
    number: '3',
    integer: '3',
    weight: '3',
    time: "toDateTime64('2026-01-02 03:04:05', 6, 'UTC')",
    moment: 'toDateTime(number)',
    condition: 'number % 2',
    interval: 'toIntervalDay(1)',
    lambda: body.includes('->') ? body : `x -> ${body}`,
  };
  return words[kind] ?? (kind === 'array' ? array[1] : kind === 'any' ? any[1] : "'a'");
}

function grows(kind: ArgumentKind): boolean {
  return typeof kind === 'string' && ['text', 'beginning', 'beginningUTF8', 'array', 'any', 'same'].includes(kind);
}

function large(kind: ArgumentKind, flavour: Flavour): string {
  return kind === 'array' ? flavour.array[0] : kind === 'any' ? flavour.any[0] : text;
}

// Each argument large by itself, then all of them, alike but for their ends.
function generated({ clickhouse, args: written, required }: FunctionSignature): string[][] {
  const args = written.map((kind) => (kind === 'textual' ? 'any' : kind));
  const counts = [...new Set([required, Math.max(required, args.length)])];
  const lists = counts.map((count) =>
    Array.from({ length: count }, (_, index) => args[index] ?? args[args.length - 1] ?? 'any'),
  );
  const call = (parts: readonly string[]): string => `${clickhouse}(${parts.join(', ')})`;
  return lists.flatMap((kinds) => {
    const places = kinds.flatMap((kind, index) => (grows(kind) ? [index] : []));
    const ones = places.map((place) =>
      flavours.map((flavour) =>
        call(
          kinds.map((kind, index) => (index === place ? `materialize(${large(kind, flavour)})` : small(kind, flavour))),
        ),
      ),
    );
    const other = (kind: ArgumentKind, flavour: Flavour): string =>
      kind === 'array' ? `arrayMap(x -> x + 1000000000, range({n}))` : kind === 'any' ? flavour.any[0] : lookalike;
    const all =
      places.length > 1
        ? [
            flavours.map((flavour) =>
              call(
                kinds.map((kind, index) =>
                  !places.includes(index)
                    ? small(kind, flavour)
                    : `materialize(${index === places[0] ? large(kind, flavour) : other(kind, flavour)})`,
                ),
              ),
            ),
          ]
        : [];
    return places.length === 0
      ? [flavours.map((flavour) => call(kinds.map((kind) => small(kind, flavour))))]
      : [...ones, ...all];
  });
}

const json = `concat('{"a":[', repeat('{"b":1},', {n}), '0]}')`;
const deepJson = "concat(repeat('[', {n}), repeat(']', {n}))";
const url = "concat('https://a.example/?', repeat('a=b&', {n}))";
const pattern = "'a.*b|a'";
const later = (call: string): string[] => [call];

/**
 * Calls that do not follow from the signatures: what makes large values, patterns, and functions that are printed in a
 * way of their own.
 */
const written: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['countMatches', 'countMatchesCaseInsensitive', 'extractAll', 'extract', 'match', 'extractGroups'].map((name) => [
      name,
      [
        `${name}(materialize(${text}), ${name === 'extractGroups' ? "'(a).*b|(a)'" : pattern})`,
        `${name}(materialize(${text}), '${name === 'extractGroups' ? '(a)' : 'a'}')`,
      ],
    ]),
  ),
  regexpExtract: [`regexpExtract(materialize(${text}), '(a.*b|a)', 1)`],
  replaceRegexpAll: [`replaceRegexpAll(materialize(${text}), ${pattern}, '')`],
  replaceRegexpOne: [`replaceRegexpOne(materialize(${text}), ${pattern}, '')`],
  splitByRegexp: [`splitByRegexp(${pattern}, materialize(${text}))`],
  splitByChar: [`splitByChar('a', materialize(${text}))`],
  splitByString: [
    `splitByString('a', materialize(${text}))`,
    `splitByString(repeat('a', intDiv({n}, 2)), materialize(${text}))`,
  ],
  formatDateTime: [`formatDateTime(materialize(now()), repeat('%Y', {n}))`],
  repeat: [`repeat(materialize('a'), {n})`],
  space: ['space(materialize({n}))'],
  leftPad: [`leftPad('a', materialize({n}), 'b')`],
  rightPad: [`rightPad('a', materialize({n}), 'b')`],
  range: ['range(materialize({n}))'],
  arrayWithConstant: ['arrayWithConstant(materialize({n}), 1)'],
  arrayResize: ['arrayResize([1], materialize({n}))'],
  toTimeZone: ["toTimeZone(materialize(now()), 'Europe/Berlin')"],
  bar: ['bar(materialize(1), 0, 1, least({n}, 1000))'],
  format: [`format(repeat('{0}', intDiv({n}, 100)), repeat('a', 100))`],
  ngrams: [`ngrams(materialize(${text}), 3)`, `ngrams(materialize(${text}), intDiv({n}, 2))`],
  replaceAll: [`replaceAll(materialize(${text}), 'a', 'bb')`, `replaceAll(materialize(${text}), 'a', '')`],
  replaceOne: [`replaceOne(materialize(${text}), 'b', 'bb')`, `replaceOne(materialize(${text}), ${lookalike}, '')`],
  concat: [`concat(materialize(${text}), 'a')`, `concat(materialize(${text}), materialize(${text}))`],
  arrayStringConcat: ["arrayStringConcat(arrayMap(x -> 'a', range({n})), 'b')"],
  array: ['array(materialize({n}))'],
  transform: ['transform(materialize(3), range({n}), range({n}), 0)'],
  mapFromArrays: ['mapFromArrays(arrayMap(x -> toString(x), range({n})), range({n}))'],
  hasSubstr: [
    'hasSubstr(materialize(arrayWithConstant({n}, 1)), materialize(arrayPushBack(arrayWithConstant(intDiv({n}, 2), 1), 2)))',
  ],
  hasAny: ['hasAny(materialize(range({n})), materialize(arrayMap(x -> x + 1000000000, range({n}))))'],
  hasAll: ['hasAll(materialize(range({n})), materialize(arrayReverse(range({n}))))'],
  arrayMap: ['arrayMap(x -> x + 1, materialize(range({n})))'],
  arraySort: ['arraySort(x -> cityHash64(x), materialize(range({n})))'],
  arrayReverseSort: ['arrayReverseSort(x -> cityHash64(x), materialize(range({n})))'],
  arrayElementOrNull: ['arrayElementOrNull(materialize(range({n})), 2)'],
  roundDown: ['roundDown(materialize(3), range({n}))'],
  multiSearchAny: [
    `multiSearchAny(materialize(${text}), ['b', 'ab'])`,
    "multiSearchAny(materialize(repeat('a', 100)), arrayMap(x -> concat('b', toString(x)), range(least({n}, 255))))",
  ],
  multiSearchAnyCaseInsensitive: [`multiSearchAnyCaseInsensitive(materialize(${text}), ['b', 'ab'])`],
  multiSearchFirstIndex: [`multiSearchFirstIndex(materialize(${text}), ['b', 'ab'])`],
  hasToken: [`hasToken(materialize(${text}), 'b')`],
  hasTokenCaseInsensitive: [`hasTokenCaseInsensitive(materialize(${text}), 'b')`],
  isIPAddressInRange: ["isIPAddressInRange(materialize('10.0.0.1'), '10.0.0.0/8')"],
  widthBucket: ['widthBucket(materialize(3.0), 0.0, 10.0, 5)'],
  tupleElement: ['tupleElement(materialize(tuple(1)), 1)'],
  finalizeAggregation: ["finalizeAggregation(initializeAggregation('uniqState', {n}))"],
  like: [`materialize(${text}) like concat('%', repeat('a%', 100), 'b')`],
  ...Object.fromEntries(
    [
      'JSONExtractString',
      'JSONExtractInt',
      'JSONExtractUInt',
      'JSONExtractFloat',
      'JSONExtractBool',
      'JSONExtractRaw',
      'JSONExtractArrayRaw',
      'JSONExtractKeys',
      'JSONHas',
      'JSONLength',
      'JSONType',
      'JSONExtractKeysAndValuesRaw',
    ].map((name) => [name, [`${name}(materialize(${json}), 'a')`, `${name}(materialize(${deepJson}), 1)`]]),
  ),
  ...Object.fromEntries(
    ['JSON_VALUE', 'JSON_QUERY', 'JSON_EXISTS'].map((name) => [
      name,
      [`${name}(materialize(${json}), '$.a[*].c')`, `${name}(materialize(${json}), '$.a[*].b')`],
    ]),
  ),
  JSONExtract: [`JSONExtract(materialize(${json}), 'a', 'Array(Map(String, Int64))')`],
  JSONExtractKeysAndValues: [`JSONExtractKeysAndValues(materialize(${json}), 'Int64')`],
  isValidJSON: [`isValidJSON(materialize(${json}))`],
  JSONArrayLength: ["JSONArrayLength(materialize(concat('[', repeat('1,', {n}), '1]')))"],
  ...Object.fromEntries(
    ['extractURLParameter', 'cutURLParameter'].map((name) => [name, [`${name}(materialize(${url}), 'c')`]]),
  ),
  extractURLParameters: [`extractURLParameters(materialize(${url}))`],
  extractURLParameterNames: [`extractURLParameterNames(materialize(${url}))`],
  dateTrunc: ["dateTrunc('day', materialize(now()))"],
  toStartOfInterval: ['toStartOfInterval(materialize(now()), toIntervalDay(1))'],
  fromUnixTimestamp64Milli: ['fromUnixTimestamp64Milli(materialize(toInt64({n})))'],
  ...Object.fromEntries(['if', 'multiIf'].map((name) => [name, [`${name}(number = 0, materialize(${text}), 'b')`]])),
  ...Object.fromEntries(['and', 'or', 'xor'].map((name) => [name, [`${name}(number = 0, number = 1)`]])),
  ...Object.fromEntries(
    ['equals', 'notEquals', 'less', 'lessOrEquals', 'greater', 'greaterOrEquals'].map((name) => [
      name,
      [`${name}(materialize(${text}), materialize(${text}))`],
    ]),
  ),
  ...Object.fromEntries(
    ['plus', 'minus', 'multiply', 'divide', 'modulo'].map((name) => [name, [`${name}(materialize({n}), 3)`]]),
  ),
  in: [`materialize(${text}) in ('a', 'b')`],
  map: [`map('a', materialize(${text}))`],
  not: ['not(materialize(0))'],
  now64: ['now64(6)'],
  toDate: [`toDateOrNull(materialize(${text}))`],
  toDateTime: [
    `parseDateTime64BestEffortOrNull(materialize(repeat('1', {n})), 6)`,
    `parseDateTime64BestEffortOrNull(materialize(repeat(' ', {n})), 6)`,
  ],
  parseDateTimeOrNull: [`parseDateTimeOrNull(materialize(${text}), repeat('%Y', {n}))`],
  toString: ['toString(materialize(range({n})))'],
  accurateCastOrNull: [`accurateCastOrNull(materialize(repeat('1', {n})), 'Int64')`],
  toFloat64OrNull: [
    `toFloat64OrNull(materialize(repeat('1', {n})))`,
    `toFloat64OrNull(materialize(concat('1e', repeat('1', {n}))))`,
  ],
  CAST: [`CAST(materialize(concat('[', repeat('1,', {n}), '1]')), 'Array(Int64)')`],
  tuple: ['tuple(materialize({n}))'],
  caseWithExpression: ["caseWithExpression(materialize(3), 1, 'a', 'b')"],
  arrayJoin: ['arrayJoin(materialize(range({n})))'],
  arrayZip: ['arrayZip(range({n}), range({n}))'],
  arrayRandomSample: ['arrayRandomSample(materialize(range({n})), intDiv({n}, 2))'],
  toTypeName: ['toTypeName(materialize({n}))'],
  reverse: [`reverse(materialize(${text}))`, 'reverse(materialize(range({n})))'],
};

const eventTimes = 'toDateTime(number)';
const writtenAggregates: Readonly<Record<string, readonly string[]>> = {
  sequenceMatch: [`sequenceMatch('(?1).*(?2).*(?1).*(?3)')(${eventTimes}, number % 2 = 0, number % 2 = 1, number < 0)`],
  sequenceCount: [`sequenceCount('(?1).*(?2).*(?1).*(?3)')(${eventTimes}, number % 2 = 0, number % 2 = 1, number < 0)`],
  windowFunnel: [`windowFunnel(1000000000)(${eventTimes}, number % 3 = 0, number % 3 = 1, number % 3 = 2)`],
  retention: ['retention(number = 1, number = 2)'],
  groupArray: ['groupArray(number)', 'arraySort(x -> -x, groupArray(number))'],
  groupArraySorted: ['groupArraySorted(1000)(cityHash64(number))'],
  groupArrayLast: ['groupArrayLast(1000)(number)'],
  groupArraySample: ['groupArraySample(1000)(number)'],
  groupArrayIntersect: ['groupArrayIntersect([number % 10, 1])'],
  groupArrayMovingSum: ['groupArrayMovingSum(1000)(number)'],
  groupArrayMovingAvg: ['groupArrayMovingAvg(1000)(number)'],
  sumMap: ['sumMap([number], [1])'],
  minMap: ['minMap([number], [1])'],
  maxMap: ['maxMap([number], [1])'],
  maxIntersections: ['maxIntersections(number, number + 1000)'],
  maxIntersectionsPosition: ['maxIntersectionsPosition(number, number + 1000)'],
  exponentialMovingAverage: ['exponentialMovingAverage(5)(toFloat64(number), toFloat64(number))'],
  deltaSumTimestamp: ['deltaSumTimestamp(number, number)'],
  histogram: ['histogram(250)(cityHash64(number))'],
  uniqUpTo: ['uniqUpTo(100)(number)'],
  largestTriangleThreeBuckets: ['largestTriangleThreeBuckets(10000)(number, cityHash64(number))'],
  quantileDD: ['quantileDD(0.01, 0.5)(number)'],
  sparkbar: ['sparkbar(1000)(toUInt32(number), number)'],
  topK: ['topK(10000)(cityHash64(number))'],
  topKWeighted: ['topKWeighted(10000)(cityHash64(number), 3)'],
  entropy: ['entropy(number)'],
  groupConcat: ["groupConcat(',')(toString(number))"],
  cramersV: ['cramersV(number % 100, number % 99)', 'cramersV(number, number)'],
  ...Object.fromEntries(
    ['cramersVBiasCorrected', 'theilsU', 'contingency'].map((name) => [name, [`${name}(number, cityHash64(number))`]]),
  ),
  quantileDeterministic: ['quantileDeterministic(number, number)'],
  rankCorr: ['rankCorr(number, cityHash64(number))'],
  simpleLinearRegression: ['simpleLinearRegression(number, number)'],
  singleValueOrNull: ['singleValueOrNull(number)'],
  studentTTest: ['studentTTest(number, number % 2)'],
  welchTTest: ['welchTTest(number, number % 2)'],
  sum: ['sum(number)'],
  ...Object.fromEntries(
    ['quantiles', 'quantilesExact', 'quantilesTDigest', 'quantilesTiming'].map((name) => [
      name,
      [`${name}(0.5, 0.9)(number)`],
    ]),
  ),
};

function aggregated({ clickhouse, args, required }: FunctionSignature): string[] {
  const words: Readonly<Record<string, string>> = {
    text: 'toString(number)',
    array: '[number]',
    moment: eventTimes,
    condition: 'number % 2',
    any: 'cityHash64(number)',
  };
  const kinds = args.slice(0, Math.max(required, 1));
  return [`${clickhouse}(${kinds.map((kind) => words[String(kind)] ?? 'number').join(', ')})`];
}

// Some want all rows in the frame, or none to be named.
function windowed({ clickhouse, args, required }: FunctionSignature): string[] {
  const given = args.slice(0, required).map((kind, index) => (kind === 'number' ? (index > 0 ? '2' : '4') : 'number'));
  const frames = [
    ' ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW',
    ' ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING',
    '',
  ];
  return frames.map((frame) => `${clickhouse}(${given.join(', ')}) OVER (ORDER BY number${frame})`);
}

/** Every allowed function under the name that is printed, with its hostile calls. Functions that print as others are these. */
export function functionCases(): FunctionCase[] {
  const scalars = [...scalarFunctions.values()].map((signature): FunctionCase => ({
    name: signature.clickhouse,
    kind: 'scalar',
    calls: written[signature.clickhouse]?.map(later) ?? generated(signature),
  }));
  const specials = specialFunctionNames
    .filter((name) => Object.hasOwn(written, name))
    .map((name): FunctionCase => ({ name, kind: 'scalar', calls: (written[name] ?? []).map(later) }));
  const own = [
    'toFloat64OrNull',
    'accurateCastOrNull',
    'parseDateTimeOrNull',
    'caseWithExpression',
    'CAST',
    'now64',
  ].map((name): FunctionCase => ({ name, kind: 'scalar', calls: (written[name] ?? []).map(later) }));
  const arrays = ['arraySum', 'arrayAvg', 'arrayMin', 'arrayMax', 'arrayProduct', 'arrayCumSum', 'arrayDifference'].map(
    (name): FunctionCase => ({ name, kind: 'scalar', calls: [[`${name}(x -> x * 2, materialize(range({n})))`]] }),
  );
  const aggregates = [...aggregateFunctions.values()].map((signature): FunctionCase => ({
    name: signature.clickhouse,
    kind: 'aggregate',
    calls: writtenAggregates[signature.clickhouse]?.map(later) ?? [aggregated(signature)],
  }));
  const windows = [...windowFunctions.values()].map((signature): FunctionCase => ({
    name: signature.clickhouse,
    kind: 'window',
    calls: [windowed(signature)],
  }));
  const all = [...scalars, ...specials, ...own, ...arrays, ...aggregates, ...windows];
  return [...new Map(all.map((found) => [`${found.kind} ${found.name}`, found])).values()];
}
