/** Each number plus all before it. Pure. */
export function summedUp(numbers: readonly number[]): number[] {
  let sum = 0;
  return numbers.map((number) => (sum += number));
}

/** The floor of the mean of each number and the up to `count - 1` before it (contract/insights 5.7); 1 changes nothing. Pure. */
export function smoothed(numbers: readonly number[], count: number): readonly number[] {
  if (count === 1) return numbers;
  // Sums of whole numbers stay exact when one is taken off again.
  if (!numbers.every(Number.isSafeInteger)) return numbers.map((_, at) => meanBefore(numbers, at, count));
  let sum = 0;
  return numbers.map((number, at) => {
    sum += number - (numbers[at - count] ?? 0);
    return Math.floor(sum / Math.min(at + 1, count));
  });
}

function meanBefore(numbers: readonly number[], at: number, count: number): number {
  const window = numbers.slice(Math.max(0, at + 1 - count), at + 1);
  return Math.floor(window.reduce((sum, number) => sum + number, 0) / window.length);
}
