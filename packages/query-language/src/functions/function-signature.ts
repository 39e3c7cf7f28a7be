import type { ValueKind } from '../types.ts';
import type { ArgumentKind } from '../operators/convert-argument.ts';

/** Result of a function. */
type ResultRule =
  | { rule: 'kind'; kind: ValueKind }
  | { rule: 'argument'; index: number }
  | { rule: 'same' | 'item' | 'array-of-argument' | 'array-of-lambda' }
  | { rule: 'array'; kind: ValueKind };

/** One line of the allow-list. */
export interface FunctionSignature {
  name: string;
  clickhouse: string;
  args: readonly ArgumentKind[];
  /** Fewest arguments. The last kind repeats when `repeats`. */
  required: number;
  repeats: boolean;
  result: ResultRule;
  nullable: 'as-arguments' | 'never' | 'always';
}

/** Fewest and most arguments of a call; Infinity: any number. */
export function argumentCounts({ name, args, required, repeats }: FunctionSignature): { least: number; most: number } {
  return { least: required + (name === 'coalesce' ? 1 : 0), most: repeats ? Infinity : args.length };
}

/** Reads a line of the table. Throws when the table is malformed. */
export function parseSignature(line: string): FunctionSignature {
  const [, name, clickhouse, list, result, mark] = /^(\w+)(?: = (\w+))?\((.*)\) (\[?\w+\]?)([!?]?)$/.exec(line) ?? [];
  if (name === undefined || list === undefined || result === undefined)
    throw new Error(`The function table has a malformed line: ${line}`);
  const parts = list === '' ? [] : list.split(', ');
  const printed = clickhouse ?? name;
  return {
    name,
    clickhouse: printed,
    args: parts.map(parseArgument),
    required: parts.filter((part) => !part.endsWith('?') && !part.endsWith('...')).length,
    repeats: parts.some((part) => part.endsWith('...')),
    result: parseResult(result),
    nullable: mark === '!' ? 'never' : mark === '?' ? 'always' : 'as-arguments',
  };
}

function parseArgument(part: string): ArgumentKind {
  const word = part.replace(/\?$|\.\.\.$/, '');
  return word.startsWith("'") ? word.slice(1, -1).split('|') : (word as Exclude<ArgumentKind, readonly string[]>);
}

function parseResult(result: string): ResultRule {
  if (/^\d$/.test(result)) return { rule: 'argument', index: Number(result) - 1 };
  if (result === '[1]') return { rule: 'array-of-argument' };
  if (result === '[lambda]') return { rule: 'array-of-lambda' };
  if (result.startsWith('[')) return { rule: 'array', kind: result.slice(1, -1) as ValueKind };
  if (result === 'same' || result === 'item') return { rule: result };
  return { rule: 'kind', kind: result as ValueKind };
}
