import { checkParameters, takesParameters } from './aggregate-parameters.ts';
import { combinedType, takesOther, type Combinator } from './combinators.ts';
import { type FoundFunction } from './find-function.ts';
import { mismatch, toCondition, toMicroseconds } from '../operators/conversions.ts';
import { extremeKey, sortsBySize } from '../operators/property-order.ts';
import { SpanError } from '../query-error.ts';
import { call, constant, type Resolved } from '../resolved.ts';
import type { Call } from '../tree/expressions.ts';
import { describeType, isNumeric, isTime, nullable, plain } from '../types.ts';
import { convertArgument, type ArgumentKind } from '../operators/convert-argument.ts';
import { readByType } from '../operators/learned-types.ts';
import { argumentKinds, resultType, argumentCountError } from './scalar-calls.ts';

/** A call of an aggregate function, with its combinators, parameters and DISTINCT. */
export function aggregateCall(
  found: FoundFunction & { kind: 'aggregate' },
  args: readonly Resolved[],
  params: readonly Resolved[],
  node: Call,
): Resolved {
  const nested = args.find((arg) => arg.aggregate);
  if (nested) throw new SpanError('illegal_aggregate', 'An aggregate function cannot be nested in another', nested);
  const { signature, combinators } = found;
  const checked = checkParameters(signature.clickhouse, params, node);
  // A state has them already.
  const added = combinators
    .slice(combinators.indexOf('Merge') + 1)
    .filter((combinator) => addsArgument.has(combinator));
  const plainArgs = args.slice(0, Math.max(0, args.length - added.length));
  if (args.length < added.length)
    throw argumentCountError(node, signature.required + added.length, signature.args.length + added.length);
  const behind = args
    .slice(plainArgs.length)
    .map((arg, index) => combinatorArgument(added[index] as Combinator, arg, node));
  const other = takesOther(combinators);
  const lists = combinators.includes('Array') || combinators.includes('ForEach');
  if (
    plainArgs.length > signature.args.length &&
    !signature.repeats &&
    params.length === 0 &&
    takesParameters(signature.clickhouse) &&
    signature.args.length === 1
  )
    throw new SpanError(
      'wrong_arguments',
      `${node.name}() takes 1 argument; write its parameters in brackets before the argument, as in quantile(0.95)(x)`,
      node,
    );
  const converted = other
    ? plainArgs.map((arg) => (lists && arg.type.property ? convertArgument(arg, 'array') : arg))
    : convertAll(found, plainArgs, added.length, node);
  if (combinators.includes('Merge')) checkState(converted, node);
  if (node.distinct && converted.length === 0)
    throw new SpanError('wrong_arguments', `${node.name}(DISTINCT …) needs an argument`, node);
  const all = [...converted, ...behind];
  const extreme = extremeOf(found, all, node);
  if (extreme) return extreme;
  const result = resultType(signature, other ? converted.map(itemOf) : converted);
  const type = combinedType(
    combinators,
    behind.some((arg, index) => added[index] !== 'If' && arg.type.nullable) ? nullable(result) : result,
    converted[0]?.type,
  );
  return call(signature.clickhouse + respecting(signature.clickhouse, node) + combinators.join(''), all, type, node, {
    params: checked,
    distinct: node.distinct === true,
    aggregate: true,
  });
}

const addsArgument: ReadonlySet<Combinator> = new Set(['If', 'ArgMin', 'ArgMax']);

// Arguments of a combinator after those of the plain function: a condition, or the value that is least or greatest in
// the rows that count.
function combinatorArgument(combinator: Combinator, arg: Resolved, node: Call): Resolved {
  if (combinator === 'If') return asFlag(toCondition(arg));
  const key = readByType(convertArgument(arg, 'any'));
  return sortsBySize(key) ? extremeKey(key, combinator === 'ArgMin' ? 'least' : 'greatest', node) : key;
}

const extremes: Readonly<Record<string, { name: string; which: 'least' | 'greatest'; by: 0 | 1 }>> = {
  min: { name: 'argMin', which: 'least', by: 0 },
  max: { name: 'argMax', which: 'greatest', by: 0 },
  argMin: { name: 'argMin', which: 'least', by: 1 },
  argMax: { name: 'argMax', which: 'greatest', by: 1 },
};

// The least and the greatest of properties: numbers by their size.
function extremeOf(
  { signature, combinators }: FoundFunction & { kind: 'aggregate' },
  args: readonly Resolved[],
  node: Call,
): Resolved | undefined {
  const extreme = Object.hasOwn(extremes, signature.clickhouse) ? extremes[signature.clickhouse] : undefined;
  const by = extreme && args[extreme.by];
  const [value, ...rest] = args;
  if (
    !extreme ||
    !by ||
    !value ||
    !sortsBySize(by) ||
    combinators.some((combinator) => !/^(?:If|OrNull|OrDefault)$/.test(combinator))
  )
    return undefined;
  const others = extreme.by === 0 ? rest : rest.slice(1);
  const type = combinedType(combinators, resultType(signature, [value]), value.type);
  return call(
    extreme.name + combinators.join(''),
    [value, extremeKey(by, extreme.which, node), ...others],
    type,
    node,
    { aggregate: true },
  );
}

// Every aggregate ignores NULL.
function respecting(name: string, node: Call): string {
  if (node.nulls !== 'RESPECT') return '';
  if (name === 'any' || name === 'anyLast') return '_respect_nulls';
  throw new SpanError(
    'not_supported',
    `${node.name}() always skips NULL; only any, anyLast, first_value, last_value and groupArray take RESPECT NULLS`,
    node,
  );
}

function checkState(args: readonly Resolved[], node: Call): void {
  const [state] = args;
  if (!state || args.length > 1)
    throw new SpanError('wrong_arguments', `${node.name}() takes one argument, the result of its -State form`, node);
  if (state.type.kind !== 'state' && state.type.kind !== 'unknown')
    throw mismatch(`Expected the state of an aggregate, found ${describeType(state.type)}`, state);
}

// The -If forms take a flag, where other conditions also take numbers.
function asFlag(condition: Resolved): Resolved {
  if (!isNumeric(condition.type)) return condition;
  return call(
    'notEquals',
    [condition, constant(0, plain('integer'), condition)],
    plain('boolean', condition.type.nullable),
    condition,
  );
}

// Replaces times of microseconds for functions that take none: by times of whole seconds, or numbers.
const asSeconds = (time: Resolved): Resolved => call('toDateTime', [time], time.type, time);
const asNumber = (time: Resolved): Resolved =>
  call('toUnixTimestamp64Micro', [toMicroseconds(time, time)], plain('integer', time.type.nullable), time);
const momentsAs: Readonly<Record<string, (time: Resolved) => Resolved>> = {
  windowFunnel: asSeconds,
  sequenceMatch: asSeconds,
  sequenceCount: asSeconds,
  sparkbar: asSeconds,
  deltaSumTimestamp: asNumber,
  exponentialMovingAverage: (time) =>
    call('toFloat64', [toMicroseconds(time, time)], plain('float', time.type.nullable), time),
  maxIntersections: asNumber,
  maxIntersectionsPosition: (time) => call('toUnixTimestamp', [time], plain('integer', time.type.nullable), time),
};

function itemOf(array: Resolved): Resolved {
  return { ...array, type: array.type.item ?? plain('unknown', true) };
}

// A property that is counted only has to be there; a sum of booleans counts.
function readsByType(
  { signature, combinators }: FoundFunction & { kind: 'aggregate' },
  kind: ArgumentKind,
  { type }: Resolved,
  node: Call,
): boolean {
  if (kind === 'number') return type.learned === 'Boolean' && !type.asText;
  const isDistinct = node.distinct === true || combinators.includes('Distinct');
  return kind === 'any' && (signature.clickhouse !== 'count' || isDistinct);
}

function convertAll(
  found: FoundFunction & { kind: 'aggregate' },
  args: readonly Resolved[],
  added: number,
  node: Call,
): Resolved[] {
  const kinds = argumentKinds(found.signature, args.length, node, added);
  const converted = args.map((arg, index) => {
    const kind = kinds[index] ?? 'any';
    return convertArgument(readsByType(found, kind, arg, node) ? readByType(arg) : arg, kind);
  });
  const { name } = found.signature;
  const momentAs = Object.hasOwn(momentsAs, name) ? momentsAs[name] : undefined;
  return momentAs ? converted.map((arg) => (isTime(arg.type) ? momentAs(arg) : arg)) : converted;
}
