import { castTo, safeCast } from '../operators/casts.ts';
import { mismatch, toNumber, toText } from '../operators/conversions.ts';
import { warnOfGuess } from '../operators/doubts.ts';
import { learnedText } from '../operators/learned-types.ts';
import { zoneText } from '../operators/named-zones.ts';
import { numberTypes } from './function-table.ts';
import { jsonType } from './json-types.ts';
import { call, constant, fixed, type Resolved } from '../resolved.ts';
import { counted, one, type Special } from './special-arguments.ts';
import type { Call } from '../tree/expressions.ts';
import { timePattern } from './patterns.ts';
import { checkTypeName } from './type-names.ts';
import { timeZone, zoneNamed, zonedTime } from '../time-zone.ts';
import { digitsOf, digitsOfDateTime, plain, timeType, type ValueType } from '../types.ts';
import { convertArgument } from '../operators/convert-argument.ts';

const utc = "DateTime64(6, 'UTC')";

/** Conversions: always the safe variants, NULL where a value does not fit, whatever the name says. */
export const conversionFunctions: Readonly<Record<string, Special>> = {
  ...Object.fromEntries(numberTypes.flatMap(conversionsTo)),
  toDate: (args, node) => toDate(args, node),
  toDate32: (args, node) => toDate(args, node),
  date: (args, node) => toDate(args, node),
  toDateOrNull: (args, node) => toDate(args, node),
  toDateTime,
  timestamp: toDateTime,
  toDateTimeOrNull: toDateTime,
  toDateTime64,
  toDateTime64OrNull: toDateTime64,
  parseDateTime,
  parseDateTimeOrNull: parseDateTime,
  parseDateTimeBestEffort: toDateTime,
  parseDateTimeBestEffortOrNull: toDateTime,
  parseDateTime64BestEffort: toDateTime64,
  parseDateTime64BestEffortOrNull: toDateTime64,
  toUUIDOrNull: (args, node) => safeCast(one(args, node), 'uuid', 'UUID', node),
  toDecimal,
  toDecimal32: toDecimal,
  toDecimal64: toDecimal,
  toDecimal128: toDecimal,
  cast,
  accurateCast: cast,
  accurateCastOrNull: cast,
  JSONExtract: extract,
  JSONExtractKeysAndValues: extractPairs,
};

function conversionsTo(name: (typeof numberTypes)[number]): [string, Special][] {
  const kind = name.startsWith('Float') ? 'float' : 'integer';
  const clickhouse = name === 'UInt64' ? name : kind === 'float' ? 'Float64' : 'Int64';
  const convert: Special = (args, node) => safeCast(one(args, node), kind, clickhouse, node);
  return [
    [`to${name}`, convert],
    [`to${name}OrNull`, convert],
    [`to${name}OrZero`, (args, node) => withFallback(convert(args, node), constant(0, plain('integer'), node), node)],
    [
      `to${name}OrDefault`,
      (args, node) => {
        const [value, given] = counted(args, node, 1, 2) as [Resolved, Resolved?];
        const other = given ? toNumber(given) : constant(0, plain('integer'), node);
        const fits = other.kind === 'constant' && (kind === 'float' || other.type.kind !== 'float');
        return withFallback(convert([value], node), fits ? other : convert([other], node), node);
      },
    ],
  ];
}

function withFallback(expr: Resolved, value: Resolved, node: Call): Resolved {
  return call('ifNull', [expr, value], plain(expr.type.kind, value.type.nullable), node);
}

function toDate(args: readonly Resolved[], node: Call): Resolved {
  const [value, zone] = counted(args, node, 1, 2) as [Resolved, Resolved?];
  if (!zone || value.type.kind === 'date') return safeCast(value, 'date', 'Date', node);
  const local = toDateTime(args, node);
  return call('toDate', [local], plain('date', local.type.nullable), node);
}

function toDateTime(args: readonly Resolved[], node: Call): Resolved {
  const [value, zone] = counted(args, node, 1, 2) as [Resolved, Resolved?];
  if (!zone) return safeCast(value, 'datetime', utc, node);
  if (value.type.kind !== 'text') {
    const time = safeCast(value, 'datetime', utc, node);
    return call(
      'toTimeZone',
      [time, zoneText(zone)],
      timeType(value.type.nullable, zoneNamed(zone), digitsOf(time.type)),
      node,
    );
  }
  warnOfGuess(value);
  return call(
    'parseDateTime64BestEffortOrNull',
    [value, constant(6, plain('integer'), node), zoneText(zone)],
    timeType(true, zoneNamed(zone)),
    node,
  );
}

// The second argument is how many digits a second has.
function toDateTime64(args: readonly Resolved[], node: Call): Resolved {
  const [value, digits, zone] = counted(args, node, 1, 3) as [Resolved, Resolved?, Resolved?];
  const time = toDateTime(zone ? [value, zone] : [value], node);
  if (!digits) return time;
  if (
    digits.kind !== 'constant' ||
    typeof digits.value !== 'number' ||
    !Number.isInteger(digits.value) ||
    digits.value < 0 ||
    digits.value > 9
  )
    throw mismatch('Expected the number of digits after the second, 0 to 9', digits);
  if (digits.value === 6) return time;
  const kept = zone ? zoneNamed(zone) : time.type.zone || undefined;
  const { nullable } = time.type;
  return call(
    'toDateTime64',
    [time, digits, zone ? zoneText(zone) : fixed(kept ?? timeZone(), node)],
    kept === undefined ? zonedTime(nullable, digits.value) : timeType(nullable, kept, digits.value),
    node,
  );
}

function parseDateTime(args: readonly Resolved[], node: Call): Resolved {
  const [value, format, zone] = counted(args, node, 2, 3) as [Resolved, Resolved, Resolved?];
  return call(
    'parseDateTimeOrNull',
    [toText(value), timePattern(format), zone ? zoneText(zone) : fixed(timeZone(), node)],
    zone ? timeType(true, zoneNamed(zone), digitsOfDateTime) : zonedTime(true, digitsOfDateTime),
    node,
  );
}

function toDecimal(args: readonly Resolved[], node: Call): Resolved {
  const [value, scale] = counted(args, node, 1, 2) as [Resolved, Resolved?];
  if (scale && (scale.kind !== 'constant' || typeof scale.value !== 'number'))
    throw mismatch('The scale must be a plain number', scale);
  return castTo(value, `decimal(38, ${scale?.kind === 'constant' ? Number(scale.value) : 10})`, node);
}

function cast(args: readonly Resolved[], node: Call): Resolved {
  const [value, type] = counted(args, node, 2, 2) as [Resolved, Resolved];
  return castTo(value, nameOf(type).toLowerCase(), node);
}

function nameOf(type: Resolved): string {
  if (type.kind !== 'constant' || typeof type.value !== 'string')
    throw mismatch("Expected the name of a type in quotes, such as 'Int64'", type);
  checkTypeName(type.value, type);
  return type.value;
}

// `JSONExtract(json, path…, 'Type')`.
function extract(args: readonly Resolved[], node: Call): Resolved {
  const [json, ...rest] = counted(args, node, 2) as [Resolved, ...Resolved[]];
  const { clickhouse, type } = jsonType(nameOf(rest[rest.length - 1] as Resolved), node);
  const text = withoutNull(convertArgument(json, 'text'), type, node);
  return call(
    'JSONExtract',
    [text, ...rest.slice(0, -1).map(learnedText), fixed(clickhouse, node)],
    type.nullable || text.type.nullable ? { ...type, nullable: true } : type,
    node,
  );
}

function extractPairs(args: readonly Resolved[], node: Call): Resolved {
  const [json, ...rest] = counted(args, node, 2) as [Resolved, ...Resolved[]];
  const { clickhouse, type: value } = jsonType(nameOf(rest[rest.length - 1] as Resolved), node);
  const type: ValueType = {
    kind: 'array',
    nullable: false,
    item: { kind: 'tuple', nullable: false, items: [plain('text'), value] },
  };
  return call(
    'JSONExtractKeysAndValues',
    [
      withoutNull(convertArgument(json, 'text'), type, node),
      ...rest.slice(0, -1).map(learnedText),
      fixed(clickhouse, node),
    ],
    type,
    node,
  );
}

// A result that cannot be NULL is that of an empty text.
function withoutNull(text: Resolved, type: ValueType, node: Call): Resolved {
  if (!text.type.nullable || (type.kind !== 'array' && type.kind !== 'map')) return text;
  return call('ifNull', [text, fixed('', node)], plain('text'), node);
}
