import { costLines } from './function-costs.ts';

/** Measured cost of a function. */
export interface FunctionCost {
  kind: 'scalar' | 'aggregate' | 'window';
  name: string;
  /** `steep` is more than linear. */
  growth: 'linear' | 'steep';
  /** For each byte, item or row. */
  nanoseconds: number;
}

/** The measurements, by kind and name as printed: `scalar length`. */
export const functionCosts: ReadonlyMap<string, FunctionCost> = new Map(
  costLines
    .trim()
    .split('\n')
    .map((line) => {
      const [kind = '', name = '', growth = '', , nanoseconds = ''] = line.trim().split(' ');
      return [`${kind} ${name}`, { kind, name, growth, nanoseconds: Number(nanoseconds) } as FunctionCost];
    }),
);

const [least, most] = [2, 300];

const ofUnknown = 50;
const scalarNanoseconds: ReadonlyMap<string, number> = new Map(
  [...functionCosts.values()]
    .filter(({ kind }) => kind === 'scalar')
    .map(({ name, growth, nanoseconds }) => [
      name,
      Math.min(most, Math.max(least, growth === 'linear' ? nanoseconds : ofUnknown)),
    ]),
);

/** Nanoseconds that a function of single rows takes for a byte of a text or an item of a list, rounded up; `steep` ones have rules of their own. */
export function nanosecondsOf(name: string): number {
  return scalarNanoseconds.get(name) ?? ofUnknown;
}
