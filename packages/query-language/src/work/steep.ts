import { boundedMessage } from './messages.ts';
import { textOf, type Estimate } from './estimate.ts';
import { lengthOf, naming, product, within } from './guards.ts';
import {
  computedPatternMax,
  formatMax,
  jsonPathTextMax,
  pairsMax,
  patternStepsMax,
  pieceMax,
  shortListMax,
  unevenTextMax,
} from './limits.ts';
import { likeRule, searchRule } from './searches.ts';
import type { Weights } from './weights.ts';
import { costOf, spend } from '../budget.ts';
import { SpanError } from '../query-error.ts';
import { call, constant, fixed, type Resolved, type ResolvedCall } from '../resolved.ts';
import { plain } from '../types.ts';
import type { Rule, Steep } from './rule.ts';

const unknown = textOf(100, false);

/** The calls that cost more than their arguments are long. */
export const steepCalls: Readonly<Record<string, Rule>> = {
  ...each(['match', 'extract', 'extractGroups', 'regexpExtract', 'replaceRegexpOne'], (expr, args, weights) =>
    matching(expr, args, weights, 0, 1, false),
  ),
  ...each(['countMatches', 'countMatchesCaseInsensitive', 'extractAll', 'replaceRegexpAll'], (expr, args, weights) =>
    matching(expr, args, weights, 0, 1, true),
  ),
  splitByRegexp: (expr, args, weights) => matching(expr, args, weights, 1, 0, true),
  ...each(
    [
      'position',
      'positionUTF8',
      'countSubstrings',
      'replaceAll',
      'replaceOne',
      'multiSearchAny',
      'multiSearchFirstIndex',
    ],
    searchRule(false),
  ),
  ...each(
    [
      'positionCaseInsensitive',
      'positionCaseInsensitiveUTF8',
      'countSubstringsCaseInsensitive',
      'multiSearchAnyCaseInsensitive',
    ],
    searchRule(true),
  ),
  ...each(['like', 'notLike'], likeRule(false)),
  ...each(['ilike', 'notILike'], likeRule(true)),
  ...each(['hasAny', 'hasAll', 'hasSubstr'], comparing),
  ...each(['editDistance', 'editDistanceUTF8', 'jaroSimilarity', 'jaroWinklerSimilarity'], () => ({
    nanoseconds: 250 * 250 * 4,
  })),
  ngrams: pieces,
  ...each(['formatDateTime', 'parseDateTimeOrNull'], formatting),
  ...each(['JSON_VALUE', 'JSON_QUERY', 'JSON_EXISTS'], pathSearch),
};

function each(names: readonly string[], rule: Rule): Record<string, Rule> {
  return Object.fromEntries(names.map((name) => [name, rule]));
}

// How dear a step of a pattern is for each byte; RE2 knows short patterns by heart.
const stepNanoseconds = 25;
const easySteps = 60;
const easyNanoseconds = 20;
const matchNanoseconds = 90;
const rescanNanoseconds = 2;
const usualUnevenText = 1_000;

function matching(
  expr: ResolvedCall,
  args: readonly Estimate[],
  weights: Weights,
  textAt: number,
  patternAt: number,
  all: boolean,
): Steep {
  const { bytes, made } = args[textAt] ?? unknown;
  const pattern = args[patternAt]?.text;
  const { steps, even } =
    pattern === undefined ? { steps: computedPatternMax, even: false } : weights.of(pattern, expr);
  const computed = pattern === undefined && expr.args[patternAt]?.local === true;
  if (pattern === undefined && !computed && (args[patternAt]?.bytes ?? 0) > computedPatternMax)
    throw new SpanError(
      'wrong_arguments',
      boundedMessage.computedPattern(`${expr.name}()`),
      expr.args[patternAt] ?? expr,
    );
  if (steps > patternStepsMax)
    throw new SpanError(
      'wrong_arguments',
      `The pattern of ${expr.name}() has more than ${patternStepsMax} steps; use smaller repetitions, such as {10} instead of {1000}`,
      expr.args[patternAt] ?? expr,
    );
  const perByte = steps > easySteps ? steps * stepNanoseconds : all ? matchNanoseconds : easyNanoseconds;
  const uneven = all && !even;
  const length = uneven ? Math.min(made ? bytes : Math.max(bytes, usualUnevenText), unevenTextMax) : bytes;
  const nanoseconds = length * perByte + (uneven ? length * length * rescanNanoseconds : 0);
  const isBrief = args[textAt]?.text !== undefined && bytes <= unevenTextMax;
  if (!computed && (!uneven || isBrief)) return { nanoseconds };
  return {
    nanoseconds,
    guarded: naming(
      expr.args,
      (given) => ({ ...expr, args: given.map((arg, index) => guardedMatch(arg, index)) }),
      expr,
    ),
  };

  function guardedMatch(arg: Resolved, index: number): Resolved {
    if (index === textAt && uneven) return within(arg, lengthOf(arg), unevenTextMax, boundedMessage.uneven(expr.name));
    if (index === patternAt && computed)
      return within(arg, patternSize(arg), computedPatternMax, boundedMessage.computedPattern(expr.name));
    return arg;
  }
}

// A count in braces makes a short pattern long.
function patternSize(pattern: Resolved): Resolved {
  const braces = call(
    'multiply',
    [
      call('position', [pattern, fixed('{', pattern)], plain('integer'), pattern),
      constant(1_000, plain('integer'), pattern),
    ],
    plain('integer'),
    pattern,
  );
  return call('plus', [lengthOf(pattern), braces], plain('float', pattern.type.nullable), pattern);
}

// A value that a call makes may be larger than its estimate: a guard is left out only where the query itself writes the value.
function isWritten(expr: Resolved | undefined): boolean {
  return expr?.kind === 'constant' || (expr?.kind === 'call' && expr.name === 'array');
}

const pairNanoseconds = 12;

function comparing(expr: ResolvedCall, args: readonly Estimate[]): Steep {
  const [one = unknown, other = unknown] = args;
  const pairs = one.items * other.items;
  const nanoseconds = Math.min(pairs, pairsMax) * pairNanoseconds;
  if ([one, other].some((list, index) => isWritten(expr.args[index]) && list.items <= shortListMax))
    return { nanoseconds: pairs * pairNanoseconds };
  const guard = ([first, second, ...rest]: readonly Resolved[]): Resolved =>
    first && second
      ? {
          ...expr,
          args: [
            within(first, product(lengthOf(first), lengthOf(second)), pairsMax, boundedMessage.pairs(expr.name)),
            second,
            ...rest,
          ],
        }
      : expr;
  return { nanoseconds, guarded: naming(expr.args, guard, expr) };
}

function pieces(expr: ResolvedCall, args: readonly Estimate[]): Steep {
  const [text = unknown, length] = args;
  if (expr.args[1]?.kind !== 'constant' || length?.most === undefined || length.most > pieceMax)
    throw new SpanError(
      'wrong_arguments',
      `The length of the pieces of ngrams() must be a plain number from 1 to ${pieceMax}`,
      expr.args[1] ?? expr,
    );
  return { nanoseconds: text.bytes * (length.most + 10) };
}

// Each item of a list is looked for from the list's beginning.
function pathSearch(expr: ResolvedCall, args: readonly Estimate[]): Steep {
  const [json = unknown, path = unknown] = args;
  if (path.text !== undefined) spend(path.text.length * costOf.letter, expr);
  if (path.text !== undefined && !/[*]| to |,/.test(path.text)) return { nanoseconds: json.bytes * easyNanoseconds };
  const length = Math.min(json.bytes, jsonPathTextMax);
  const guard = ([text, ...rest]: readonly Resolved[]): Resolved =>
    text
      ? { ...expr, args: [within(text, lengthOf(text), jsonPathTextMax, boundedMessage.jsonPath(expr.name)), ...rest] }
      : expr;
  return { nanoseconds: length * length + length * easyNanoseconds, guarded: naming(expr.args, guard, expr) };
}

// The engine takes no format that depends on the row.
function formatting(expr: ResolvedCall, [time = unknown, format = unknown]: readonly Estimate[]): Steep {
  const nanoseconds = 500 * (time.bytes + Math.min(format.bytes, formatMax));
  if (format.bytes > formatMax)
    throw new SpanError('wrong_arguments', boundedMessage.format(`${expr.name}()`), expr.args[1] ?? expr);
  return { nanoseconds };
}
