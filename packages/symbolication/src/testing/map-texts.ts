/** A segment as source maps have it: generated column, then source, original line and column, then name. All from 0. */
export type TestSegment = [number] | [number, number, number, number] | [number, number, number, number, number];

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** One number of mappings. */
export function vlq(value: number): string {
  let rest = value < 0 ? -2 * value + 1 : 2 * value;
  let text = '';
  do {
    const digit = rest % 32;
    rest = Math.floor(rest / 32);
    text += digits.charAt(rest > 0 ? digit + 32 : digit);
  } while (rest > 0);
  return text;
}

/** The `mappings` of a map with these segments, line by line. */
export function mappingsOf(lines: readonly (readonly TestSegment[])[]): string {
  const before = [0, 0, 0, 0, 0];
  return lines
    .map((line) => {
      before[0] = 0;
      return line
        .map((segment) => segment.map((value, field) => differenceOf(before, field, value)).join(''))
        .join(',');
    })
    .join(';');
}

function differenceOf(before: number[], field: number, value: number): string {
  const text = vlq(value - (before[field] ?? 0));
  before[field] = value;
  return text;
}

/** JSON of a flat map. */
export const mapText = (members: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ version: 3, sources: [], names: [], mappings: '', ...members });
