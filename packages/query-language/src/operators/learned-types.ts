import { costOf, spend } from '../budget.ts';
import { once } from './array-items.ts';
import { call, constant, fixed, type Resolved } from '../resolved.ts';
import { inZone, timeZone, zonedTime } from '../time-zone.ts';
import { isLearned, plain, type ValueType } from '../types.ts';

// Properties are texts. Where nothing else says what one is, it is read by the type that the project has learned of it, and is NULL
// where its text is none of that type.

/** Properties by the values that were made of them, which print whatever the place is. */
const origins = new WeakMap<Resolved, Resolved>();

/** Is this a property that can be read by a type of one value? Lists stay texts until they are shown. */
export function isReadable(expr: Resolved): boolean {
  return hasOneValue(expr) && !expr.type.asText;
}

/** The same, also where the query says that it is a text. */
export function hasOneValue({ type, kind }: Resolved): boolean {
  return type.property === true && type.learned !== undefined && type.learned !== 'List' && kind !== 'constant';
}

/** A property read by its learned type; every other value as it is. Spends. */
export function readByType(expr: Resolved): Resolved {
  if (!isReadable(expr)) return expr;
  spend(costOf.conversion, expr);
  const value = once(expr, read, '__property', expr);
  const typed: Resolved = { ...value, type: settledType(expr.type) };
  origins.set(typed, expr);
  return typed;
}

/** The type of `readByType`. */
export function settledType(type: ValueType): ValueType {
  if (!type.property || type.asText) return type;
  if (type.learned === 'Numeric') return { ...plain('float', true), learned: type.learned };
  if (type.learned === 'Boolean') return { ...plain('boolean', true), learned: type.learned };
  return type.learned === 'DateTime' ? { ...zonedTime(true), learned: type.learned } : type;
}

/** The property that `readByType` made this value of. */
export function originOf(expr: Resolved): Resolved | undefined {
  return origins.get(expr);
}

/** A property of learned lists as a list, whose items keep their types; NULL where it is none. Spends. */
export function asList(expr: Resolved): Resolved {
  if (!isLearnedList(expr.type)) return expr;
  spend(costOf.conversion, expr);
  const text = call('ifNull', [expr, fixed('', expr)], plain('text'), expr);
  const type: ValueType = { kind: 'array', nullable: true, item: plain('unknown', true) };
  return call('JSONExtract', [text, fixed('Variant(Array(Dynamic))', expr)], type, expr);
}

/** Is this a text that is shown as a list? */
export function isLearnedList(type: ValueType): boolean {
  return type.property === true && type.learned === 'List' && !type.asText;
}

/** The text of a value that was read by a learned type, where its context takes it for something else. */
export function learnedText(expr: Resolved): Resolved {
  return isLearned(expr.type) ? call('toString', [inZone(expr)], plain('text', expr.type.nullable), expr) : expr;
}

/** A value that was read by a learned type, as a property with its text. */
export function pliableText(expr: Resolved): Resolved {
  const text = learnedText(expr);
  return { ...text, type: { ...text.type, property: true } };
}

/** A value to calculate with: true and false are no numbers, whether they were read by a learned type or not. */
export function calculable(expr: Resolved): Resolved {
  return isLearned(expr.type) && expr.type.kind === 'boolean' ? pliableText(expr) : expr;
}

function read(text: Resolved): Resolved {
  if (text.type.learned === 'Numeric') return numberOf(text);
  return text.type.learned === 'Boolean' ? booleanOf(text) : timeOf(text);
}

// The engine's cast of a text also takes 1 and 'yes', which are none when a type is learned.
function booleanOf(text: Resolved): Resolved {
  const type = plain('boolean', true);
  const is = (word: string): Resolved => call('equals', [text, fixed(word, text)], type, text);
  return onlyIf(call('or', [is('true'), is('false')], type, text), call('toBool', [is('true')], type, text));
}

// Infinities and NaN are texts that the engine takes for numbers, and JSON has none.
function numberOf(text: Resolved): Resolved {
  const number = call('toFloat64OrNull', [text], plain('float', true), text);
  return onlyIf(call('isFinite', [number], plain('boolean', true), text), number);
}

// The engine also reads 5 as the fifth of a month, and names of months. It has no years but 1900 to 2299, and takes others for their ends.
function timeOf(text: Resolved): Resolved {
  const time = call(
    'parseDateTime64BestEffortOrNull',
    [text, constant(6, plain('integer'), text), fixed(timeZone(), text)],
    zonedTime(true),
    text,
  );
  const is = (name: string, word: string): Resolved =>
    call(name, [text, fixed(word, text)], plain('boolean', true), text);
  const years = [is('greaterOrEquals', '1900'), is('less', '2300')];
  return onlyIf(call('and', [is('like', '____-__-__%'), ...years], plain('boolean', true), text), time);
}

function onlyIf(condition: Resolved, value: Resolved): Resolved {
  return call('if', [condition, value, constant(null, plain('null', true), value)], value.type, value);
}
