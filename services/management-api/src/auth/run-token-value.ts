/** Beginning of the values of run tokens; keys begin otherwise. */
export const runTokenPrefix = 'phr_';

/** True when a value has the form of a run token. No other credential has this form. */
export function isRunToken(value: string): boolean {
  return value.startsWith(runTokenPrefix);
}
