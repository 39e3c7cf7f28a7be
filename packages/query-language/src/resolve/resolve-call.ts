import { spelledAggregates } from '../functions/aggregate-spellings.ts';
import { combinatorsMax, cutCombinator, type Combinator } from '../functions/combinators.ts';
import { alignBranches, castTo, mismatch, safeCast, toCondition, toNumber, toText, toTime } from './conversions.ts';
import { foreignNames, notHere } from '../functions/foreign-names.ts';
import type { ArgumentKind, FunctionSignature } from '../functions/function-signature.ts';
import { aggregateFunctions, scalarFunctions, specialFunctionNames, windowFunctions } from '../functions/function-table.ts';
import { searchList } from '../functions/list-searches.ts';
import { nearestName } from '../nearest-name.ts';
import { isProperty } from './property-order.ts';
import { QueryFault } from '../query-error.ts';
import { call, constant, fixed, isOpenPlaceholder, type Resolved } from '../resolved.ts';
import type { Call } from '../tree.ts';
import { commonType, describeType, isComposite, isNumeric, nullable, plain, propertyItem, propertyType, type ValueType } from '../types.ts';

/** A function as found in the allow-list. */
export type FoundFunction = { kind: 'scalar'; signature: FunctionSignature } | { kind: 'aggregate'; signature: FunctionSignature; combinators: Combinator[] } | { kind: 'special'; name: string };

const byLowerCase = new Map<string, string>([...specialFunctionNames, ...scalarFunctions.keys(), ...aggregateFunctions.keys()].map((name) => [name.toLowerCase(), name]));

/** Looks a function up by its name in any case. Throws `unknown_function` with the nearest name. */
export function findFunction(node: Call): FoundFunction {
  const found = lookUp(node.name);
  if (!found && windowFunctions.has(node.name.toLowerCase())) throw new QueryFault('wrong_arguments', `${node.name}() needs a window: ${node.name}(…) OVER (…)`, node);
  if (!found && Object.hasOwn(notHere, node.name.toLowerCase())) throw new QueryFault('unknown_function', `There is no ${node.name}() here: ${notHere[node.name.toLowerCase()]}`, node);
  if (!found) throw new QueryFault('unknown_function', `Unknown function "${node.name}"`, node, foreignName(node.name) ?? nearestName(node.name, [...byLowerCase.values(), ...spelledAggregates]));
  return found;
}

function foreignName(written: string): string | undefined {
  const name = written.toLowerCase();
  return Object.hasOwn(foreignNames, name) ? foreignNames[name] : undefined;
}

function lookUp(written: string): FoundFunction | undefined {
  // `_toUInt64(x)`: what PostHog prints of its own conversions has a line before it.
  const name = byLowerCase.get(written.toLowerCase().replace(/^_(?=to)/, ''));
  if (name === undefined) return lookUpCombined(written);
  const scalar = scalarFunctions.get(name);
  if (scalar) return { kind: 'scalar', signature: scalar };
  const aggregate = aggregateFunctions.get(name);
  return aggregate ? { kind: 'aggregate', signature: aggregate, combinators: [] } : { kind: 'special', name };
}

function lookUpCombined(written: string): FoundFunction | undefined {
  const combinators: Combinator[] = [];
  let base = written;
  for (let cut = cutCombinator(base); cut && combinators.length < combinatorsMax; cut = cutCombinator(base)) {
    combinators.unshift(cut.combinator);
    base = cut.rest;
    const signature = aggregateFunctions.get(byLowerCase.get(base.toLowerCase()) ?? '');
    if (signature && new Set(combinators).size === combinators.length) return { kind: 'aggregate', signature, combinators };
  }
  return undefined;
}

/** The kinds that the arguments are taken as, beside as many as combinators have `added`. Throws `wrong_arguments` when their number does not fit. */
export function argumentKinds(signature: FunctionSignature, count: number, node: Call, added = 0): ArgumentKind[] {
  const most = signature.repeats ? Infinity : signature.args.length;
  const least = signature.required + (signature.repeats && signature.args.length === 1 && signature.name === 'coalesce' ? 1 : 0);
  if (count < least || count > most) throw wrongCount(node, least + added, most + added);
  const last = signature.args[signature.args.length - 1] ?? 'any';
  return Array.from({ length: count }, (_, index) => signature.args[index] ?? last);
}

/** The fault for a wrong number of arguments. */
export function wrongCount(node: Call, least: number, most: number): QueryFault {
  const expected = most === Infinity ? `at least ${least}` : least === most ? String(least) : `${least} to ${most}`;
  return new QueryFault('wrong_arguments', `${node.name}() takes ${expected} argument${expected === '1' ? '' : 's'}, found ${node.args.length}`, node);
}

/** Brings an argument to what the function takes. */
export function convertArgument(arg: Resolved, kind: ArgumentKind): Resolved {
  if (typeof kind !== 'string') return oneOf(arg, kind);
  if (kind === 'text') return arg.type.kind === 'unknown' ? arg : toText(arg);
  if (kind === 'beginning' || kind === 'beginningUTF8') return beginning(kind === 'beginning' ? 'substring' : 'substringUTF8', toText(arg));
  if (kind === 'integer' && (isProperty(arg) || isFraction(arg))) return safeCast(arg, 'integer', 'Int64', arg);
  if (kind === 'weight' && arg.kind !== 'constant') return safeCast(toNumber(arg), 'integer', 'UInt64', arg);
  if (kind === 'number' || kind === 'integer' || kind === 'weight') return toNumber(arg);
  if (kind === 'time') return toTime(arg);
  if (kind === 'moment') return isNumeric(arg.type) ? arg : toTime(arg);
  if (kind === 'condition') return toCondition(arg);
  const { kind: found } = arg.type;
  if (kind === 'array' && arg.type.property && !isOpenPlaceholder(arg) && arg.kind !== 'constant') return listOf(arg);
  if (kind === 'array' && isOpenPlaceholder(arg)) return { ...arg, type: { kind: 'array', nullable: false, item: propertyType } };
  if (kind === 'array' && found !== 'array' && found !== 'unknown') throw mismatch(`Expected an array, found ${describeType(arg.type)}${found === 'text' ? "; JSON text is read with JSONExtract(…, 'Array(String)')" : ''}`, arg);
  if (kind === 'interval' && found !== 'interval') throw mismatch('Expected an interval such as INTERVAL 1 DAY', arg);
  if (kind === 'lambda' && found !== 'lambda') throw mismatch('Expected a lambda such as x -> x + 1', arg);
  if (found === 'lambda' && kind !== 'lambda') throw mismatch('A lambda is not expected here', arg);
  return arg;
}

// A property that is a list: its items are properties too.
function listOf(arg: Resolved): Resolved {
  const { type, ...list } = castTo(arg, 'array(string)', arg);
  return { ...list, type: { ...type, item: propertyItem } };
}

const searches = new Set(['has', 'indexOf', 'countEqual', 'hasAny', 'hasAll']);

// The engine takes the product of both lengths, and looks at no time limit within a block: two texts of 60 KB are seconds of a row.
function beginning(cut: string, text: Resolved): Resolved {
  return call(cut, [text, constant(1, plain('integer'), text), constant(beginningMax, plain('integer'), text)], text.type, text);
}

const beginningMax = 250;

function oneOf(arg: Resolved, words: readonly string[]): Resolved {
  const word = arg.kind === 'constant' && typeof arg.value === 'string' ? arg.value.toLowerCase() : undefined;
  const found = words.find((candidate) => candidate === word || `${candidate}s` === word);
  if (found === undefined) throw mismatch(`Expected one of ${words.map((candidate) => `'${candidate}'`).join(', ')}`, arg);
  return fixed(found, arg);
}

/** A call of a function of single rows whose arguments are resolved. */
export function scalarCall(signature: FunctionSignature, args: readonly Resolved[], node: Call): Resolved {
  const kinds = argumentKinds(signature, args.length, node);
  let converted = args.map((arg, index) => convertArgument(arg, kinds[index] ?? 'any'));
  const called = (...given: Resolved[]): Resolved => call(signature.clickhouse, given, resultType(signature, given), node);
  if (searches.has(signature.name)) return searchList(converted as [Resolved, Resolved], called, node);
  if (kinds.includes('same')) converted = alignBranches(converted).exprs;
  if (signature.result.rule === 'array') converted = converted.map(withoutNull);
  const type = resultType(signature, converted);
  if (isComposite(type) || signature.clickhouse === 'arrayWithConstant') converted = converted.map((arg, index) => (kinds[index] === 'integer' && arg.type.nullable ? call('ifNull', [arg, constant(0, plain('integer'), arg)], plain('integer'), arg) : arg));
  return call(signature.clickhouse, converted, type, node);
}

function isFraction({ kind, type }: Resolved): boolean {
  return kind !== 'constant' && (type.kind === 'float' || type.kind === 'decimal');
}

// An array cannot be NULL: of a missing text it is that of the empty one.
function withoutNull(arg: Resolved): Resolved {
  if (arg.type.kind !== 'text' || !arg.type.nullable) return arg;
  return call('ifNull', [arg, fixed('', arg)], { ...arg.type, nullable: false }, arg);
}

/** The type of a function's result. */
export function resultType(signature: FunctionSignature, args: readonly Resolved[]): ValueType {
  const values = args.filter((arg) => arg.type.kind !== 'lambda');
  const base = baseType(signature, args, values);
  if (signature.nullable === 'never') return { ...base, nullable: false };
  if (signature.nullable === 'always') return nullable(base);
  if (signature.name === 'coalesce' || signature.name === 'ifNull') return { ...base, nullable: values.every((arg) => arg.type.nullable) };
  return values.some((arg) => arg.type.nullable) ? nullable(base) : base;
}

const isHash = /^(?:\w+Hash64|murmurHash3_64|halfMD5)$/;

function baseType(signature: FunctionSignature, args: readonly Resolved[], values: readonly Resolved[]): ValueType {
  const { result } = signature;
  if (result.rule === 'kind') return isHash.test(signature.clickhouse) ? { ...plain(result.kind), hash: true } : plain(result.kind);
  if (result.rule === 'argument') return countable(signature.name, args[result.index]?.type ?? plain('unknown', true));
  if (result.rule === 'same') return alignBranches(values).type;
  if (result.rule === 'item') return values[0]?.type.item ?? plain('unknown', true);
  if (result.rule === 'array') return { kind: 'array', nullable: false, item: plain(result.kind) };
  if (result.rule === 'array-of-lambda') return { kind: 'array', nullable: false, item: lambdaResult(args[0]) };
  // Aggregates that collect leave NULL out.
  return { kind: 'array', nullable: false, item: { ...commonType(values.slice(0, 1).map((arg) => arg.type)), nullable: false } };
}

// A sum of conditions counts.
function countable(name: string, type: ValueType): ValueType {
  return name === 'sum' && type.kind === 'boolean' ? { ...type, kind: 'integer' } : type;
}

function lambdaResult(arg: Resolved | undefined): ValueType {
  return arg?.kind === 'lambda' ? arg.body.type : plain('unknown', true);
}
