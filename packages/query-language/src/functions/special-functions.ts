import { calculate } from '../operators/calculations.ts';
import { arrayFunctions } from './array-functions.ts';
import { conversionFunctions } from './conversion-functions.ts';
import { safeCast } from '../operators/casts.ts';
import {
  align,
  alignBranches,
  asText,
  mismatch,
  toCondition,
  toInstant,
  toMicroseconds,
  toNumber,
  toText,
  toTime,
} from '../operators/conversions.ts';
import { warnOfMilliseconds, warnOfNoUuid } from '../operators/doubts.ts';
import { zoneText } from '../operators/named-zones.ts';
import { readByType } from '../operators/learned-types.ts';
import { SpanError } from '../query-error.ts';
import { anyNullable, call, constant, fixed, type Resolved } from '../resolved.ts';
import { postgresFunctions } from './foreign/postgres-functions.ts';
import { counted, one, type Special } from './special-arguments.ts';
import type { ArithmeticOperator, Call } from '../tree/expressions.ts';
import { inZone, zoneNamed } from '../time-zone.ts';
import { digitsOf, digitsOfDateTime, isComposite, isTime, nullable, plain, timeType } from '../types.ts';
import { parseTime } from '../values.ts';
import { intervalFunctions } from '../parse/words.ts';
import { convertArgument } from '../operators/convert-argument.ts';

/** The functions whose printing depends on their arguments' types. Names as in `specialFunctionNames`. */
export const specialFunctions: Readonly<Record<string, Special>> = {
  ...conversionFunctions,
  ...arrayFunctions,
  ...postgresFunctions,
  if: (args, node) => branches(counted(args, node, 3, 3), node),
  multiIf: (args, node) => branches(counted(args, node, 3), node),
  _caseWithExpression: caseWithExpression,
  xor: (args, node) => logic('xor', counted(args, node, 2), node),
  not: (args, node) => logic('not', counted(args, node, 1, 1), node),
  concat: (args, node) => call('concat', counted(args, node, 1).map(textOrEmpty), plain('text'), node),
  array: (args, node) => arrayOf(args, node),
  tuple: (args, node) => tupleOf(counted(args, node, 1), node),
  map: mapOf,
  exists: (args, node) => exists(counted(args, node, 1, 1), node),
  plus: calculation('+'),
  minus: calculation('-'),
  multiply: calculation('*'),
  divide: calculation('/'),
  modulo: calculation('%'),
  mod: calculation('%'),
  now,
  now64: now,
  current_timestamp: now,
  current_date: (args, node) => currentDate(args, node),
  curdate: (args, node) => currentDate(args, node),
  today: (args, node) => currentDate(args, node),
  yesterday: (args, node) =>
    call('subtractDays', [currentDate(args, node), constant(1, plain('integer'), node)], plain('date'), node),
  dateTrunc: truncate,
  date_trunc: truncate,
  toStartOfInterval: intervalStart,
  date_bin: (args, node) =>
    intervalStart(
      [args[1], args[0], ...args.slice(2)].filter((arg) => arg !== undefined),
      node,
    ),
  dateAdd: shifted('+'),
  date_add: shifted('+'),
  dateSub: shifted('-'),
  date_sub: shifted('-'),
  date_subtract: shifted('-'),
  ...Object.fromEntries(
    ['addDate', 'addInterval', 'timestampAdd', 'timestamp_add'].map((name) => [name, shifted('+')]),
  ),
  ...Object.fromEntries(
    ['subDate', 'subtractInterval', 'timestampSub', 'timestamp_sub'].map((name) => [name, shifted('-')]),
  ),
  finalizeAggregation: (args, node) => finalized(one(args, node), node),
  fromUnixTimestamp: fromSeconds,
  fromUnixTimestamp64Milli: (args, node) =>
    call(
      'fromUnixTimestamp64Milli',
      [safeCast(one(args, node), 'integer', 'Int64', node), fixed('UTC', node)],
      timeType(true, undefined, 3),
      node,
    ),
  // Annotated because every object has a toString of another type.
  toString: (args: readonly Resolved[], node: Call) => asText(one(args, node)),
  toBool: (args, node) => safeCast(one(args, node), 'boolean', 'Bool', node),
  toUUID: (args, node) => safeCast(one(args, node), 'uuid', 'UUID', node),
};

// Never the server's own zone. `now('Europe/Berlin')` and `now64(3)` say how the time is shown.
function now(args: readonly Resolved[], node: Call): Resolved {
  const [shown] = counted(args, node, 0, 1);
  if (shown?.kind === 'constant' && typeof shown.value === 'string')
    return call('now64', [constant(6, plain('integer'), node), zoneText(shown)], timeType(false, shown.value), node);
  if (
    shown &&
    !(
      shown.kind === 'constant' &&
      typeof shown.value === 'number' &&
      Number.isInteger(shown.value) &&
      shown.value >= 0 &&
      shown.value <= 9
    )
  )
    throw mismatch('Expected a time zone, or the number of digits after the second', shown);
  const digits = constant(shown ? Number(shown.value) : 6, plain('integer'), shown ?? node);
  return call('now64', [digits, fixed('UTC', node)], timeType(false, undefined, Number(digits.value)), node);
}

function fromSeconds(args: readonly Resolved[], node: Call): Resolved {
  const seconds = one(args, node);
  warnOfMilliseconds(seconds);
  const type = timeType(seconds.type.nullable, undefined, digitsOfDateTime);
  return call('toDateTime', [toNumber(seconds), fixed('UTC', node)], type, node);
}

function currentDate(args: readonly Resolved[], node: Call): Resolved {
  counted(args, node, 0, 0);
  return call('toDate', [inZone(now([], node))], plain('date'), node);
}

function finalized(state: Resolved, node: Call): Resolved {
  if (state.type.kind !== 'state' && state.type.kind !== 'unknown')
    throw mismatch('Expected the state of an aggregate, such as the result of uniqState()', state);
  return call('finalizeAggregation', [state], state.type.item ?? plain('unknown', true), node);
}

const days = ['day', 'week', 'month', 'quarter', 'year'];

// From a week upwards the engine gives a date, below it a time.
function truncate(args: readonly Resolved[], node: Call): Resolved {
  const [unit, time, zone] = counted(args, node, 2, 3) as [Resolved, Resolved, Resolved?];
  const word = convertArgument(unit, ['second', 'minute', 'hour', ...days]);
  const isDate = word.kind === 'fixed' && days.indexOf(word.text) > 0;
  const at = isDate || zone ? inZone(toTime(time)) : toInstant(toTime(time));
  return call(
    'dateTrunc',
    [word, at, ...(zone ? [zoneText(zone)] : [])],
    isDate
      ? plain('date', at.type.nullable)
      : timeType(at.type.nullable, zone ? zoneNamed(zone) : at.type.zone, Math.min(digitsOf(at.type), 0)),
    node,
  );
}

// From a week upwards the engine gives a date, else a time. The third argument is where the intervals begin, or a time zone.
function intervalStart(args: readonly Resolved[], node: Call): Resolved {
  const [time, interval, third, fourth] = counted(args, node, 2, 4) as [Resolved, Resolved, Resolved?, Resolved?];
  const length = convertArgument(interval, 'interval');
  const origin =
    third &&
    (isTime(third.type) || fourth || (third.kind === 'constant' && parseTime(String(third.value)) !== undefined))
      ? toTime(third)
      : undefined;
  const zone = origin ? fourth : third;
  const whole = length.kind === 'call' && /Week|Month|Quarter|Year/.test(length.name);
  const at = whole || third ? inZone(toTime(time)) : toInstant(toTime(time));
  const begin =
    origin &&
    (at.type.kind === 'date'
      ? call('toDate', [inZone(origin)], plain('date', origin.type.nullable), origin)
      : toMicroseconds(origin, origin));
  const isNullable = at.type.nullable || length.type.nullable;
  return call(
    'toStartOfInterval',
    [at, length, ...(begin ? [begin] : []), ...(zone ? [zoneText(zone)] : [])],
    (origin ? at.type.kind === 'date' : whole)
      ? plain('date', isNullable)
      : timeType(isNullable, zone ? zoneNamed(zone) : at.type.zone, origin ? digitsOf(at.type) : digitsOfDateTime),
    node,
  );
}

// `dateAdd(time, INTERVAL 1 DAY)` and `dateAdd('day', 1, time)`.
function shifted(op: '+' | '-'): Special {
  return (args, node) => {
    const [first, second, third] = counted(args, node, 2, 3) as [Resolved, Resolved, Resolved?];
    if (!third) return calculate(op, toTime(first), convertArgument(second, 'interval'), node);
    const unit = convertArgument(first, Object.keys(intervalFunctions));
    const name = unit.kind === 'fixed' ? intervalFunctions[unit.text] : undefined;
    if (name === undefined) throw mismatch('Expected a unit', first);
    const amount = toNumber(second);
    return calculate(op, toTime(third), call(name, [amount], plain('interval', amount.type.nullable), node), node);
  };
}

function calculation(op: ArithmeticOperator): Special {
  return (args, node) => {
    const [left, right] = counted(args, node, 2, 2) as [Resolved, Resolved];
    return calculate(op, left, right, node);
  };
}

// `if(c, a, b)` and `multiIf(c, a, c, b, …, else)`: the values come to one type.
function branches(args: readonly Resolved[], node: Call): Resolved {
  if (args.length % 2 === 0)
    throw new SpanError(
      'wrong_arguments',
      `${node.name}() takes pairs of a condition and a value, and then a default value`,
      node,
    );
  const isValue = (index: number): boolean => index % 2 === 1 || index === args.length - 1;
  const { exprs, type } = alignBranches(args.filter((_, index) => isValue(index)));
  let taken = 0;
  const printed = args.map((arg, index) => (isValue(index) ? (exprs[taken++] as Resolved) : toCondition(arg)));
  return call(args.length === 3 ? 'if' : 'multiIf', printed, type, node);
}

// CASE x WHEN v THEN r … ELSE e END.
function caseWithExpression(args: readonly Resolved[], node: Call): Resolved {
  const middle = args.slice(1, -1);
  warnOfNoUuid([args[0] as Resolved, ...middle.filter((_, index) => index % 2 === 0)]);
  const [subject = args[0] as Resolved, ...matches] = align([
    args[0] as Resolved,
    ...middle.filter((_, index) => index % 2 === 0),
  ]);
  const { exprs, type } = alignBranches([
    ...middle.filter((_, index) => index % 2 === 1),
    args[args.length - 1] as Resolved,
  ]);
  const pairs = matches.flatMap((match, index) => [match, exprs[index] as Resolved]);
  return call('caseWithExpression', [subject, ...pairs, exprs[exprs.length - 1] as Resolved], type, node);
}

function logic(name: string, args: readonly Resolved[], node: Call): Resolved {
  const conditions = args.map(toCondition);
  return call(name, conditions, plain('boolean', anyNullable(conditions)), node);
}

// In `||` a NULL is an empty text: one missing property does not empty a whole label.
function textOrEmpty(arg: Resolved): Resolved {
  const text = toText(arg);
  return text.type.nullable ? call('ifNull', [text, fixed('', arg)], plain('text'), arg) : text;
}

function arrayOf(args: readonly Resolved[], node: Call): Resolved {
  const { exprs, type } = alignBranches(args);
  return call(
    'array',
    exprs,
    { kind: 'array', nullable: false, item: args.length > 0 ? type : plain('unknown', true) },
    node,
  );
}

function tupleOf(args: readonly Resolved[], node: Call): Resolved {
  const members = args.map(readByType);
  return call('tuple', members, { kind: 'tuple', nullable: false, items: members.map(({ type }) => type) }, node);
}

// Values are nullable, so that a key that is not there reads as NULL.
function mapOf(args: readonly Resolved[], node: Call): Resolved {
  if (args.length % 2 === 1) throw new SpanError('wrong_arguments', 'map() takes pairs of a key and a value', node);
  const { exprs, type } = alignBranches(args.filter((_, index) => index % 2 === 1));
  const values = exprs.map((value) =>
    value.type.nullable || isComposite(value.type) ? value : call('toNullable', [value], nullable(value.type), value),
  );
  const pairs = values.flatMap((value, index) => [textOrEmpty(args[index * 2] as Resolved), value]);
  return call('map', pairs, { kind: 'map', nullable: false, item: nullable(type) }, node);
}

function exists(args: readonly Resolved[], node: Call): Resolved {
  const [query] = args;
  if (query?.kind !== 'query') throw mismatch('exists() takes a sub-query', node);
  return call('exists', args, plain('boolean'), node);
}
