import { costOf, spend } from '../budget.ts';
import { alignLists, haveLearnedItems } from './learned-lists.ts';
import { learnedText, pliableText, readByType, settledType } from './learned-types.ts';
import { isProperty } from './property-order.ts';
import { SpanError, type Span } from '../query-error.ts';
import { call, constant, fixed, type Resolved } from '../resolved.ts';
import { commonType, describeType, isLearned, isNumeric, isTime, plain, type ValueType } from '../types.ts';
import { dayAt, inZone, readTime, timeZone, zonedTime } from '../time-zone.ts';
import { timeInstead } from './unquoted-dates.ts';

// Conversions between types: the safe ones, NULL where the value does not fit. Constants are converted here and now.

/** Is it text whose meaning the context decides: a property, or a constant that the user wrote in quotes? */
function isPliable(expr: Resolved): boolean {
  if (expr.type.kind === 'null' || expr.type.kind === 'unknown') return true;
  return expr.type.kind === 'text' && (expr.kind === 'constant' || expr.type.property === true);
}

/** The expression as a number. Throws `type_mismatch` for what can never be one. */
export function toNumber(expr: Resolved): Resolved {
  const { kind, property } = expr.type;
  if (kind === 'text' && expr.kind === 'constant') {
    const text = String(expr.value);
    if (!isNumberText(text)) throw mismatch(`'${text.slice(0, 40)}' is not a number`, expr);
    return constant(Number(text), plain(Number.isSafeInteger(Number(text)) ? 'integer' : 'float'), expr);
  }
  if (isLearned(expr.type) && isTime(expr.type)) return toNumber(pliableText(expr));
  if (kind === 'interval' || isTime(expr.type))
    throw mismatch(`Expected a number, found ${describeType(expr.type)}`, expr);
  if (property) {
    spend(costOf.conversion, expr);
    return call('toFloat64OrNull', [expr], plain('float', true), expr);
  }
  if (kind === 'text' || kind === 'uuid' || kind === 'array' || kind === 'tuple')
    throw mismatch(`Expected a number, found ${describeType(expr.type)}; convert it with toFloat(…) or toInt(…)`, expr);
  return expr;
}

/** The expression as a date or time. */
export function toTime(expr: Resolved): Resolved {
  const { kind } = expr.type;
  if (kind === 'text' && expr.kind === 'constant') {
    spend(costOf.time, expr);
    const time = readTime(String(expr.value), expr);
    if (time === undefined)
      throw mismatch(
        `'${String(expr.value).slice(0, 40)}' is not a date or time (write 2026-01-31 or 2026-01-31 12:00:00)`,
        expr,
      );
    return constant(time, plain('datetime'), expr);
  }
  if (kind === 'text') {
    spend(costOf.conversion, expr);
    return call(
      'parseDateTime64BestEffortOrNull',
      [expr, constant(6, plain('integer'), expr), fixed(timeZone(), expr)],
      zonedTime(true),
      expr,
    );
  }
  if (isTime(expr.type) || kind === 'null' || kind === 'unknown') return expr;
  if (isLearned(expr.type)) return toTime(learnedText(expr));
  const hint = isNumeric(expr.type) ? `; ${timeInstead([expr])}` : '';
  throw mismatch(`Expected a date or time, found ${describeType(expr.type)}${hint}`, expr);
}

/** The expression as text. */
export function toText(expr: Resolved): Resolved {
  const { kind } = expr.type;
  if (kind === 'text' || kind === 'null') return expr;
  if (kind === 'state') throw unfinished(expr);
  if (expr.kind === 'constant' && (isNumeric(expr.type) || kind === 'boolean'))
    return constant(String(expr.value), plain('text'), expr);
  return call('toString', [inZone(expr)], plain('text', expr.type.nullable), expr);
}

/** Converts to text, as the query requests. */
export function asText(expr: Resolved): Resolved {
  return isProperty(expr) ? { ...expr, type: { ...expr.type, asText: true } } : toText(expr);
}

/** The error for a state of an aggregate where a value is expected. */
export function unfinished(span: Span): SpanError {
  return mismatch(
    'This is the state of an aggregate, not a value; finish it with its -Merge form, uniqMerge(…) for uniqState(…), or finalizeAggregation(…)',
    span,
  );
}

// The engine takes no fraction for a condition.
function isOtherThanBoolean(type: ValueType): boolean {
  return isLearned(type) && type.kind !== 'boolean';
}

/** The expression as a boolean. */
function toBoolean(expr: Resolved): Resolved {
  if (expr.type.kind === 'text' && expr.kind === 'constant') {
    const text = String(expr.value).slice(0, 41).toLowerCase();
    if (text !== 'true' && text !== 'false') throw mismatch(`'${text.slice(0, 40)}' is neither true nor false`, expr);
    return constant(text === 'true', plain('boolean'), expr);
  }
  if (expr.type.property) {
    spend(costOf.conversion, expr);
    return call('accurateCastOrNull', [expr, fixed('Bool', expr)], plain('boolean', true), expr);
  }
  return isOtherThanBoolean(expr.type) ? toBoolean(pliableText(expr)) : expr;
}

/** The expression as a condition of WHERE, `if`, AND. A property counts as true when it says so. */
export function toCondition(expr: Resolved): Resolved {
  const { kind } = expr.type;
  if (expr.type.property || isOtherThanBoolean(expr.type)) return toBoolean(expr);
  if (kind === 'boolean' || isNumeric(expr.type) || kind === 'null' || kind === 'unknown') return expr;
  throw mismatch(`Expected a condition, found ${describeType(expr.type)}`, expr);
}

/** The expression as an UUID where the constant is one; `undefined` where it is not. */
function toUuid(expr: Resolved): Resolved | undefined {
  if (expr.type.kind === 'uuid' || expr.type.kind === 'null' || expr.type.kind === 'unknown') return expr;
  return expr.kind === 'constant' && isUuidText(expr.value)
    ? constant(String(expr.value).toLowerCase(), plain('uuid'), expr)
    : undefined;
}

/** Is this constant's text a UUID? */
export function isUuidText(value: unknown): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(value));
}

type TypeClass = 'number' | 'time' | 'text' | 'boolean' | 'uuid' | 'interval' | 'array' | 'tuple' | 'other';

function classOf(type: ValueType): TypeClass {
  if (isNumeric(type)) return 'number';
  if (isTime(type)) return 'time';
  const { kind } = type;
  return kind === 'text' ||
    kind === 'boolean' ||
    kind === 'uuid' ||
    kind === 'interval' ||
    kind === 'array' ||
    kind === 'tuple'
    ? kind
    : 'other';
}

/**
 * Brings expressions that meet in a comparison or in branches to types that fit: properties and constants follow what they
 * meet (a number → number, a time → time, else text). Throws `type_mismatch` when columns can never fit.
 */
export function align(given: readonly Resolved[]): Resolved[] {
  if (given[0]) spend(costOf.alignment, given[0]);
  const exprs = haveLearnedItems(given) ? alignLists(given, align) : given;
  const firm = exprs.filter((expr) => !isPliable(expr) && !isLearned(expr.type));
  const columns = new Set(firm.filter((expr) => expr.kind !== 'constant').map((expr) => classOf(expr.type)));
  const classes = columns.size > 0 ? columns : new Set(firm.map((expr) => classOf(expr.type)));
  const [only] = classes;
  if (only === undefined) return alignLearned(exprs);
  if (classes.size === 1)
    return columns.size === 0 && !constantsFit(only, exprs) ? exprs.map(toText) : alignTo(only, exprs);
  if (classes.has('other')) return [...exprs];
  if (classes.has('text') && (classes.has('uuid') || columns.size === 0)) return exprs.map(toText);
  if ([...classes].every((entry) => entry === 'number' || entry === 'boolean')) return alignTo('number', exprs);
  const [a] = firm;
  const b = firm.find((expr) => a && classOf(expr.type) !== classOf(a.type));
  throw mismatch(
    `Cannot combine ${a ? describeType(a.type) : ''} and ${b ? describeType(b.type) : ''}; ${classes.has('time') && classes.has('number') ? timeInstead(firm) : 'convert one of them, for example with toString(…)'}`,
    b ?? (exprs[0] as Resolved),
  );
}

// Nothing but properties and texts in quotes: properties of one learned type are read by it, unless they meet such a text. What was
// read by then stays so where the text is of its type too.
function alignLearned(exprs: readonly Resolved[]): Resolved[] {
  if (!exprs.some(({ type }) => type.learned && !type.asText)) return [...exprs];
  const values = exprs.filter(({ type: { kind } }) => kind !== 'null' && kind !== 'unknown');
  const computed = values.filter(({ kind }) => kind !== 'constant');
  const wereRead = computed.some(({ type }) => isLearned(type));
  const classes = new Set(computed.map(({ type }) => (type.learned ? classOf(settledType(type)) : 'text')));
  const [only = 'text'] = classes;
  const isOne = classes.size === 1 && only !== 'text';
  if (isOne && (computed.length === values.length || (wereRead && textsFit(only, values))))
    return alignTo(only, exprs.map(readByType));
  return wereRead ? exprs.map(toText) : [...exprs];
}

function textsFit(target: TypeClass, exprs: readonly Resolved[]): boolean {
  if (target !== 'time') return constantsFit(target, exprs);
  return exprs.every((expr) => expr.kind !== 'constant' || readTime(String(expr.value), expr) !== undefined);
}

// Among constants alone, one that is no number makes all of them text: coalesce(5, '').
function constantsFit(target: TypeClass, exprs: readonly Resolved[]): boolean {
  const fits = (text: string): boolean =>
    target === 'number' ? isNumberText(text) : target !== 'boolean' || /^(true|false)$/i.test(text);
  return exprs.every((expr) => expr.kind !== 'constant' || expr.type.kind !== 'text' || fits(String(expr.value)));
}

/** Numbers that a float can hold have fewer digits, but for zeros that say nothing. */
const numberLengthMax = 1_000;

/** Is this text a number? */
export function isNumberText(text: string): boolean {
  return (
    text.length <= numberLengthMax && /^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/.test(text) && Number.isFinite(Number(text))
  );
}

// Beside dates, constants that are midnights are dates.
function alignTimes(exprs: readonly Resolved[]): Resolved[] {
  const times = exprs.map(toTime);
  if (times.some((expr) => expr.type.kind === 'date')) {
    const days = times.map((expr) =>
      expr.kind === 'constant' && expr.type.kind === 'datetime' ? dayAt(String(expr.value), expr) : undefined,
    );
    const fits = ({ type: { kind } }: Resolved, at: number): boolean =>
      kind === 'date' || kind === 'null' || days[at] !== undefined;
    if (times.every(fits))
      return times.map((expr, at) => {
        const day = days[at];
        return day === undefined ? expr : constant(day, plain('date'), expr);
      });
  }
  // ClickHouse would take a date beside a time as midnight of UTC.
  const isMixed = timeZone() !== 'UTC' && times.some(({ type }) => type.kind === 'datetime');
  return isMixed ? times.map((expr) => (expr.type.kind === 'date' ? toMicroseconds(expr, expr) : expr)) : times;
}

function alignTo(target: TypeClass, exprs: readonly Resolved[]): Resolved[] {
  if (target === 'number') return exprs.map(toNumber);
  if (target === 'time') return alignTimes(exprs);
  if (target === 'text') return exprs.map(toText);
  if (target === 'boolean') return exprs.map(toBoolean);
  if (target === 'uuid') {
    const uuids = exprs.map(toUuid);
    return uuids.every((expr) => expr !== undefined) ? uuids : exprs.map(toText);
  }
  if (target === 'interval' || target === 'array' || target === 'tuple') refuseText(target, exprs);
  return [...exprs];
}

// Nothing turns text into these, nor a property of one value.
function refuseText(target: TypeClass, exprs: readonly Resolved[]): void {
  const other = exprs.find(({ type }) => type.kind === 'text' || (isLearned(type) && classOf(type) !== target));
  if (!other) return;
  const kind = other.type.kind === 'text' ? 'text' : describeType(other.type);
  throw mismatch(`Cannot combine ${describeType(plain(target as ValueType['kind']))} and ${kind}`, other);
}

// The engine has no common type of UInt64 with floats or signed integers, and we do not know which integers are unsigned.
function widenNumbers(exprs: readonly Resolved[]): Resolved[] {
  const numbers = exprs.filter((expr) => isNumeric(expr.type));
  if (numbers.every((expr) => expr.type.hash)) return [...exprs];
  const computed = numbers.filter((expr) => expr.kind !== 'constant');
  const hasInteger = computed.some((expr) => expr.type.kind === 'integer');
  const mixed =
    numbers.some((expr) => expr.type.kind === 'float') ||
    computed.length > 1 ||
    numbers.some((expr) => expr.kind === 'constant' && Number(expr.value) < 0);
  if (!hasInteger || !mixed) return [...exprs];
  const float = numbers.some((expr) => expr.type.kind !== 'integer');
  return exprs.map((expr) =>
    expr.kind !== 'constant' && expr.type.kind === 'integer'
      ? call(float ? 'toFloat64' : 'toInt64', [expr], plain(float ? 'float' : 'integer', expr.type.nullable), expr)
      : expr,
  );
}

/** Brings branches together and says what type they have then. */
export function alignBranches(exprs: readonly Resolved[]): { exprs: Resolved[]; type: ValueType } {
  const aligned = widenNumbers(align(exprs));
  return { exprs: aligned, type: commonType(aligned.map((expr) => expr.type)) };
}

/** A `type_mismatch` at this place. */
export function mismatch(message: string, span: Span): SpanError {
  return new SpanError('type_mismatch', message, span);
}

/** A time or date, or a number of seconds, as a time of microseconds in UTC. */
export function toMicroseconds(expr: Resolved, span: Span): Resolved {
  return call(
    'toDateTime64',
    [expr, constant(6, plain('integer'), span), fixed(timeZone(), span)],
    zonedTime(expr.type.nullable),
    span,
  );
}

/** A value as a time in the project's zone, to be cut, written or counted from. ClickHouse would take a date as midnight of UTC. */
export function toInstant(expr: Resolved): Resolved {
  return timeZone() !== 'UTC' && expr.type.kind === 'date' ? toMicroseconds(expr, expr) : inZone(expr);
}
