/** Functions that times of a column are cut to, by the words of `bucket_overrides` (contract/endpoints 6.4). */
export const bucketFunctions = {
  minute: 'toStartOfMinute',
  fifteen_minutes: 'toStartOfFifteenMinutes',
  hour: 'toStartOfHour',
  day: 'toStartOfDay',
  week: 'toStartOfWeek',
  month: 'toStartOfMonth',
} as const;

/** The function of an override; undefined for none, and for a word that is none of these. */
export function bucketFunction(word: string | undefined): string | undefined {
  const known: Readonly<Record<string, string>> = bucketFunctions;
  return word !== undefined && Object.hasOwn(known, word) ? known[word] : undefined;
}
