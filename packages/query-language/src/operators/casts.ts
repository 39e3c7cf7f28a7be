import { costOf, spend } from '../budget.ts';
import { itemOf, lambdaOf } from './array-items.ts';
import { asText, isUuidText, mismatch, toMicroseconds } from './conversions.ts';
import { isNoTime, warnOfGuess, warnOfMilliseconds } from './doubts.ts';
import { learnedText } from './learned-types.ts';
import { SpanError, type Span } from '../query-error.ts';
import { call, constant, fixed, type Resolved } from '../resolved.ts';
import { describeType, isLearned, isTime, plain, type ValueType } from '../types.ts';
import { inZone, readTime, timeZone, zonedTime } from '../time-zone.ts';
import { quoted, warn } from '../warnings.ts';
import { wholeNumberOf } from './whole-numbers.ts';

const castTargets: Readonly<Record<string, { kind: ValueType['kind']; clickhouse: string }>> = {
  ...named('integer', 'Int64', [
    'int',
    'integer',
    'bigint',
    'int8',
    'int16',
    'int32',
    'int64',
    'uint8',
    'uint16',
    'uint32',
    'uint64',
    'smallint',
    'tinyint',
    'signed',
    'unsigned',
  ]),
  ...named('float', 'Float64', ['float', 'double', 'double precision', 'real', 'float32', 'float64']),
  ...named('text', 'String', ['string', 'text', 'varchar', 'char']),
  ...named('boolean', 'Bool', ['bool', 'boolean']),
  ...named('date', 'Date', ['date', 'date32']),
  ...named('datetime', "DateTime64(6, 'UTC')", ['datetime', 'datetime64', 'timestamp']),
  ...named('uuid', 'UUID', ['uuid']),
};

function named(
  kind: ValueType['kind'],
  clickhouse: string,
  names: string[],
): Record<string, { kind: ValueType['kind']; clickhouse: string }> {
  return Object.fromEntries(names.map((name) => [name, { kind, clickhouse }]));
}

/** `CAST(x AS type)`, `x::type`: always the safe variant. */
export function castTo(expr: Resolved, typeName: string, span: Span): Resolved {
  const inner = /^nullable\((.*)\)$/.exec(typeName)?.[1] ?? typeName;
  const item = /^array\((.*)\)$/.exec(inner)?.[1];
  if (item !== undefined) return castArray(expr, item, span);
  const decimal = /^(?:decimal|numeric)(?:\((\d{1,2})(?:, (\d{1,2}))?\))?$/.exec(inner);
  if (decimal) return castDecimal(expr, Number(decimal[1] ?? 38), Number(decimal[2] ?? 10), span);
  const target = castTargetOf(inner);
  if (!target) throw new SpanError('not_supported', `Casting to ${typeName} is not supported yet`, span);
  return safeCast(expr, target.kind, target.clickhouse, span);
}

/** Our type for a written type in lower case. */
export function castTargetOf(name: string): { kind: ValueType['kind']; clickhouse: string } | undefined {
  const base = /^datetime64\(\d( *, *'UTC')?\)$|^datetime\('UTC'\)$/i.test(name) ? 'datetime' : name;
  return Object.hasOwn(castTargets, base) ? castTargets[base] : undefined;
}

// Every item of an array is converted; text is read as JSON, as lists of properties are.
function castArray(expr: Resolved, itemName: string, span: Span): Resolved {
  if (expr.type.kind === 'text') {
    const text = expr.type.nullable ? call('ifNull', [expr, fixed('', span)], plain('text'), span) : expr;
    const texts = call(
      'JSONExtract',
      [text, fixed('Array(String)', span)],
      { kind: 'array', nullable: false, item: plain('text') },
      span,
    );
    return itemName === 'string' ? texts : castArray(texts, itemName, span);
  }
  if (expr.type.kind !== 'array' && expr.type.kind !== 'unknown')
    throw mismatch(`${describeType(expr.type)} cannot be converted to an array`, expr);
  const item = itemOf(expr.type.item ?? plain('unknown', true), span);
  const body = castTo(item, itemName, span);
  return call('arrayMap', [lambdaOf(item, body), expr], { kind: 'array', nullable: false, item: body.type }, span);
}

function castDecimal(expr: Resolved, digits: number, scale: number, span: Span): Resolved {
  if (digits < 1 || digits > 76 || scale > digits)
    throw new SpanError(
      'invalid_value',
      'A decimal has 1 to 76 digits in all, and at most as many of them after the point',
      span,
    );
  return call('accurateCastOrNull', [expr, fixed(`Decimal(${digits}, ${scale})`, span)], plain('decimal', true), span);
}

/** Converts to a type of ours; NULL where the value does not fit. */
export function safeCast(expr: Resolved, kind: ValueType['kind'], clickhouse: string, span: Span): Resolved {
  const from = expr.type;
  if (
    from.kind === 'array' ||
    from.kind === 'tuple' ||
    from.kind === 'interval' ||
    (from.kind === 'uuid' && kind !== 'text' && kind !== 'uuid')
  ) {
    if (kind !== 'text') throw mismatch(`${describeType(from)} cannot be converted to this type`, expr);
  }
  if (kind === 'text') return asText(expr);
  if (kind === 'uuid' && isLearned(from)) return safeCast(learnedText(expr), kind, clickhouse, span);
  if (kind === 'uuid' && expr.kind === 'constant' && from.kind === 'text' && !isUuidText(expr.value))
    warn('no_uuid', `${quoted(expr.value)} is not a UUID: the result is NULL`, expr);
  if (kind === 'datetime' || kind === 'date') warnOfMilliseconds(expr);
  if (kind === 'datetime')
    return isTime(from) || from.kind === 'text' ? castTime(expr, span) : toMicroseconds(expr, span);
  if (kind === 'date') {
    const time = from.kind === 'text' ? toTimeOrNull(expr, span) : expr;
    return call('toDate', [inZone(time)], plain('date', time.type.nullable), span);
  }
  if (kind === 'integer' && (from.kind === 'float' || from.kind === 'decimal')) {
    const whole = call('trunc', [expr], from, span);
    return call(
      'accurateCastOrNull',
      [from.kind === 'decimal' ? digitsOfDecimal(whole, span) : whole, fixed(clickhouse, span)],
      plain(kind, true),
      span,
    );
  }
  if (kind === 'integer' && (isTime(from) || from.kind === 'boolean'))
    return call('toInt64', [expr], plain(kind, from.nullable), span);
  if (kind === 'integer' && from.kind === 'text') return wholeNumberOf(expr, clickhouse, span);
  return call('accurateCastOrNull', [expr, fixed(clickhouse, span)], plain(kind, true), span);
}

// The engine fails at a decimal that is beyond 64 bits, where it should give NULL, as it does for a text.
const digitsOfDecimal = (whole: Resolved, span: Span): Resolved =>
  call('toString', [whole], plain('text', whole.type.nullable), span);

function castTime(expr: Resolved, span: Span): Resolved {
  if (expr.type.kind === 'datetime') return expr;
  if (expr.type.kind === 'date') return toMicroseconds(expr, span);
  return toTimeOrNull(expr, span);
}

// Unlike a comparison, a conversion of a constant that is no time is NULL, not an error.
function toTimeOrNull(expr: Resolved, span: Span): Resolved {
  spend(costOf.time, expr);
  const time = expr.kind === 'constant' ? readTime(String(expr.value), expr) : undefined;
  if (time !== undefined) return constant(time, plain('datetime'), expr);
  if (expr.kind === 'constant' && expr.type.kind === 'text' && isNoTime(String(expr.value)))
    warn('no_time', `${quoted(expr.value)} is not a date or time: the result is NULL`, expr);
  else warnOfGuess(expr);
  return call(
    'parseDateTime64BestEffortOrNull',
    [expr, constant(6, plain('integer'), span), fixed(timeZone(), span)],
    zonedTime(true),
    span,
  );
}
