import { textOf } from './estimate.ts';
import { lengthOf, naming, product, within } from './guards.ts';
import { computedPatternMax, needleMax, searchPairsMax, shortNeedleMax } from './limits.ts';
import { boundedMessage } from './messages.ts';
import { costOf, spend } from '../budget.ts';
import { itemOf, lambdaOf } from '../operators/array-items.ts';
import { SpanError } from '../query-error.ts';
import { call, type Resolved, type ResolvedCall } from '../resolved.ts';
import { plain } from '../types.ts';
import type { Rule, Steep } from './rule.ts';

const unknown = textOf(100, false);
const pairNanoseconds = 2;
const caselessNanoseconds = 12;

/** Rule of a function that looks for its second argument, a text or a list of texts, in the first. */
export function searchRule(ignoresCase: boolean): Rule {
  return (expr, [hay = unknown, needle = unknown]) => {
    const longest = needle.item?.bytes ?? needle.bytes;
    const isKnown = needle.text !== undefined || (needle.item !== undefined && needle.made && isWritten(expr.args[1]));
    if (isKnown && longest > needleMax)
      throw new SpanError('wrong_arguments', boundedMessage.needle(`${expr.name}()`), expr.args[1] ?? expr);
    const nanoseconds =
      hay.bytes *
      Math.min(longest, needleMax) *
      (needle.item ? needle.items : 1) *
      (ignoresCase ? caselessNanoseconds : pairNanoseconds);
    const isLong = ignoresCase && !(isKnown && longest <= shortNeedleMax);
    return {
      nanoseconds,
      ...guardedNeedle(expr, isKnown ? undefined : needleMax, isLong, boundedMessage.needle(expr.name)),
    };
  };
}

// How dear a step of a pattern with signs for any letters is for each byte: as one of match().
const easySteps = 60;
const easyNanoseconds = 20;
const stepNanoseconds = 25;

/** Rule of LIKE: what stands between its outer signs is looked for as it is, unless there are more of them. */
export function likeRule(ignoresCase: boolean): Rule {
  return (expr, [hay = unknown, pattern = unknown]) => {
    const { text } = pattern;
    if (text !== undefined) spend(text.length * costOf.letter, expr);
    if (text !== undefined && pattern.bytes > needleMax)
      throw new SpanError('wrong_arguments', boundedMessage.needle(`${expr.name}()`), expr.args[1] ?? expr);
    const isPlain = text !== undefined && !/[_\\]|[^%]%+[^%]/.test(text);
    const steps = Math.min(pattern.bytes, text === undefined ? computedPatternMax : needleMax);
    const perByte = isPlain
      ? steps * (ignoresCase ? caselessNanoseconds : pairNanoseconds)
      : steps > easySteps
        ? steps * stepNanoseconds
        : easyNanoseconds;
    const isLong = ignoresCase && !(text !== undefined && pattern.bytes <= shortNeedleMax);
    return {
      nanoseconds: hay.bytes * perByte,
      ...guardedNeedle(
        expr,
        text === undefined ? computedPatternMax : undefined,
        isLong,
        boundedMessage.likePattern(expr.name),
      ),
    };
  };
}

function guardedNeedle(
  expr: ResolvedCall,
  most: number | undefined,
  isLong: boolean,
  message: string,
): Pick<Steep, 'guarded'> {
  if (most === undefined && !isLong) return {};
  return {
    guarded: naming(
      expr.args,
      ([hay, needle, ...rest]) => {
        if (!hay || !needle) return expr;
        const bounded = most === undefined ? needle : within(needle, lengthOfLongest(needle), most, message);
        // At the text, as the engine is faster with what it knows that it looks for.
        const short = isLong
          ? within(
              hay,
              product(lengthOf(hay), lengthOfLongest(needle)),
              searchPairsMax,
              boundedMessage.caseless(expr.name),
            )
          : hay;
        return { ...expr, args: [short, bounded, ...rest] };
      },
      expr,
    ),
  };
}

function lengthOfLongest(needle: Resolved): Resolved {
  if (needle.type.kind !== 'array') return lengthOf(needle);
  const item = itemOf(needle.type.item ?? plain('text'), needle);
  const lengths = call(
    'arrayMap',
    [lambdaOf(item, lengthOf(item)), needle],
    { kind: 'array', nullable: false, item: plain('float', item.type.nullable) },
    needle,
  );
  return call('arrayMax', [lengths], plain('float', item.type.nullable), needle);
}

// A value that a call makes may be larger than its estimate: a guard is left out only where the query itself writes the value.
function isWritten(expr: Resolved | undefined): boolean {
  return (
    expr?.kind === 'constant' ||
    (expr?.kind === 'call' && expr.name === 'array' && expr.args.every(({ kind }) => kind === 'constant'))
  );
}
