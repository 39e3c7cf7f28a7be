import { aggregateLines, windowLines } from './aggregate-functions.ts';
import { parseSignature, type FunctionSignature } from './function-signature.ts';
import { arrayLines } from './functions-of-arrays.ts';
import { numberLines } from './functions-of-numbers.ts';
import { textLines } from './functions-of-texts.ts';
import { timeLines } from './functions-of-times.ts';

// The allow-list: what is not here cannot be called. One line per function, `name(arguments) result`.
//
// Arguments: text number integer weight time moment condition array any lambda interval; a `moment` is a time or a number;
//   a `textual` is a value as it is, but for what was read by a learned type, which is its text;
//   `same` are brought to one type. Of a `beginning` and a `beginningUTF8` 250 bytes or characters count.
//   `?` optional, `...` any number. Quoted words are the only ones allowed there: 'a|b'.
// Results: a kind; `1` the first argument's type; `same` the common type; `item` an item of the first array;
//   `[1]` an array of the first argument; `[lambda]` an array of the lambda's result; `[kind]`.
//   Nullable when an argument is, unless the result ends in `!` (never) or `?` (always).
// `name = clickhouse(…)`: printed under ClickHouse's own name.

/** Functions of windows, by name in lower case. */
export const windowFunctions: ReadonlyMap<string, FunctionSignature> = readTable(windowLines);

/** Functions of single rows, by name. */
export const scalarFunctions: ReadonlyMap<string, FunctionSignature> = readTable(
  timeLines + textLines + arrayLines + numberLines,
);

/** Aggregate functions, by name, without their combinators. */
export const aggregateFunctions: ReadonlyMap<string, FunctionSignature> = readTable(aggregateLines);

/** Types of numbers that there is a conversion for: toInt32, toInt32OrNull, toInt32OrZero, toInt32OrDefault. */
export const numberTypes = [
  'Int',
  'Float',
  'Int8',
  'Int16',
  'Int32',
  'Int64',
  'UInt8',
  'UInt16',
  'UInt32',
  'UInt64',
  'Float32',
  'Float64',
] as const;

/** Functions that the resolver prints in a way of its own; see `special-functions.ts`. */
export const specialFunctionNames = [
  'if',
  'multiIf',
  'and',
  'or',
  'not',
  'xor',
  'concat',
  'array',
  'tuple',
  'map',
  'exists',
  'grouping',
  'equals',
  'notEquals',
  'less',
  'lessOrEquals',
  'greater',
  'greaterOrEquals',
  'plus',
  'minus',
  'multiply',
  'divide',
  'modulo',
  'like',
  'notLike',
  'ilike',
  'notILike',
  'in',
  'notIn',
  'dateTrunc',
  'date_trunc',
  'toStartOfInterval',
  'date_bin',
  'dateAdd',
  'date_add',
  'dateSub',
  'date_sub',
  'date_subtract',
  'now',
  'today',
  'yesterday',
  'fromUnixTimestamp',
  'fromUnixTimestamp64Milli',
  'parseDateTimeBestEffort',
  'toString',
  'toBool',
  'toDate',
  'toDateTime',
  'toUUID',
  'toDecimal',
  'sortableSemVer',
  'arraySort',
  'arrayReverseSort',
  'arraySum',
  'arrayAvg',
  'arrayMin',
  'arrayMax',
  'mod',
  'now64',
  'current_timestamp',
  'current_date',
  'curdate',
  'date',
  'timestamp',
  'addDate',
  'subDate',
  'addInterval',
  'subtractInterval',
  'timestampAdd',
  'timestamp_add',
  'timestampSub',
  'timestamp_sub',
  'toDateOrNull',
  'toDate32',
  'toDateTimeOrNull',
  'toDateTime64',
  'toDateTime64OrNull',
  'parseDateTime',
  'parseDateTimeOrNull',
  'parseDateTimeBestEffortOrNull',
  'parseDateTime64BestEffort',
  'parseDateTime64BestEffortOrNull',
  'toUUIDOrNull',
  'toDecimal32',
  'toDecimal64',
  'toDecimal128',
  'cast',
  'accurateCast',
  'accurateCastOrNull',
  'JSONExtract',
  'JSONExtractKeysAndValues',
  'finalizeAggregation',
  'transform',
  'mapFromArrays',
  'arrayCumSum',
  'arrayDifference',
  'arrayProduct',
  'split_part',
  'to_char',
  'date_part',
  'datePart',
  'generate_series',
  ...numberTypes.flatMap((type) => ['', 'OrNull', 'OrZero', 'OrDefault'].map((suffix) => `to${type}${suffix}`)),
];

function readTable(table: string): ReadonlyMap<string, FunctionSignature> {
  const lines = table.split('\n').map((line) => line.trim());
  return new Map(
    lines
      .filter((line) => line !== '')
      .map((line) => parseSignature(line))
      .map((entry) => [entry.name, entry]),
  );
}
