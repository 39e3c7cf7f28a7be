/** Part of a series of trends or stickiness that tells it apart from others (contract/insights 5.2, 5.6). */
export interface ComparableResult {
  label: string;
  action?: { order?: number } | null;
  order?: number;
  breakdown_value?: unknown;
  compare_label?: string;
}

/** Series of the range with that of the earlier period, if there is one, in the order of the results. */
export function comparedPairs<Result extends ComparableResult>(
  results: readonly Result[],
): { current: Result; previous?: Result | undefined }[] {
  const earlier = new Map(results.filter(isPrevious).map((result) => [keyOf(result), result] as const));
  return results
    .filter((result) => !isPrevious(result))
    .map((current) => ({ current, previous: earlier.get(keyOf(current)) }));
}

function isPrevious({ compare_label }: ComparableResult): boolean {
  return compare_label === 'previous';
}

function keyOf({ order, action, breakdown_value = null }: ComparableResult): string {
  return JSON.stringify([order ?? action?.order ?? null, breakdown_value]);
}
