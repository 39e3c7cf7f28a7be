import type { Estimate } from './estimate.ts';
import { lengthOf, naming, product, within } from './guards.ts';
import { grownBytesMax, madeBytesMax } from './limits.ts';
import { boundedMessage } from './messages.ts';
import type { Size } from './size.ts';
import { call, constant, type Resolved, type ResolvedCall } from '../resolved.ts';
import { plain } from '../types.ts';

// Texts that may be longer than all that they are made of, or that name it several times.
const growing: ReadonlySet<string> = new Set([
  'concat',
  'concatWithSeparator',
  'format',
  'replaceAll',
  'replaceRegexpAll',
  'replaceRegexpOne',
  'hex',
  'base64Encode',
  'encodeURLComponent',
  'encodeURLFormComponent',
  'toJSONString',
  'upperUTF8',
  'lowerUTF8',
  'initcapUTF8',
  'toValidUTF8',
  'translateUTF8',
]);

/** The most bytes of a text that a call gives, where those of tables have `madeBytesMax` each. */
export function longestMade(expr: ResolvedCall, args: readonly Estimate[], size: Size): number {
  if (!growing.has(expr.name)) return Math.max(0, ...args.map(longestOf));
  return size(
    args.map((arg) => ({ ...arg, bytes: arg.item ? arg.bytes : longestOf(arg), made: true })),
    expr,
    undefined,
  ).bytes;
}

function longestOf({ made, longest, bytes }: Estimate): number {
  return longest ?? (made ? bytes : Math.max(bytes, madeBytesMax));
}

/** Guards a call that may make a text of more than `grownBytesMax` of those of tables: the printed SQL checks the lengths. `undefined` for others. */
export function guardedGrowth(expr: ResolvedCall, args: readonly Estimate[], longest: number): Resolved | undefined {
  if (longest <= grownBytesMax || !growing.has(expr.name) || expr.args.some(({ type }) => type.kind !== 'text'))
    return undefined;
  return naming(
    expr.args,
    (given) => ({
      ...expr,
      args: given.map((arg, index) =>
        index === guardedAt(expr)
          ? within(arg, sizeOf(expr, given, args), grownBytesMax, boundedMessage.grown(expr.name))
          : arg,
      ),
    }),
    expr,
  );
}

// The engine takes no other format, and no other separator, than one that is written out.
function guardedAt({ name }: ResolvedCall): number {
  return name === 'format' || name === 'concatWithSeparator' ? 1 : 0;
}

function sizeOf(expr: ResolvedCall, given: readonly Resolved[], args: readonly Estimate[]): Resolved {
  const add = (one: Resolved, other: Resolved): Resolved =>
    call('plus', [one, other], plain('float', one.type.nullable || other.type.nullable), expr);
  const number = (value: number): Resolved => constant(value, plain('float'), expr);
  const lengths = given.map(lengthOf);
  const all = halved(lengths, add);
  const [first = all, , third = all] = lengths;
  switch (expr.name) {
    case 'concat':
      return all;
    case 'concatWithSeparator':
      return product(all, number(2));
    case 'replaceAll':
      return add(
        first,
        product(first, product(third, number(1 / Math.max(1, args[1]?.text === undefined ? 1 : args[1].bytes)))),
      );
    case 'replaceRegexpAll':
    case 'replaceRegexpOne':
      return product(add(first, number(1)), add(third, number(1)));
    case 'format':
      // Each brace stands for one of the others.
      return product(first, all);
    default:
      // Each byte becomes 6 at most.
      return product(all, number(6));
  }
}

// A sum of thousands, one inside the other, is deeper than the printer goes.
function halved(values: readonly Resolved[], add: (one: Resolved, other: Resolved) => Resolved): Resolved {
  const middle = Math.ceil(values.length / 2);
  return values.length === 1
    ? (values[0] as Resolved)
    : add(halved(values.slice(0, middle), add), halved(values.slice(middle), add));
}
