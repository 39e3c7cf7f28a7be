import { nice, ticks } from 'd3-array';

/** Axis of values: its marks and the place of each value on it, in pixels. */
export interface ValueScale {
  ticks: readonly number[];
  at: (value: number) => number;
}

/** Beyond these, differences and steps are no longer numbers. */
const largest = 1e307;
const smallest = 1e-300;

/** Number that a scale can hold; null for null and what is not finite. */
export function drawable(value: number | null | undefined): number | null {
  if (value === null || value === undefined || !Number.isFinite(value)) return null;
  if (Math.abs(value) < smallest) return 0;
  return Math.min(Math.max(value, -largest), largest);
}

/**
 * Scale that holds 0 and all values, with about `count` marks at 1, 2 or 5 times a power of ten; whole numbers get whole marks.
 * `from` is the place of its lower end and `to` that of its upper one.
 */
export function valueScale(values: readonly (number | null)[], from: number, to: number, count: number): ValueScale {
  let [low, high, areWhole] = [0, 0, true];
  for (const given of values) {
    const value = drawable(given) ?? 0;
    low = Math.min(low, value);
    high = Math.max(high, value);
    areWhole &&= Number.isInteger(value);
  }
  if (low === high) high = 1;
  const [start, end] = nice(low, high, count);
  const marks = ticks(start, end, count).filter((mark) => !areWhole || Number.isInteger(mark));
  return { ticks: marks, at: (value) => from + (((drawable(value) ?? 0) - start) / (end - start)) * (to - from) };
}
