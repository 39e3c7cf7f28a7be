import type { Scalar } from './filters.ts';

/** Longer ones are no numbers that anyone compares. */
const digitsMax = 400;

/** A number, or a text that is a decimal one (contract/decisions 104); undefined: it is neither. Pure. */
export function readNumber(value: Scalar): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > digitsMax || !/^[+-]?\d+(?:\.\d+)?$/.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
