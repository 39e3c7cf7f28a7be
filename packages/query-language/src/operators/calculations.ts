import { costOf, spend } from '../budget.ts';
import { isNumberText, mismatch, toInstant, toMicroseconds, toNumber, toTime } from './conversions.ts';
import { calculable } from './learned-types.ts';
import type { Span } from '../query-error.ts';
import { anyNullable, call, type Resolved } from '../resolved.ts';
import type { ArithmeticOperator } from '../tree/expressions.ts';
import { digitsOf, isLearned, isTime, plain, timeType, type ValueType } from '../types.ts';
import { inZone } from '../time-zone.ts';
import { unquotedDate } from './unquoted-dates.ts';
import { warn } from '../warnings.ts';

const functions: Readonly<Record<ArithmeticOperator, string>> = {
  '+': 'plus',
  '-': 'minus',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
};

/** `left op right`. Properties are numbers here, or times beside an interval. */
export function calculate(op: ArithmeticOperator, left: Resolved, right: Resolved, span: Span): Resolved {
  const hasInterval = left.type.kind === 'interval' || right.type.kind === 'interval';
  const hasTime = isTime(left.type) || isTime(right.type);
  if (hasInterval || (hasTime && !areNumbers(op, left, right))) return shift(op, left, right, span);
  if (op === '+' && [left, right].some(isWords))
    throw mismatch('+ adds numbers; texts are joined with || or concat(…)', span);
  const sides = [left, right]
    .map((side) => toNumber(calculable(side)))
    .map((side) => (op === '/' ? exact(side) : side));
  const result = call(functions[op], sides, resultOf(op, sides), span);
  const date = op === '-' ? unquotedDate(result) : undefined;
  if (date !== undefined)
    warn('unquoted_date', `A date without quotes is a subtraction of numbers; write '${date}' in quotes`, span);
  return result;
}

// A time that was read by a learned type is a number, as its text is, where nothing says that times are moved or compared.
function areNumbers(op: ArithmeticOperator, left: Resolved, right: Resolved): boolean {
  if ([left, right].some(({ type }) => isTime(type) && !isLearned(type))) return false;
  const isSeconds = ({ type }: Resolved): boolean => type.kind === 'integer';
  const isMoment = ({ type }: Resolved): boolean => isTime(type) || type.kind === 'text';
  if (op === '+') return ![left, right].some(isSeconds);
  return op !== '-' || !isMoment(left) || !(isMoment(right) || isSeconds(right));
}

function isWords(expr: Resolved): boolean {
  return expr.kind === 'constant' && expr.type.kind === 'text' && !isNumberText(String(expr.value));
}

// The engine cuts a quotient of decimals to the digits of the first one.
function exact(side: Resolved): Resolved {
  return side.type.kind === 'decimal' ? call('toFloat64', [side], plain('float', side.type.nullable), side) : side;
}

function resultOf(op: ArithmeticOperator, sides: readonly Resolved[]): ValueType {
  const nullable = anyNullable(sides);
  if (sides.some((side) => side.type.kind === 'null' || side.type.kind === 'unknown')) return plain('unknown', true);
  if (op === '/') return plain('float', nullable);
  if (sides.every((side) => side.type.kind === 'integer' || side.type.kind === 'boolean'))
    return plain('integer', nullable);
  return plain(
    sides.some((side) => side.type.kind === 'decimal') && sides.every((side) => side.type.kind !== 'float')
      ? 'decimal'
      : 'float',
    nullable,
  );
}

function shift(op: ArithmeticOperator, left: Resolved, right: Resolved, span: Span): Resolved {
  if (op !== '+' && op !== '-')
    throw mismatch(
      `Dates and intervals cannot be used with ${op}${op === '*' ? '; for several days write INTERVAL 7 DAY, or toIntervalDay(n)' : ''}`,
      span,
    );
  if (left.type.kind === 'interval' && right.type.kind === 'interval') return addIntervals(op, left, right, span);
  const sides = [left, right].map((side) => (side.type.kind === 'text' || isLearned(side.type) ? toTime(side) : side));
  const times = sides.filter((side) => isTime(side.type));
  if (times.length === 2) {
    if (op === '+') throw mismatch('Two dates cannot be added', span);
    if (times.every((side) => side.type.kind === 'date'))
      return call('minus', sides, plain('integer', anyNullable(sides)), span);
    const instants = sides.map((side) => (side.type.kind === 'date' ? toMicroseconds(side, side) : side));
    return call('minus', instants, plain('decimal', anyNullable(sides)), span);
  }
  const [time] = times;
  if (!time) throw mismatch('An interval can only be added to a date or time', span);
  const other = sides.find((side) => side !== time);
  if (op === '-' && sides[0] !== time) throw mismatch('A date cannot be subtracted from this', span);
  if (time.type.kind === 'datetime' && other) warnOfSeconds(op, other);
  const kind =
    time.type.kind === 'date' && (other?.type.kind !== 'interval' || isWholeDays(other)) ? 'date' : 'datetime';
  const begin = kind === 'datetime' ? toInstant : inZone;
  const shifted = sides.map((side) => (side === time && other?.type.kind === 'interval' ? begin(side) : side));
  const moved = shifted.find((side) => isTime(side.type))?.type;
  const type =
    kind === 'datetime' && moved
      ? timeType(anyNullable(sides), moved.zone, digitsOf(moved))
      : plain(kind, anyNullable(sides));
  return call(functions[op], shifted, type, span);
}

// The engine adds one interval after the other to a sum, and no sum to anything.
function addIntervals(op: '+' | '-', left: Resolved, right: Resolved, span: Span): Resolved {
  spend(2 * costOf.rewrite, span);
  const type = plain('interval', anyNullable([left, right]));
  if (right.kind !== 'call' || right.name !== 'plus') return call(functions[op], [left, right], type, span);
  return right.args.reduce((sum, interval) => addIntervals(op, sum, interval, span), left);
}

/** Up to as many days as a year has: a number of seconds that people write is larger, or an interval. */
const likelyDaysMax = 366;

function warnOfSeconds(op: '+' | '-', other: Resolved): void {
  if (other.kind !== 'constant' || other.type.kind !== 'integer') return;
  const count = Math.abs(Number(other.value));
  const sign = Number(other.value) < 0 ? { '+': '-', '-': '+' }[op] : op;
  if (count > 0 && count <= likelyDaysMax)
    warn(
      'seconds',
      `A number added to a time, or subtracted from it, is in seconds: this is ${count} second${count === 1 ? '' : 's'}. For days write ${sign} INTERVAL ${count} DAY`,
      other,
    );
}

function isWholeDays(interval: Resolved): boolean {
  if (interval.kind !== 'call') return false;
  if (interval.name === 'plus' || interval.name === 'minus') return interval.args.every(isWholeDays);
  return /Day|Week|Month|Quarter|Year/.test(interval.name);
}
