import { QueryFault } from './query-error.ts';
import { convertArgument } from './resolve-call.ts';
import { fixed, type Resolved } from './resolved.ts';
import type { Call } from './tree.ts';

interface Bounds {
  least: number;
  most: number;
}

const optional: Bounds = { least: 0, most: 1 };
const needed: Bounds = { least: 1, most: 1 };
const several: Bounds = { least: 1, most: 50 };

const parametric: ReadonlyMap<string, Bounds> = new Map([
  ...['quantile', 'quantileExact', 'quantileExactLow', 'quantileExactHigh', 'quantileExactInclusive', 'quantileExactExclusive', 'quantileExactWeighted', 'quantileTDigest', 'quantileTiming', 'quantileBFloat16', 'quantileDeterministic', 'quantileInterpolatedWeighted'].map((name): [string, Bounds] => [name, optional]),
  ...['quantiles', 'quantilesExact', 'quantilesTDigest', 'quantilesTiming'].map((name): [string, Bounds] => [name, several]),
  ...['groupArray', 'groupUniqArray', 'groupArrayMovingSum', 'groupArrayMovingAvg', 'uniqCombined', 'uniqCombined64'].map((name): [string, Bounds] => [name, optional]),
  ...['groupArraySorted', 'groupArrayLast', 'uniqUpTo', 'histogram', 'largestTriangleThreeBuckets', 'exponentialMovingAverage', 'sequenceMatch', 'sequenceCount'].map((name): [string, Bounds] => [name, needed]),
  ['topK', { least: 0, most: 2 }],
  ['topKWeighted', { least: 1, most: 2 }],
  ['groupArraySample', { least: 1, most: 2 }],
  ['quantileDD', { least: 1, most: 2 }],
  ['sparkbar', { least: 1, most: 3 }],
  ['groupConcat', { least: 0, most: 2 }],
  ['windowFunnel', { least: 1, most: 4 }],
]);

const strictness = ['strict_order', 'strict_deduplication', 'strict_increase', 'strict_once'];

/** The parameters in brackets before an aggregate's arguments, in words of ours. Throws `wrong_arguments`. */
export function checkParameters(name: string, params: readonly Resolved[], node: Call): Resolved[] {
  const { least, most } = parametric.get(name) ?? { least: 0, most: 0 };
  if (params.length < least || params.length > most) throw new QueryFault('wrong_arguments', `${node.name} takes ${most === 0 ? 'no' : least === most ? least : `${least} to ${most}`} parameter${most === 1 ? '' : 's'} in brackets before its arguments, found ${params.length}`, node);
  return params.map((param, index) => {
    if (name === 'windowFunnel' && index > 0) return convertArgument(param, strictness);
    if (name === 'groupConcat' && index === 0) return delimiter(param);
    if (name === 'sequenceMatch' || name === 'sequenceCount') return pattern(param);
    if (param.kind === 'constant' && typeof param.value === 'number') return param;
    throw new QueryFault('wrong_arguments', 'Parameters of an aggregate function must be plain numbers', param);
  });
}

// Printed as literals, byte by byte where they are not plain: the engine takes no bound value here.
function delimiter(param: Resolved): Resolved {
  if (param.kind === 'constant' && typeof param.value === 'string' && param.value.length <= 100) return fixed(param.value, param);
  throw new QueryFault('wrong_arguments', 'Expected what stands between the texts, at most 100 characters', param);
}

function pattern(param: Resolved): Resolved {
  const text = param.kind === 'constant' && typeof param.value === 'string' ? param.value : '';
  if (text.length <= 500 && /^(?:\(\?(?:[1-9]\d?|t(?:<=?|>=?|==?)\d{1,10})\)|\.\*|\.)+$/.test(text)) return fixed(text, param);
  throw new QueryFault('wrong_arguments', "Expected a pattern of steps such as '(?1)(?t<=3600).*(?2)': (?1) is the first condition, (?t<=3600) the seconds since the step before, .* any events between", param);
}
