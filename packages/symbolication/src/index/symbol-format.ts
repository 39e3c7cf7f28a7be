import type { ColumnFile, FileFormat } from './column-file.ts';

type Count =
  | 'lines'
  | 'segments'
  /** Places where the innermost function of the script changes. */
  | 'boundaries'
  | 'sources'
  /** Names of sources, then names of functions. */
  | 'strings'
  /** Lines of the texts of all sources. */
  | 'contentLines'
  | 'stringBytes'
  | 'contentBytes';

type Column = keyof ReturnType<typeof columnsOf>;
type Area = 'strings' | 'contents';

const columnsOf = ({
  lines,
  segments,
  boundaries,
  sources,
  strings,
  contentLines,
}: Readonly<Record<Count, number>>) => ({
  /** First segment of each line of the script; one more for the end. */
  lineStarts: lines + 1,
  /** Columns of segments, sorted by line and column. */
  column: segments,
  source: segments,
  originalLine: segments,
  originalColumn: segments,
  boundaryLine: boundaries,
  boundaryColumn: boundaries,
  /** A string, or `none`. */
  boundaryName: boundaries,
  /** First line of each source among the lines of all texts; one more for the end. A source without a text has no lines. */
  contentStarts: sources + 1,
  /** First byte of each line of a text; one more for the end. */
  contentLineStarts: contentLines + 1,
  /** Bytes at which strings end. */
  stringEnds: strings,
});

/** An index as a file. */
export type SymbolFile = ColumnFile<Column, Area>;

/** Format of the index of a script and its map. */
export const symbolFormat: FileFormat<Count, Column, Area> = {
  magic: 'MRSYMIDX',
  version: 2,
  counts: ['lines', 'segments', 'boundaries', 'sources', 'strings', 'contentLines', 'stringBytes', 'contentBytes'],
  columns: columnsOf,
  // Texts come last, so that all else can be read without them.
  areas: ({ stringBytes, contentBytes }) => ({ strings: stringBytes, contents: contentBytes }),
};
