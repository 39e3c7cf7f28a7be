import { parseSignature, type FunctionSignature } from './function-signature.ts';

// The allow-list: what is not here cannot be called. One line per function, `name(arguments) result`.
//
// Arguments: text number integer time condition array any lambda interval; `same` are brought to one type.
//   `?` optional, `...` any number. Quoted words are the only ones allowed there: 'a|b'.
// Results: a kind; `1` the first argument's type; `same` the common type; `item` an item of the first array;
//   `[1]` an array of the first argument; `[lambda]` an array of the lambda's result; `[kind]`.
//   Nullable when an argument is, unless the result ends in `!` (never) or `?` (always).
// `name = clickhouse(…)`: printed under ClickHouse's own name.

const scalars = `
  coalesce(same...) same
  ifNull(same, same) same
  nullIf(same, same) same?
  assumeNotNull(any) 1!
  toNullable(any) 1?
  isNull(any) boolean!
  isNotNull(any) boolean!
  empty(any) boolean
  notEmpty(any) boolean
  greatest(same, same...) same
  least(same, same...) same
  max2(number, number) float
  min2(number, number) float

  toTypeName(any) text!
  toUnixTimestamp(time) integer
  toUnixTimestamp64Milli(time) integer
  toIntervalSecond(number) interval
  toIntervalMinute(number) interval
  toIntervalHour(number) interval
  toIntervalDay(number) interval
  toIntervalWeek(number) interval
  toIntervalMonth(number) interval
  toIntervalQuarter(number) interval
  toIntervalYear(number) interval

  toStartOfSecond(time) datetime
  toStartOfMinute(time) datetime
  toStartOfFiveMinutes(time) datetime
  toStartOfFiveMinute = toStartOfFiveMinutes(time) datetime
  toStartOfTenMinutes(time) datetime
  toStartOfFifteenMinutes(time) datetime
  toStartOfHour(time) datetime
  toStartOfDay(time) datetime
  toStartOfWeek(time, integer?) date
  toStartOfMonth(time) date
  toStartOfQuarter(time) date
  toStartOfYear(time) date
  toStartOfISOYear(time) date
  toMonday(time) date
  toStartOfInterval(time, interval) datetime
  toLastDayOfMonth(time) date
  dateDiff('second|minute|hour|day|week|month|quarter|year', time, time) integer
  date_diff = dateDiff('second|minute|hour|day|week|month|quarter|year', time, time) integer
  age('second|minute|hour|day|week|month|quarter|year', time, time) integer
  addSeconds(time, number) datetime
  addMinutes(time, number) datetime
  addHours(time, number) datetime
  addDays(time, number) 1
  addWeeks(time, number) 1
  addMonths(time, number) 1
  addQuarters(time, number) 1
  addYears(time, number) 1
  subtractSeconds(time, number) datetime
  subtractMinutes(time, number) datetime
  subtractHours(time, number) datetime
  subtractDays(time, number) 1
  subtractWeeks(time, number) 1
  subtractMonths(time, number) 1
  subtractQuarters(time, number) 1
  subtractYears(time, number) 1
  toYear(time) integer
  toQuarter(time) integer
  toMonth(time) integer
  toWeek(time, integer?) integer
  toISOWeek(time) integer
  toISOYear(time) integer
  toDayOfYear(time) integer
  toDayOfMonth(time) integer
  toDayOfWeek(time, integer?) integer
  toHour(time) integer
  toMinute(time) integer
  toSecond(time) integer
  toYYYYMM(time) integer
  toYYYYMMDD(time) integer
  formatDateTime(time, text, text?) text
  toTimeZone(time, text) datetime
  monthName(time) text

  lower(text) text
  upper(text) text
  lowerUTF8(text) text
  upperUTF8(text) text
  initcap(text) text
  concatWithSeparator(text, text...) text
  substring(text, number, number?) text
  substr = substring(text, number, number?) text
  substringUTF8(text, number, number?) text
  left(text, number) text
  right(text, number) text
  leftPad(text, number, text?) text
  rightPad(text, number, text?) text
  lengthUTF8(text) integer
  trim = trimBoth(text, text?) text
  trimBoth(text, text?) text
  trimLeft(text, text?) text
  ltrim = trimLeft(text, text?) text
  trimRight(text, text?) text
  rtrim = trimRight(text, text?) text
  replace = replaceAll(text, text, text) text
  replaceAll(text, text, text) text
  replaceOne(text, text, text) text
  replaceRegexpAll(text, text, text) text
  replaceRegexpOne(text, text, text) text
  splitByChar(text, text) [text]!
  splitByString(text, text) [text]!
  splitByRegexp(text, text) [text]!
  alphaTokens(text) [text]!
  startsWith(text, text) boolean
  endsWith(text, text) boolean
  position(text, text, number?) integer
  positionCaseInsensitive(text, text) integer
  positionUTF8(text, text) integer
  countSubstrings(text, text) integer
  match(text, text) boolean
  extract(text, text) text
  extractAll(text, text) [text]!
  repeat(text, number) text
  reverse(any) 1
  format(text, text...) text
  base64Encode(text) text
  base64Decode = tryBase64Decode(text) text
  tryBase64Decode(text) text
  hex(any) text
  lowerHex = hex(any) text
  MD5(text) text
  SHA256(text) text
  cityHash64(any...) integer!
  sipHash64(any...) integer!

  domain(text) text
  domainWithoutWWW(text) text
  topLevelDomain(text) text
  protocol(text) text
  path(text) text
  pathFull(text) text
  queryString(text) text
  fragment(text) text
  cutQueryString(text) text
  cutFragment(text) text
  cutQueryStringAndFragment(text) text
  cutWWW(text) text
  cutURLParameter(text, text) text
  extractURLParameter(text, text) text
  extractURLParameters(text) [text]!
  decodeURLComponent(text) text
  encodeURLComponent(text) text

  length(any) integer
  arrayMap(lambda, array...) [lambda]
  arrayFilter(lambda, array...) 2!
  arrayExists(lambda, array...) boolean!
  arrayAll(lambda, array...) boolean!
  arrayCount(lambda, array...) integer!
  arrayFirst(lambda, array...) item
  arrayFirstIndex(lambda, array...) integer!
  arrayLast(lambda, array...) item
  arrayDistinct(array) 1
  arrayReverse(array) 1
  arrayUniq(array...) integer!
  arrayConcat(array...) 1
  arrayCompact(array) 1
  arrayFlatten(array) 1
  arrayElement(array, number) item
  arrayEnumerate(array) [integer]!
  arrayPushBack(array, any) 1
  arrayPushFront(array, any) 1
  arrayPopBack(array) 1
  arrayPopFront(array) 1
  arraySlice(array, number, number?) 1
  arrayJoin(array) item
  arrayStringConcat(array, text?) text!
  arrayZip(array...) unknown
  has(array, any) boolean!
  hasAny(array, array) boolean!
  hasAll(array, array) boolean!
  indexOf(array, any) integer!
  countEqual(array, any) integer!
  range(number, number?, number?) [integer]!
  tupleElement(any, number) unknown
  mapKeys(any) [text]!
  mapValues(any) unknown
  mapContains(any, text) boolean!

  JSONExtractString(text, any...) text
  JSONExtractInt(text, any...) integer
  JSONExtractUInt(text, any...) integer
  JSONExtractFloat(text, any...) float
  JSONExtractBool(text, any...) boolean
  JSONExtractRaw(text, any...) text
  JSONExtractArrayRaw(text, any...) [text]!
  JSONExtractKeys(text, any...) [text]!
  JSONHas(text, any...) boolean
  JSONLength(text, any...) integer
  JSONType(text, any...) text
  isValidJSON(text) boolean

  intDiv(number, number) integer
  negate(number) 1
  abs(number) 1
  sign(number) integer
  round(number, number?) float
  roundBankers(number, number?) float
  floor(number, number?) float
  ceil(number, number?) float
  ceiling = ceil(number, number?) float
  trunc(number, number?) float
  pow(number, number) float
  power = pow(number, number) float
  sqrt(number) float
  cbrt(number) float
  exp(number) float
  exp2(number) float
  exp10(number) float
  log(number) float
  ln = log(number) float
  log2(number) float
  log10(number) float
  sin(number) float
  cos(number) float
  tan(number) float
  pi() float
  bitAnd(number, number) integer
  bitOr(number, number) integer
  bitXor(number, number) integer
  isNaN(number) boolean
  isFinite(number) boolean
  isInfinite(number) boolean
  rand() integer
  generateUUIDv4() uuid
`;

// Of aggregates the result is nullable as their arguments are. Each also exists as -If, -Distinct and -Array, and mixed.
const aggregates = `
  count(any?) integer!
  uniq(any, any...) integer!
  uniqExact(any, any...) integer!
  uniqCombined(any, any...) integer!
  uniqHLL12(any, any...) integer!
  sum(number) 1
  avg(number) float
  avgWeighted(number, number) float
  min(any) 1
  max(any) 1
  any(any) 1
  anyLast(any) 1
  first_value = any(any) 1
  last_value = anyLast(any) 1
  argMin(any, any) 1
  argMax(any, any) 1
  median(number) float
  quantile(number) float
  quantiles(number) [float]!
  quantileExact(number) float
  quantilesExact(number) [float]!
  stddevPop(number) float
  stddevSamp(number) float
  varPop(number) float
  varSamp(number) float
  skewPop(number) float
  kurtPop(number) float
  covarPop(number, number) float
  covarSamp(number, number) float
  corr(number, number) float
  groupArray(any) [1]!
  groupUniqArray(any) [1]!
  topK(any) [1]!
  entropy(any) float!
  windowFunnel(time, condition...) integer!
  retention(condition...) [integer]!
`;

// Only with OVER. Aggregates may have it too.
const windows = `
  row_number() integer!
  rank() integer!
  dense_rank() integer!
  percent_rank() float!
  ntile(number) integer!
  lag(any, number?, any?) 1?
  lead(any, number?, any?) 1?
  laginframe = lagInFrame(any, number?, any?) 1?
  leadinframe = leadInFrame(any, number?, any?) 1?
  first_value(any) 1?
  last_value(any) 1?
  nth_value(any, number) 1?
`;

/** Functions of windows, by name in lower case. */
export const windowFunctions: ReadonlyMap<string, FunctionSignature> = readTable(windows);

/** Functions of single rows, by name. */
export const scalarFunctions: ReadonlyMap<string, FunctionSignature> = readTable(scalars);

/** Aggregate functions, by name, without their combinators. */
export const aggregateFunctions: ReadonlyMap<string, FunctionSignature> = readTable(aggregates);

/** Functions that the resolver prints in a way of its own; see `special-functions.ts`. */
export const specialFunctionNames = [
  'if', 'multiIf', 'and', 'or', 'not', 'xor', 'concat', 'array', 'tuple', 'map', 'exists', 'equals', 'notEquals', 'less', 'lessOrEquals', 'greater', 'greaterOrEquals', 'plus', 'minus', 'multiply', 'divide', 'modulo',
  'like', 'notLike', 'ilike', 'notILike', 'in', 'notIn', 'dateTrunc', 'date_trunc', 'dateAdd', 'date_add', 'dateSub', 'date_sub', 'now', 'today', 'yesterday', 'fromUnixTimestamp', 'fromUnixTimestamp64Milli', 'parseDateTimeBestEffort', 'toString', 'toInt', 'toFloat', 'toBool', 'toDate', 'toDateTime', 'toUUID', 'toDecimal', 'toIntOrZero', 'toFloatOrZero', 'arraySort', 'arrayReverseSort', 'arraySum', 'arrayAvg', 'arrayMin', 'arrayMax',
] as const;

function readTable(table: string): ReadonlyMap<string, FunctionSignature> {
  const lines = table.split('\n').map((line) => line.trim());
  return new Map(lines.filter((line) => line !== '').map((line) => parseSignature(line)).map((entry) => [entry.name, entry]));
}
