import { named } from '../../operators/array-items.ts';
import { safeCast } from '../../operators/casts.ts';
import { mismatch, toNumber } from '../../operators/conversions.ts';
import { SpanError, type Span } from '../../query-error.ts';
import { call, constant, type Resolved } from '../../resolved.ts';
import { describeType, plain } from '../../types.ts';
import { convertArgument } from '../../operators/convert-argument.ts';

/**
 * `array[from:to]`: the items from one place to another, both included. Places count from 1, negative ones from the end; what lies outside is
 * left out, and a bound that is not there or NULL is the array's own end. A property is read as a JSON list.
 */
export function sliceOf(value: Resolved, from: Resolved | undefined, to: Resolved | undefined, span: Span): Resolved {
  const array = value.type.property ? convertArgument(value, 'array') : value;
  if (array.type.kind !== 'array' && array.type.kind !== 'unknown')
    throw mismatch(
      `Only an array has slices, found ${describeType(array.type)}${array.type.kind === 'text' ? '; for a text write substring(text, from, length)' : ''}`,
      value,
    );
  const [first, last] = [boundOf(from, 1), boundOf(to, -1)];
  const [start, end] = [knownPlace(first), knownPlace(last)];
  if (start === undefined || end === undefined || (start < 0 && end >= 0))
    return sliceAnywhere(array, first, last, span);
  const begin = start === 0 ? 1 : start;
  const length = end === -1 ? undefined : end < 0 && begin > 0 ? end + 1 : Math.max(end - begin + 1, 0);
  return call(
    'arraySlice',
    [array, place(begin, span), ...(length === undefined ? [] : [place(length, span)])],
    array.type,
    span,
  );
}

const integer = plain('integer');

function place(value: number, span: Span): Resolved {
  return constant(value, integer, span);
}

// The bound as a whole number that is never NULL.
function boundOf(bound: Resolved | undefined, open: number): Resolved {
  if (!bound || bound.type.kind === 'null') return place(open, bound ?? { start: 0, end: 0 });
  const number = toNumber(bound);
  if (number.kind === 'constant' && !Number.isSafeInteger(number.value))
    throw new SpanError('wrong_arguments', 'The ends of a slice are whole numbers', bound);
  if (number.kind === 'constant') return number;
  const whole =
    number.type.kind === 'integer' && !number.type.nullable
      ? call('toInt64', [number], integer, bound)
      : safeCast(number, 'integer', 'Int64', bound);
  return whole.type.nullable ? call('ifNull', [whole, place(open, bound)], integer, bound) : whole;
}

function knownPlace(bound: Resolved): number | undefined {
  return bound.kind === 'constant' ? Number(bound.value) : undefined;
}

// Only the row decides from which end a position counts.
function sliceAnywhere(array: Resolved, first: Resolved, last: Resolved, span: Span): Resolved {
  const of = (name: string, ...args: Resolved[]): Resolved => call(name, args, integer, span);
  const [zero, one] = [place(0, span), place(1, span)];
  const values = { __a: array, __b: wide(first), __c: wide(last) };
  return named(
    values,
    ({ __a: items, __b: from, __c: to }) => {
      const fromEnd = (bound: Resolved): Resolved =>
        of('plus', of('toInt64', of('length', items)), of('plus', bound, one));
      const begin = of('greatest', of('if', of('less', from, zero), fromEnd(from), from), one);
      const end = of('if', of('less', to, zero), fromEnd(to), to);
      return call(
        'arraySlice',
        [items, begin, of('greatest', of('plus', of('minus', end, begin), one), zero)],
        array.type,
        span,
      );
    },
    span,
  );
}

// A constant has the smallest type that it fits, which may be unsigned.
function wide(bound: Resolved): Resolved {
  return bound.kind === 'constant' ? call('toInt64', [bound], integer, bound) : bound;
}
