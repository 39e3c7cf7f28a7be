/** Beginning of the values of run tokens; keys begin otherwise. */
export const runTokenPrefix = 'phr_';

/** Is this a run token, by its looks? Nothing else that opens anything looks so. */
export function isRunToken(value: string): boolean {
  return value.startsWith(runTokenPrefix);
}
