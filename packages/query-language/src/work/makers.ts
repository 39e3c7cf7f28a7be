import type { Estimate } from './estimate.ts';
import { lengthOf, naming, product, within } from './guards.ts';
import { madeBytesMax } from './limits.ts';
import { boundedMessage } from './messages.ts';
import { SpanError } from '../query-error.ts';
import { call, constant, type Resolved, type ResolvedCall } from '../resolved.ts';
import { plain } from '../types.ts';

/** A function that makes values: the argument with their count, and the bytes of each. */
interface Maker {
  count: number;
  /** The argument that is repeated. */
  of?: number;
  bytes: number;
}

const makers: Readonly<Record<string, Maker>> = {
  repeat: { count: 1, of: 0, bytes: 1 },
  space: { count: 0, bytes: 1 },
  leftPad: { count: 1, bytes: 4 },
  rightPad: { count: 1, bytes: 4 },
  range: { count: 0, bytes: 8 },
  arrayWithConstant: { count: 0, of: 1, bytes: 8 },
  arrayResize: { count: 1, of: 2, bytes: 8 },
};

// Bytes up to which a made value needs no check: a few copies of a value of a row.
const carefreeBytes = 10_000;

/**
 * Guards a call that makes values of a length that depends on the row: the printed SQL checks the length. `undefined`
 * for others. Throws `wrong_arguments` for a value that is known to be too large.
 */
export function guardedMaker(expr: ResolvedCall, args: readonly Estimate[], made: Estimate): Resolved | undefined {
  const own = Object.hasOwn(makers, expr.name) ? makers[expr.name] : undefined;
  if (made.made && made.bytes > madeBytesMax && grows(made, args) && (!own || isKnown(own, args))) throw tooLarge(expr);
  if (!own) return undefined;
  const counts = expr.name === 'range' ? args.slice(0, 2) : [args[own.count]];
  const known = counts.every((count) => count?.most !== undefined);
  if (known && (made.made || made.bytes <= carefreeBytes)) return undefined;
  if (known && own.of === undefined) return made.bytes > madeBytesMax ? fail(expr) : undefined;
  return naming(
    expr.args,
    (given) => ({
      ...expr,
      args: given.map((arg, index) =>
        index === own.count ? within(arg, sizeOf(expr, given, own), madeBytesMax, boundedMessage.made(expr.name)) : arg,
      ),
    }),
    expr,
  );
}

// Estimates are rounded up a little, but nothing adds up from call to call.
function grows(made: Estimate, args: readonly Estimate[]): boolean {
  const largest = Math.max(0, ...args.map((arg) => arg.bytes));
  return made.bytes > Math.min(1.2 * largest, Math.max(largest, 4 * madeBytesMax));
}

function isKnown({ count }: Maker, args: readonly Estimate[]): boolean {
  return args[count]?.most !== undefined;
}

function fail(expr: ResolvedCall): never {
  throw tooLarge(expr);
}

function tooLarge(expr: ResolvedCall): SpanError {
  const numbers = expr.name === 'range' ? '; FROM numbers(n) gives as many rows' : '';
  return new SpanError('wrong_arguments', `${boundedMessage.made(`${expr.name}()`)}${numbers}`, expr);
}

function sizeOf(expr: ResolvedCall, args: readonly Resolved[], { count, of, bytes }: Maker): Resolved {
  const [first, second] = args as [Resolved, Resolved?];
  const float = (value: Resolved): Resolved => call('toFloat64', [value], plain('float', value.type.nullable), value);
  const times =
    expr.name === 'range' && second
      ? call('minus', [float(second), float(first)], plain('float'), expr)
      : call('abs', [float(args[count] as Resolved)], plain('float'), expr);
  const repeated = of === undefined ? undefined : args[of];
  const each =
    repeated?.type.kind === 'text' || repeated?.type.kind === 'array'
      ? call(
          'plus',
          [lengthOf(repeated), constant(bytes, plain('integer'), expr)],
          plain('float', repeated.type.nullable),
          expr,
        )
      : constant(bytes, plain('integer'), expr);
  return product(times, each);
}
