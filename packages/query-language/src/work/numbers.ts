import type { Resolved } from '../resolved.ts';

/** The most rows of numbers(n), and the most rows from which an aggregate collects values. */
export const numbersMax = 10_000_000;

/** Rows of numbers(…) by its arguments, and the largest number among them. */
export function numbersOf(args: readonly Resolved[]): { rows: number; most: number } {
  const values = args.map((arg) => (arg.kind === 'constant' ? Number(arg.value) : undefined));
  const rows = (values.length === 1 ? values[0] : values[1]) ?? numbersMax;
  const from = values.length === 1 ? 0 : (values[0] ?? Number.MAX_SAFE_INTEGER);
  return { rows, most: from + rows };
}
