import { argumentKinds, convertArgument, resultType, wrongCount, type FoundFunction } from './resolve-call.ts';
import { toCondition } from './conversions.ts';
import { QueryFault } from './query-error.ts';
import { call, constant, type Resolved } from './resolved.ts';
import type { Call } from './tree.ts';
import { isNumeric, plain } from './types.ts';

const parametric: ReadonlyMap<string, { least: number; most: number }> = new Map([
  ['quantile', { least: 0, most: 1 }],
  ['quantileExact', { least: 0, most: 1 }],
  ['quantiles', { least: 1, most: 50 }],
  ['quantilesExact', { least: 1, most: 50 }],
  ['topK', { least: 1, most: 1 }],
  ['groupArray', { least: 0, most: 1 }],
  ['groupUniqArray', { least: 0, most: 1 }],
  ['windowFunnel', { least: 1, most: 4 }],
]);

/** A call of an aggregate function, with -If, -Distinct and -Array, parameters and DISTINCT. */
export function aggregateCall(found: FoundFunction & { kind: 'aggregate' }, args: readonly Resolved[], params: readonly Resolved[], node: Call): Resolved {
  const nested = args.find((arg) => arg.aggregate);
  if (nested) throw new QueryFault('illegal_aggregate', 'An aggregate function cannot stand inside another', nested);
  const { signature, combinators } = found;
  const checked = checkParameters(signature.name, params, node);
  const conditional = combinators.includes('If');
  const plainArgs = conditional ? args.slice(0, -1) : [...args];
  const condition = conditional ? args[args.length - 1] : undefined;
  if (conditional && !condition) throw wrongCount(node, signature.required + 1, signature.args.length + 1);
  const converted = combinators.includes('Array') ? plainArgs : convertAll(found, plainArgs, node);
  if (node.distinct && converted.length === 0) throw new QueryFault('wrong_arguments', `${node.name}(DISTINCT …) needs an argument`, node);
  const all = condition ? [...converted, asFlag(toCondition(condition))] : converted;
  const type = resultType(signature, combinators.includes('Array') ? converted.map(itemOf) : converted);
  return call(signature.clickhouse + combinators.join(''), all, type, node, { params: checked, distinct: node.distinct === true, aggregate: true });
}

// The -If forms take a flag, where other conditions also take numbers.
function asFlag(condition: Resolved): Resolved {
  if (!isNumeric(condition.type)) return condition;
  return call('notEquals', [condition, constant(0, plain('integer'), condition)], plain('boolean', condition.type.nullable), condition);
}

function itemOf(array: Resolved): Resolved {
  return { ...array, type: array.type.item ?? plain('unknown', true) };
}

function convertAll(found: FoundFunction & { kind: 'aggregate' }, args: readonly Resolved[], node: Call): Resolved[] {
  const kinds = argumentKinds(found.signature, args.length, node);
  const converted = args.map((arg, index) => convertArgument(arg, kinds[index] ?? 'any'));
  const [time, ...steps] = converted;
  // The engine's windowFunnel knows whole seconds only.
  return found.signature.name === 'windowFunnel' && time ? [call('toDateTime', [time], time.type, time), ...steps] : converted;
}

// Numbers, and behind the seconds of windowFunnel words that say how strict it is.
function checkParameters(name: string, params: readonly Resolved[], node: Call): Resolved[] {
  const { least, most } = parametric.get(name) ?? { least: 0, most: 0 };
  if (params.length < least || params.length > most) throw new QueryFault('wrong_arguments', `${node.name} takes ${most === 0 ? 'no' : least === most ? least : `${least} to ${most}`} parameters in brackets before its arguments, found ${params.length}`, node);
  return params.map((param, index) => {
    if (name === 'windowFunnel' && index > 0) return convertArgument(param, ['strict_order', 'strict_deduplication', 'strict_increase', 'strict_once']);
    if (param.kind === 'constant' && typeof param.value === 'number') return param;
    throw new QueryFault('wrong_arguments', 'Parameters of an aggregate function must be plain numbers', param);
  });
}
