import { nearestName } from '../nearest-name.ts';
import { SpanError, type Quoting } from '../query-error.ts';
import type { Call } from '../tree/expressions.ts';
import { spelledAggregates } from './aggregate-spellings.ts';
import { combinatorsMax, cutCombinator, type Combinator } from './combinators.ts';
import { foreignNames, notHere } from './foreign/foreign-names.ts';
import type { FunctionSignature } from './function-signature.ts';
import { formatInstead } from './patterns.ts';
import { aggregateFunctions, scalarFunctions, specialFunctionNames, windowFunctions } from './function-table.ts';

/** A function as found in the allow-list. */
export type FoundFunction =
  | { kind: 'scalar'; signature: FunctionSignature }
  | { kind: 'aggregate'; signature: FunctionSignature; combinators: Combinator[] }
  | { kind: 'special'; name: string };

const byLowerCase = new Map<string, string>(
  [...specialFunctionNames, ...scalarFunctions.keys(), ...aggregateFunctions.keys()].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

/** Looks a function up by its name in any case. Throws `unknown_function` with the nearest name. */
export function findFunction(node: Call): FoundFunction {
  const found = lookUp(node.name);
  if (!found && windowFunctions.has(node.name.toLowerCase()))
    throw new SpanError('wrong_arguments', `${node.name}() needs a window: ${node.name}(…) OVER (…)`, node);
  if (!found && Object.hasOwn(notHere, node.name.toLowerCase()))
    throw new SpanError(
      'unknown_function',
      `There is no ${node.name}() here: ${notHere[node.name.toLowerCase()]}`,
      node,
    );
  if (!found)
    throw new SpanError(
      'unknown_function',
      `Unknown function "${node.name}"`,
      node,
      foreignCall(node) ?? nearestName(node.name, [...byLowerCase.values(), ...spelledAggregates]),
    );
  return found;
}

// The name, or the whole call with its arguments in the order that they have here.
function foreignCall(node: Call): string | Quoting | undefined {
  const name = node.name.toLowerCase();
  const [first] = node.args;
  const isText = first?.node === 'Constant' && typeof first.value === 'string';
  const keys = [...(isText ? [`${name}/'`] : []), `${name}/${node.args.length}`, name];
  const key = keys.find((candidate) => Object.hasOwn(foreignNames, candidate));
  const foreign = key === undefined ? undefined : foreignNames[key];
  // `JSON_UNQUOTE(JSON_EXTRACT(…))`: the call inside is a foreign one too.
  const inner = foreign === '$1' && first?.node === 'Call' ? foreignCall(first) : undefined;
  if (first && typeof inner === 'object')
    return { ...inner, saying: (call) => inner.saying(call.slice(first.start - node.start, first.end - node.start)) };
  return foreign?.includes('$') ? rewritten(foreign, node) : foreign;
}

/** A call as `foreignNames` writes it, with the arguments of `node`. */
export function rewritten(foreign: string, node: Call): Quoting {
  const saying = (call: string): string =>
    foreign.replace(/'\$(\d)'|\$(\d|\*)|%(\d)/g, (_, word?: string, place?: string, format?: string) => {
      if (format !== undefined) return formatIn(call, node, Number(format) - 1);
      if (word !== undefined) return `'${argumentIn(call, node, Number(word) - 1).toLowerCase()}'`;
      if (place !== '*') return argumentIn(call, node, Number(place) - 1);
      return node.args.map((_arg, at) => argumentIn(call, node, at)).join(', ');
    });
  return { saying, fallback: '' };
}

function formatIn(call: string, node: Call, at: number): string {
  const arg = node.args[at];
  return arg?.node === 'Constant' && typeof arg.value === 'string'
    ? `'${formatInstead(arg.value)}'`
    : argumentIn(call, node, at);
}

// Brackets around a part of an argument are no part of its node.
function argumentIn(call: string, { args, start }: Call, at: number): string {
  const arg = args[at];
  const written = arg ? call.slice(arg.start - start, arg.end - start) : '';
  return written !== '' && written.split('(').length === written.split(')').length ? written : '…';
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
    if (signature && new Set(combinators).size === combinators.length)
      return { kind: 'aggregate', signature, combinators };
  }
  return undefined;
}
