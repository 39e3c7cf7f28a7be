import type { Resolved, ResolvedConstant } from '../resolved.ts';

// `2026-11-01` without quotes is 2026 minus 11 minus 1.

/** The date that a subtraction of numbers looks like, without spaces between them; undefined where it is none. */
export function unquotedDate(expr: Resolved): string | undefined {
  if (!isMinus(expr)) return undefined;
  const [first, day] = expr.args;
  if (!first || !day || !isMinus(first)) return undefined;
  const [year, month] = first.args;
  if (!isNumber(year, 1900, 2199) || !isNumber(month, 1, 12) || !isNumber(day, 1, 31)) return undefined;
  if (year.end - year.start !== 4 || month.start !== year.end + 1 || day.start !== month.end + 1) return undefined;
  return [year, month, day].map(({ value }) => String(value).padStart(2, '0')).join('-');
}

/** How a time is written, for the error about values that meet one and are numbers. */
export function timeInstead(exprs: readonly Resolved[]): string {
  const date = exprs.map(unquotedDate).find((found) => found !== undefined);
  return date === undefined
    ? "write a time in quotes, such as '2026-01-31', or fromUnixTimestamp(…) around seconds since 1970"
    : `a date is written in quotes: '${date}'`;
}

const isMinus = (expr: Resolved): expr is Resolved & { kind: 'call' } => expr.kind === 'call' && expr.name === 'minus';

function isNumber(expr: Resolved | undefined, least: number, most: number): expr is ResolvedConstant {
  return expr?.kind === 'constant' && typeof expr.value === 'number' && expr.value >= least && expr.value <= most;
}
