import { call, constant, fixed, isOpenPlaceholder, type Resolved } from '../resolved.ts';
import { describeType, isLearned, isNumeric, isTime, plain, propertyItem, propertyType } from '../types.ts';
import { castTo, safeCast } from './casts.ts';
import { mismatch, toCondition, toNumber, toText, toTime } from './conversions.ts';
import { learnedText, pliableText } from './learned-types.ts';
import { isProperty } from './property-order.ts';

/**
 * The kind that an argument is taken as; `textual` is any value, where one that was read by a learned type is its text; an `integer` is a whole number, a `weight` one that is not negative, a `moment` is a time or a number, a
 * `beginning` the first bytes or characters of a text. `same` arguments are brought to one type; a list holds the only words allowed.
 */
export type ArgumentKind =
  | 'text'
  | 'beginning'
  | 'beginningUTF8'
  | 'number'
  | 'integer'
  | 'weight'
  | 'time'
  | 'moment'
  | 'condition'
  | 'array'
  | 'any'
  | 'textual'
  | 'lambda'
  | 'interval'
  | 'same'
  | readonly string[];

/** Brings an argument to what the function takes. */
export function convertArgument(given: Resolved, kind: ArgumentKind): Resolved {
  const arg = isReadForNothing(given, kind) ? pliableText(given) : given;
  if (typeof kind !== 'string') return oneOf(arg, kind);
  if (kind === 'text') return arg.type.kind === 'unknown' ? arg : toText(arg);
  if (kind === 'beginning' || kind === 'beginningUTF8')
    return beginning(kind === 'beginning' ? 'substring' : 'substringUTF8', toText(arg));
  if (kind === 'textual' && arg.type.kind !== 'lambda') return learnedText(arg);
  if (kind === 'integer' && (isProperty(arg) || isFraction(arg) || isLearned(arg.type)))
    return safeCast(arg, 'integer', 'Int64', arg);
  if (kind === 'weight' && arg.kind !== 'constant') return safeCast(toNumber(arg), 'integer', 'UInt64', arg);
  if (kind === 'number' || kind === 'integer' || kind === 'weight') return toNumber(arg);
  if (kind === 'time') return toTime(arg);
  if (kind === 'moment') return isNumeric(arg.type) ? arg : toTime(arg);
  if (kind === 'condition') return toCondition(arg);
  const { kind: found } = arg.type;
  if (kind === 'array' && arg.type.property && !isOpenPlaceholder(arg) && arg.kind !== 'constant') return listOf(arg);
  if (kind === 'array' && isOpenPlaceholder(arg))
    return { ...arg, type: { kind: 'array', nullable: false, item: propertyType } };
  if (kind === 'array' && found !== 'array' && found !== 'unknown')
    throw mismatch(
      `Expected an array, found ${describeType(arg.type)}${found === 'text' ? "; for JSON text write JSONExtract(…, 'Array(String)')" : ''}`,
      arg,
    );
  if (kind === 'interval' && found !== 'interval') throw mismatch('Expected an interval such as INTERVAL 1 DAY', arg);
  if (kind === 'lambda' && found !== 'lambda') throw mismatch('Expected a lambda such as x -> x + 1', arg);
  if (found === 'lambda' && kind !== 'lambda') throw mismatch('A lambda is not expected here', arg);
  return arg;
}

// Nothing that was read by a learned type is a list, only a number is a whole number, and no number is a time: it is the property again.
function isReadForNothing({ type }: Resolved, kind: ArgumentKind): boolean {
  if (!isLearned(type)) return false;
  if (kind === 'integer' || kind === 'weight') return !isNumeric(type);
  return kind === 'array' || (kind === 'moment' && !isTime(type));
}

// A property that is a list: its items are properties too.
function listOf(arg: Resolved): Resolved {
  const { type, ...list } = castTo(arg, 'array(string)', arg);
  return { ...list, type: { ...type, item: propertyItem } };
}

// The engine takes the product of both lengths, and looks at no time limit within a block: two texts of 60 KB are seconds of a row.
function beginning(cut: string, text: Resolved): Resolved {
  return call(
    cut,
    [text, constant(1, plain('integer'), text), constant(beginningMax, plain('integer'), text)],
    text.type,
    text,
  );
}

const beginningMax = 250;

function oneOf(arg: Resolved, words: readonly string[]): Resolved {
  const word = arg.kind === 'constant' && typeof arg.value === 'string' ? arg.value.toLowerCase() : undefined;
  const found = words.find((candidate) => candidate === word || `${candidate}s` === word);
  if (found === undefined)
    throw mismatch(`Expected one of ${words.map((candidate) => `'${candidate}'`).join(', ')}`, arg);
  return fixed(found, arg);
}

function isFraction({ kind, type }: Resolved): boolean {
  return kind !== 'constant' && (type.kind === 'float' || type.kind === 'decimal');
}
