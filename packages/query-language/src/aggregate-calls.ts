import { checkParameters } from './aggregate-parameters.ts';
import { combinedType, takesOther } from './combinators.ts';
import { argumentKinds, convertArgument, resultType, wrongCount, type FoundFunction } from './resolve-call.ts';
import { mismatch, toCondition } from './conversions.ts';
import { QueryFault } from './query-error.ts';
import { call, constant, type Resolved } from './resolved.ts';
import type { Call } from './tree.ts';
import { describeType, isNumeric, isTime, plain } from './types.ts';

/** A call of an aggregate function, with its combinators, parameters and DISTINCT. */
export function aggregateCall(found: FoundFunction & { kind: 'aggregate' }, args: readonly Resolved[], params: readonly Resolved[], node: Call): Resolved {
  const nested = args.find((arg) => arg.aggregate);
  if (nested) throw new QueryFault('illegal_aggregate', 'An aggregate function cannot stand inside another', nested);
  const { signature, combinators } = found;
  const checked = checkParameters(signature.clickhouse, params, node);
  const conditional = combinators.includes('If');
  const plainArgs = conditional ? args.slice(0, -1) : [...args];
  const condition = conditional ? args[args.length - 1] : undefined;
  if (conditional && !condition) throw wrongCount(node, signature.required + 1, signature.args.length + 1);
  const other = takesOther(combinators);
  const converted = other ? plainArgs : convertAll(found, plainArgs, node);
  if (combinators.includes('Merge')) checkState(converted, node);
  if (node.distinct && converted.length === 0) throw new QueryFault('wrong_arguments', `${node.name}(DISTINCT …) needs an argument`, node);
  const all = condition ? [...converted, asFlag(toCondition(condition))] : converted;
  const type = combinedType(combinators, resultType(signature, other ? converted.map(itemOf) : converted), converted[0]?.type);
  return call(signature.clickhouse + combinators.join(''), all, type, node, { params: checked, distinct: node.distinct === true, aggregate: true });
}

function checkState(args: readonly Resolved[], node: Call): void {
  const [state] = args;
  if (!state || args.length > 1) throw new QueryFault('wrong_arguments', `${node.name}() takes one argument, what the -State form gave`, node);
  if (state.type.kind !== 'state' && state.type.kind !== 'unknown') throw mismatch(`Expected the state of an aggregate, found ${describeType(state.type)}`, state);
}

// The -If forms take a flag, where other conditions also take numbers.
function asFlag(condition: Resolved): Resolved {
  if (!isNumeric(condition.type)) return condition;
  return call('notEquals', [condition, constant(0, plain('integer'), condition)], plain('boolean', condition.type.nullable), condition);
}

const wholeSeconds: ReadonlySet<string> = new Set(['windowFunnel', 'sequenceMatch', 'sequenceCount']);

function itemOf(array: Resolved): Resolved {
  return { ...array, type: array.type.item ?? plain('unknown', true) };
}

function convertAll(found: FoundFunction & { kind: 'aggregate' }, args: readonly Resolved[], node: Call): Resolved[] {
  const kinds = argumentKinds(found.signature, args.length, node);
  const converted = args.map((arg, index) => convertArgument(arg, kinds[index] ?? 'any'));
  const [time, ...steps] = converted;
  // The engine's funnels and sequences know whole seconds only.
  return wholeSeconds.has(found.signature.name) && time && isTime(time.type) ? [call('toDateTime', [time], time.type, time), ...steps] : converted;
}
