import { SpanError } from '../query-error.ts';
import { fixed, type Resolved } from '../resolved.ts';
import type { Call } from '../tree/expressions.ts';
import { convertArgument } from '../operators/convert-argument.ts';

/** Brings one parameter to what may be printed. Throws `wrong_arguments`. */
type Rule = (param: Resolved) => Resolved;

/** Rules of the parameters in the brackets; the last rule holds for all that follow. */
interface Taken {
  least: number;
  most: number;
  rules: readonly Rule[];
}

const level = within(0, 1);
// State of these functions is in memory for every group.
const kept = whole(1, 1_000_000);
const ranks = [whole(1, 10_000), whole(1, 10)];
const wholes = whole(0, Number.MAX_SAFE_INTEGER);
const strictness: Rule = (param) =>
  convertArgument(param, ['strict_order', 'strict_deduplication', 'strict_increase', 'strict_once']);

const parametric: ReadonlyMap<string, Taken> = new Map([
  ...each(
    [
      'quantile',
      'quantileExact',
      'quantileExactLow',
      'quantileExactHigh',
      'quantileExactInclusive',
      'quantileExactExclusive',
      'quantileExactWeighted',
      'quantileTDigest',
      'quantileTiming',
      'quantileBFloat16',
      'quantileDeterministic',
      'quantileInterpolatedWeighted',
    ],
    optional(level),
  ),
  ...each(['quantiles', 'quantilesExact', 'quantilesTDigest', 'quantilesTiming'], {
    least: 1,
    most: 50,
    rules: [level],
  }),
  ...each(['quantileDD'], { least: 1, most: 2, rules: [within(0.001, 0.999), level] }),
  ...each(['groupArray', 'groupUniqArray', 'groupArrayMovingSum', 'groupArrayMovingAvg'], optional(kept)),
  ...each(['groupArraySorted', 'groupArrayLast'], needed(kept)),
  ...each(['groupArraySample'], { least: 1, most: 2, rules: [kept, wholes] }),
  ...each(['groupConcat'], { least: 0, most: 2, rules: [delimiter, kept] }),
  ...each(['uniqCombined', 'uniqCombined64'], optional(whole(12, 20))),
  ...each(['uniqUpTo'], needed(whole(1, 100))),
  ...each(['histogram'], needed(whole(1, 250))),
  ...each(['largestTriangleThreeBuckets'], needed(whole(1, 10_000))),
  ...each(['exponentialMovingAverage'], needed(within(0, Number.MAX_SAFE_INTEGER))),
  ...each(['sequenceMatch', 'sequenceCount'], needed(pattern)),
  ...each(['topK'], { least: 0, most: 2, rules: ranks }),
  ...each(['topKWeighted'], { least: 1, most: 2, rules: ranks }),
  ...each(['sparkbar'], { least: 1, most: 3, rules: [whole(2, 1_000), wholes] }),
  ...each(['windowFunnel'], { least: 1, most: 4, rules: [wholes, strictness] }),
]);

/** The parameters in brackets before an aggregate's arguments, in words of ours and within bounds of ours. Throws `wrong_arguments`. */
export function checkParameters(name: string, params: readonly Resolved[], node: Call): Resolved[] {
  const { least, most, rules } = parametric.get(name) ?? { least: 0, most: 0, rules: [] };
  if (params.length < least || params.length > most)
    throw new SpanError(
      'wrong_arguments',
      `${node.name} takes ${most === 0 ? 'no' : least === most ? least : `${least} to ${most}`} parameter${most === 1 ? '' : 's'} in brackets before its arguments, found ${params.length}`,
      node,
    );
  const checked = params.map((param, index) => (rules[index] ?? (rules[rules.length - 1] as Rule))(param));
  if (['strict_once', 'strict_increase'].every((word) => checked.some((param) => isWord(param, word))))
    throw new SpanError(
      'wrong_arguments',
      "'strict_once' and 'strict_increase' cannot be used together; write one of them",
      node,
    );
  return checked;
}

function isWord(param: Resolved, word: string): boolean {
  return (param.kind === 'fixed' && param.text === word) || (param.kind === 'constant' && param.value === word);
}

/** Fewest and most parameters in brackets before the arguments; undefined: there are no such brackets. */
export function parameterCounts(name: string): { least: number; most: number } | undefined {
  return parametric.get(name);
}

/** True when the function takes parameters in brackets before its arguments. */
export function takesParameters(name: string): boolean {
  return parametric.has(name);
}

function each(names: readonly string[], taken: Taken): [string, Taken][] {
  return names.map((name) => [name, taken]);
}

function optional(rule: Rule): Taken {
  return { least: 0, most: 1, rules: [rule] };
}

function needed(rule: Rule): Taken {
  return { least: 1, most: 1, rules: [rule] };
}

function whole(least: number, most: number): Rule {
  return (param) =>
    numberOf(
      param,
      (value) => Number.isInteger(value) && value >= least && value <= most,
      `a whole number from ${least} to ${most}`,
    );
}

function within(least: number, most: number): Rule {
  return (param) => numberOf(param, (value) => value >= least && value <= most, `a number from ${least} to ${most}`);
}

function numberOf(param: Resolved, fits: (value: number) => boolean, expected: string): Resolved {
  const value = param.kind === 'constant' ? param.value : undefined;
  if (typeof value !== 'number' && typeof value !== 'bigint')
    throw new SpanError(
      'wrong_arguments',
      `Parameters of an aggregate function must be plain numbers; expected ${expected}`,
      param,
    );
  if (typeof value === 'number' && fits(value)) return param;
  throw new SpanError('wrong_arguments', `Expected ${expected}`, param);
}

// Printed as literals, byte by byte where they are not plain: the engine takes no bound value here.
function delimiter(param: Resolved): Resolved {
  if (param.kind === 'constant' && typeof param.value === 'string' && param.value.length <= 100)
    return fixed(param.value, param);
  throw new SpanError('wrong_arguments', 'Expected the separator of the texts, at most 100 characters', param);
}

function pattern(param: Resolved): Resolved {
  const text = param.kind === 'constant' && typeof param.value === 'string' ? param.value : '';
  if (text.length <= 500 && /^(?:\(\?(?:[1-9]\d?|t(?:<=?|>=?|==?)\d{1,10})\)|\.\*|\.)+$/.test(text))
    return fixed(text, param);
  throw new SpanError(
    'wrong_arguments',
    "Expected a pattern of steps such as '(?1)(?t<=3600).*(?2)': (?1) is the first condition, (?t<=3600) limits the seconds since the previous step, .* is any events between",
    param,
  );
}
