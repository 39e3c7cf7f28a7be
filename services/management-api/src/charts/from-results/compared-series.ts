/** Part of a series of trends or stickiness that tells it apart from others (contract/insights 5.2, 5.6). */
export interface ComparableResult {
  label: string;
  action?: { order?: number; custom_name?: string | null } | null;
  order?: number;
  breakdown_value?: string | null | readonly (string | null)[];
  compare_label?: string;
  data?: readonly number[] | null;
  aggregated_value?: number | null;
}

/**
 * Series of the range with that of the earlier period, if there is one, in the order of the results; then those of the earlier period
 * alone, whose value was 0 in the range. Each `label` is its name in a legend.
 */
export function comparedPairs<Result extends ComparableResult>(
  results: readonly Result[],
): { current: Result; previous?: Result | undefined }[] {
  const isOnly = new Set(results.map(orderOf)).size < 2;
  const named = results.map((result) => ({ ...result, label: nameOf(result, isOnly) }));
  const earlier = new Map(named.filter(isPrevious).map((result) => [keyOf(result), result] as const));
  const current = named.filter((result) => !isPrevious(result));
  const known = new Set(current.map(keyOf));
  const gone = [...earlier].filter(([key]) => !known.has(key));
  return [
    ...current.map((result) => ({ current: result, previous: earlier.get(keyOf(result)) })),
    ...gone.map(([, previous]) => ({ current: emptied(previous), previous })),
  ];
}

function emptied<Result extends ComparableResult>(result: Result): Result {
  const { data, aggregated_value: total } = result;
  return { ...result, ...(data && { data: data.map(() => 0) }), ...(total !== undefined && { aggregated_value: 0 }) };
}

function isPrevious({ compare_label }: ComparableResult): boolean {
  return compare_label === 'previous';
}

function keyOf(result: ComparableResult): string {
  return JSON.stringify([orderOf(result), result.breakdown_value ?? null]);
}

const orderOf = ({ order, action }: ComparableResult): number | null => order ?? action?.order ?? null;

/**
 * The label, but for a formula, whose label is the same for every value of the breakdown (contract/insights 5.4), and for a series with
 * a name of its own, which no label has (5.2). These are put together as labels are (5.5).
 */
function nameOf({ action, label, breakdown_value: value }: ComparableResult, isOnly: boolean): string {
  const own = action === null ? label : (action?.custom_name ?? '');
  if (own === '') return label;
  if (value === undefined) return own;
  const text = [value]
    .flat()
    .map((part) => part ?? 'null')
    .join('::');
  return isOnly ? text : `${own} - ${text}`;
}
