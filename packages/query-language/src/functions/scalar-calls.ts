import { itemOf, lambdaOf } from '../operators/array-items.ts';
import { convertArgument, type ArgumentKind } from '../operators/convert-argument.ts';
import { align, alignBranches, toInstant } from '../operators/conversions.ts';
import { warnOfPlaceZero } from '../operators/doubts.ts';
import { zoneText } from '../operators/named-zones.ts';
import { alignLists, propertyAgain, textItems } from '../operators/learned-lists.ts';
import { calculable } from '../operators/learned-types.ts';
import { searchList } from '../operators/list-searches.ts';
import { overLists, overListOrText } from '../operators/property-lists.ts';
import { SpanError } from '../query-error.ts';
import { call, constant, fixed, type Resolved } from '../resolved.ts';
import type { Call } from '../tree/expressions.ts';
import { inZone, zoneNamed } from '../time-zone.ts';
import {
  commonType,
  digitsOf,
  digitsOfDateTime,
  isComposite,
  isTime,
  nullable,
  plain,
  timeType,
  type ValueKind,
  type ValueType,
} from '../types.ts';
import { argumentCounts, type FunctionSignature } from './function-signature.ts';
import { refuseJsonObject } from './map-arguments.ts';
import { timePattern, warnOfFormat } from './patterns.ts';
import { typeOfParts } from './part-types.ts';

/** The kinds that the arguments are taken as, beside as many as combinators have `added`. Throws `wrong_arguments` when their number does not fit. */
export function argumentKinds(signature: FunctionSignature, count: number, node: Call, added = 0): ArgumentKind[] {
  const { least, most } = argumentCounts(signature);
  if (count < least || count > most) throw argumentCountError(node, least + added, most + added);
  const kinds = signature.args.slice(0, count);
  while (kinds.length < count) kinds.push(signature.args.at(-1) ?? 'any');
  return kinds;
}

/** The arguments of functions that other databases have with fewer, in the order that they have here. */
const usages: Readonly<Record<string, string>> = {
  datediff: "dateDiff('day', first, last)",
  age: "age('day', first, last)",
};

/** The error for a wrong number of arguments. */
export function argumentCountError(node: Call, least: number, most: number): SpanError {
  const expected = most === Infinity ? `at least ${least}` : least === most ? String(least) : `${least} to ${most}`;
  const usage = usages[node.name.toLowerCase()];
  return new SpanError(
    'wrong_arguments',
    `${node.name}() takes ${expected} argument${expected === '1' ? '' : 's'}, found ${node.args.length}${usage === undefined ? '' : `: ${usage}`}`,
    node,
  );
}

const joined = /^(?:array(?:Concat|Intersect|Union|PushBack|PushFront|Resize|ShiftLeft|ShiftRight)|hasSubstr)$/;

const searches = new Set(['has', 'indexOf', 'countEqual', 'hasAny', 'hasAll']);

// The engine writes times of other composite values with a Z, and these with no zone at all.
function itemsInZone(list: Resolved): Resolved {
  if (list.type.item === undefined) return list;
  const item = itemOf(list.type.item, list);
  const body = inZone(item);
  return body === item ? list : call('arrayMap', [lambdaOf(item, body), list], { ...list.type, item: body.type }, list);
}

/** They are false of what is no list, as comparisons are; `arrayJoin` makes no row of it. */
const withoutNullOfOthers = new Set(['has', 'hasAny', 'hasAll', 'hasSubstr', 'arrayExists', 'arrayJoin', 'unnest']);

/** Functions of the number of items of a JSON list, with the value that each makes of that number. */
const ofListSizes: Readonly<Record<string, (size: Resolved, node: Call) => Resolved>> = {
  length: (size) => size,
  empty: (size, node) => call('equals', [size, constant(0, plain('integer'), node)], plain('boolean', true), node),
  notEmpty: (size, node) => call('greater', [size, constant(0, plain('integer'), node)], plain('boolean', true), node),
};

/** A call of a function of single rows whose arguments are resolved. */
export function scalarCall(signature: FunctionSignature, args: readonly Resolved[], node: Call): Resolved {
  const kinds = argumentKinds(signature, args.length, node);
  const of = (given: readonly Resolved[]): Resolved => plainCall(signature, kinds, given, node);
  const ofSize = Object.hasOwn(ofListSizes, signature.name) ? ofListSizes[signature.name] : undefined;
  if (ofSize !== undefined && args[0] !== undefined)
    return overListOrText(
      args[0],
      (text) => of([text]),
      (text) => ofSize(itemCount(text, node), node),
      node,
    );
  const lists = withoutNullOfOthers.has(signature.name)
    ? []
    : kinds.flatMap((kind, at) => (kind === 'array' ? at : []));
  const given = args.map((arg, at) => (kinds[at] === 'array' ? propertyAgain(arg) : arg));
  return overLists(given, lists, of, node);
}

const itemCount = (text: Resolved, node: Call): Resolved =>
  call('JSONLength', [text], plain('integer', text.type.nullable), node);

function plainCall(
  signature: FunctionSignature,
  kinds: readonly ArgumentKind[],
  args: readonly Resolved[],
  node: Call,
): Resolved {
  checkArguments(signature, args, node);
  refuseJsonObject(signature, args, node);
  const place = needsInstants(signature, kinds) ? toInstant : inZone;
  let converted = args.map((arg, index) => {
    const value = convertArgument(kinds[index] === 'number' ? calculable(arg) : arg, kinds[index] ?? 'any');
    return kinds[index] === 'time' && signature.clickhouse !== 'toTimeZone' ? place(value) : value;
  });
  const called = (...given: Resolved[]): Resolved =>
    call(signature.clickhouse, given, resultType(signature, given), node);
  if (signature.name === 'arrayStringConcat') converted = converted.map(itemsInZone);
  if (joined.test(signature.name)) {
    const values = converted.filter((_, at) => kinds[at] === 'any');
    converted = alignLists(converted, align, values);
  }
  if (signature.name.startsWith('multiSearch')) converted = converted.map(textItems);
  if (searches.has(signature.name)) return searchList(converted as [Resolved, Resolved], called, node);
  if (kinds.includes('same')) converted = alignBranches(converted).exprs;
  if (signature.result.rule === 'array') converted = converted.map((arg, at) => withoutNull(arg, kinds[at]));
  const type = resultType(signature, converted);
  if (isComposite(type) || signature.clickhouse === 'arrayWithConstant')
    converted = converted.map((arg, index) =>
      kinds[index] === 'integer' && arg.type.nullable
        ? call('ifNull', [arg, constant(0, plain('integer'), arg)], plain('integer'), arg)
        : arg,
    );
  return call(signature.clickhouse, converted, type, node);
}

// The format of to_char() was translated.
function checkArguments({ clickhouse, args: kinds }: FunctionSignature, args: readonly Resolved[], node: Call): void {
  // The last text beside a time is a zone.
  const zone = kinds.includes('time') ? args[kinds.lastIndexOf('text')] : undefined;
  if (zone) zoneText(zone);
  if (clickhouse === 'arrayElement' || clickhouse === 'arrayElementOrNull') warnOfPlaceZero(args[1], args[1] ?? node);
  if (clickhouse === 'format') warnOfFormat(args[0]);
  if (clickhouse === 'formatDateTime' && args[1] && /format/i.test(node.name)) timePattern(args[1]);
}

const ofInstants = /^(?:toUnixTimestamp(?:64(?:Milli|Micro))?|dateDiff|age|toRelative(?:Hour|Minute|Second)Num)$/;

// Beside a zone that is named, a date is a day of that one: the engine reads it so.
function needsInstants({ clickhouse, result }: FunctionSignature, kinds: readonly ArgumentKind[]): boolean {
  if (kinds.includes('text')) return false;
  return ofInstants.test(clickhouse) || (result.rule === 'kind' && result.kind === 'datetime');
}

// An array cannot be NULL: of a missing text it is that of the empty one.
function withoutNull(arg: Resolved, kind: ArgumentKind | undefined): Resolved {
  if (arg.type.kind === 'null' && kind === 'text') return fixed('', arg);
  if (arg.type.kind !== 'text' || !arg.type.nullable) return arg;
  return call('ifNull', [arg, fixed('', arg)], { ...arg.type, nullable: false }, arg);
}

/** The type of a function's result. */
export function resultType(signature: FunctionSignature, args: readonly Resolved[]): ValueType {
  const values = args.filter((arg) => arg.type.kind !== 'lambda');
  const base = baseType(signature, args, values);
  if (signature.nullable === 'never') return { ...base, nullable: false };
  if (signature.nullable === 'always') return nullable(base);
  if (signature.name === 'coalesce' || signature.name === 'ifNull')
    return { ...base, nullable: values.every((arg) => arg.type.nullable) };
  return values.some((arg) => arg.type.nullable) ? nullable(base) : base;
}

const isHash = /^(?:\w+Hash64|murmurHash3_64|halfMD5)$/;

function baseType(signature: FunctionSignature, args: readonly Resolved[], values: readonly Resolved[]): ValueType {
  const { result } = signature;
  const ofParts = typeOfParts(signature.clickhouse, args);
  if (ofParts) return ofParts;
  if (result.rule === 'kind') return kindOf(signature, result.kind, args);
  if (result.rule === 'argument') return countable(signature.name, args[result.index]?.type ?? plain('unknown', true));
  if (result.rule === 'same') return alignBranches(values).type;
  if (result.rule === 'item') return values[0]?.type.item ?? plain('unknown', true);
  if (result.rule === 'array') return { kind: 'array', nullable: false, item: plain(result.kind) };
  if (result.rule === 'array-of-lambda') return { kind: 'array', nullable: false, item: lambdaResult(args[0]) };
  // Aggregates that collect leave NULL out.
  return {
    kind: 'array',
    nullable: false,
    item: { ...commonType(values.slice(0, 1).map((arg) => arg.type)), nullable: false },
  };
}

const ofWholeSeconds = /^(?:toStartOf(?:\w*Minutes?|Hour|Day)|timeSlot)$/;

// A time is in the zone of the time that it was made of, or in one that is named.
function kindOf({ clickhouse, args: kinds }: FunctionSignature, kind: ValueKind, args: readonly Resolved[]): ValueType {
  if (isHash.test(clickhouse)) return { ...plain(kind), hash: true };
  if (kind !== 'datetime') return plain(kind);
  const named = args.find((_, at) => kinds[at] === 'text');
  const made = args.find(({ type }) => isTime(type))?.type ?? plain('datetime');
  return timeType(
    false,
    named ? zoneNamed(named) : made.zone,
    ofWholeSeconds.test(clickhouse) ? digitsOfDateTime : digitsOf(made),
  );
}

// A sum of conditions counts.
function countable(name: string, type: ValueType): ValueType {
  return name === 'sum' && type.kind === 'boolean' ? { ...type, kind: 'integer' } : type;
}

function lambdaResult(arg: Resolved | undefined): ValueType {
  return arg?.kind === 'lambda' ? arg.body.type : plain('unknown', true);
}
