import type { ArgumentKind } from '../operators/convert-argument.ts';
import { parameterCounts } from './aggregate-parameters.ts';
import { spelledAggregates } from './aggregate-spellings.ts';
import { argumentCounts, type FunctionSignature } from './function-signature.ts';
import { aggregateFunctions, scalarFunctions, specialFunctionNames, windowFunctions } from './function-table.ts';

/** A function of the language, as far as the tables of functions know it. */
export interface ListedFunction {
  name: string;
  /** `window`: only with OVER. Aggregates may have OVER and combinators (`sumIf`) too. */
  kind: 'scalar' | 'aggregate' | 'window';
  /** Fewest and most arguments. `most` is Infinity for any number; null: the tables do not say. */
  least: number | null;
  most: number | null;
  /** `quantile(parameter?)(number) -> float`; `if(…)` where the tables do not know the arguments. */
  signature: string;
}

/** Every function that a query may call, once for each kind, by name. */
export function listFunctions(): ListedFunction[] {
  const listed = [
    ...[...scalarFunctions.values()].map((signature) => described(signature, 'scalar')),
    ...specialFunctionNames.filter((name) => !scalarFunctions.has(name)).map((name) => unknown(name, 'scalar')),
    ...[...aggregateFunctions.values()].map((signature) => described(signature, 'aggregate')),
    ...spelledAggregates.map((name) => unknown(name, 'aggregate')),
    ...[...windowFunctions.values()].map((signature) => described(signature, 'window')),
  ];
  return listed.sort((a, b) => compare(a.name.toLowerCase(), b.name.toLowerCase()) || compare(a.kind, b.kind));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const unknown = (name: string, kind: ListedFunction['kind']): ListedFunction => ({
  name,
  kind,
  least: null,
  most: null,
  signature: `${name}(…)`,
});

function described(signature: FunctionSignature, kind: ListedFunction['kind']): ListedFunction {
  const { clickhouse } = signature;
  // The table of windows has its names in lower case.
  const name = clickhouse.toLowerCase() === signature.name.toLowerCase() ? clickhouse : signature.name;
  const counts = argumentCounts(signature);
  const given = kind === 'aggregate' ? parameterCounts(clickhouse) : undefined;
  const parameters = given === undefined ? '' : `(${parametersOf(given)})`;
  return {
    name,
    kind,
    ...counts,
    signature: `${name}${parameters}(${argumentsOf(signature)}) -> ${resultOf(signature)}`,
  };
}

/** Parameters beyond this number are not written one by one. */
const writtenMax = 4;

function parametersOf({ least, most }: { least: number; most: number }): string {
  if (most > writtenMax) return 'parameter...';
  return Array.from({ length: most }, (_, index) => `parameter${index < least ? '' : '?'}`).join(', ');
}

function argumentsOf(signature: FunctionSignature): string {
  const { args, repeats } = signature;
  const { least } = argumentCounts(signature);
  return args
    .map((kind, index) => {
      const word = wordOf(kind);
      if (repeats && index === args.length - 1) return `${word}...`;
      return index < least ? word : `${word}?`;
    })
    .join(', ');
}

function wordOf(kind: ArgumentKind): string {
  if (kind === 'textual') return 'any';
  return typeof kind === 'string' ? kind : `'${kind.join('|')}'`;
}

function resultOf({ result }: FunctionSignature): string {
  switch (result.rule) {
    case 'kind':
      return result.kind;
    case 'argument':
      return `type of argument ${result.index + 1}`;
    case 'same':
      return 'common type of the arguments';
    case 'item':
      return 'item of the array';
    case 'array':
      return `array of ${result.kind}`;
    case 'array-of-argument':
      return 'array of argument 1';
    case 'array-of-lambda':
      return 'array of results of the lambda';
  }
}
