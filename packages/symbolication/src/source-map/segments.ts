/** Stands for "no source" and "no name" in columns of segments. */
export const none = 0xffff_ffff;

/** All segments of a map, by line and column. Each array has one entry for each segment; lines and columns are from 0. */
export interface Segments {
  /** First segment of each generated line, and the number of segments at the end. */
  lineStarts: Uint32Array;
  column: Uint32Array;
  /** Place in the list of sources, or `none`: the text here belongs to no source. */
  source: Uint32Array;
  originalLine: Uint32Array;
  originalColumn: Uint32Array;
  /** Place in the list of names, or `none`. */
  name: Uint32Array;
}

/** Columns that a look-up needs. */
type Positions = Pick<Segments, 'lineStarts' | 'column'>;

/**
 * The segment that a position belongs to: the last that begins before it on its line, the first of those that begin right there.
 * -1 for a line without segments and a column before the first (contract/decisions 125). Lines and columns are from 0.
 */
export function findSegment({ lineStarts, column }: Positions, line: number, at: number): number {
  if (line < 0 || line >= lineStarts.length - 1) return -1;
  const first = lineStarts[line] as number;
  let low = first;
  let high = lineStarts[line + 1] as number;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] as number) < at) low = middle + 1;
    else high = middle;
  }
  if (column[low] === at && low < (lineStarts[line + 1] as number)) return low;
  return low > first ? low - 1 : -1;
}
