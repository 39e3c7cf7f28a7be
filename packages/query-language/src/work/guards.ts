import { named } from '../operators/array-items.ts';
import { fixed, call, constant, type Resolved } from '../resolved.ts';
import type { Span } from '../query-error.ts';
import { plain } from '../types.ts';

const integer = plain('integer');

/** A call with its arguments at hand: what of them must hold is looked at in each row, before the call. */
export type WithArguments = (args: readonly Resolved[]) => Resolved;

/** The call `build` of these arguments, which print once, however often they are named in it. */
export function naming(args: readonly Resolved[], build: WithArguments, span: Span): Resolved {
  if (args.every(isShort)) return build(args);
  const long = args.map((arg, index) => ({ arg, name: `__g${index}` })).filter(({ arg }) => !isShort(arg));
  return named(
    Object.fromEntries(long.map(({ arg, name }) => [name, arg])),
    (names) => build(args.map((arg, index) => names[`__g${index}`] ?? arg)),
    span,
  );
}

function isShort(expr: Resolved): boolean {
  return expr.kind === 'json'
    ? isShort(expr.base)
    : expr.kind === 'constant' ||
        expr.kind === 'column' ||
        expr.kind === 'name' ||
        expr.kind === 'fixed' ||
        expr.kind === 'lambda';
}

/** `value`, or an error of the run that says `message` where `size` is beyond `most`. */
export function within(value: Resolved, size: Resolved, most: number, message: string): Resolved {
  const beyond = call(
    'ifNull',
    [call('greater', [size, constant(most, integer, size)], plain('boolean'), size), constant(0, integer, size)],
    plain('boolean'),
    size,
  );
  const fits = call(
    'equals',
    [call('throwIf', [beyond, fixed(message, size)], integer, size), constant(0, integer, size)],
    plain('boolean'),
    size,
  );
  return call('if', [fits, value, emptyOf(value)], value.type, value);
}

// Never taken: it has the type of the value.
function emptyOf(value: Resolved): Resolved {
  if (value.type.kind === 'array') return call('array', [], value.type, value);
  return value.type.kind === 'text' ? fixed('', value) : constant(0, integer, value);
}

/** How long a text or an array is, as a number that does not overflow when it is multiplied. */
export function lengthOf(value: Resolved): Resolved {
  return call('toFloat64', [call('length', [value], integer, value)], plain('float', value.type.nullable), value);
}

/** `left * right`. */
export function product(left: Resolved, right: Resolved): Resolved {
  return call('multiply', [left, right], plain('float', left.type.nullable || right.type.nullable), left);
}
