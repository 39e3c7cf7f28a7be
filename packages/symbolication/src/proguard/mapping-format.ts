import type { ColumnFile, FileFormat } from '../index/column-file.ts';

type Count = 'strings' | 'classes' | 'names' | 'methods' | 'spans' | 'stringBytes';
type Column = keyof ReturnType<typeof columnsOf>;

const columnsOf = ({ strings, classes, names, methods, spans }: Readonly<Record<Count, number>>) => ({
  /** Bytes at which strings end. They are sorted, so that a name is found by halves, and its place compares as it does. */
  stringEnds: strings,
  /** Names of classes in the compiled code, ascending. */
  obfuscatedClass: classes,
  originalClass: classes,
  /** First of the names of each class's methods; one more for the end. */
  classStarts: classes + 1,
  /** Names of methods in the compiled code, ascending in each class. */
  obfuscatedMethod: names,
  /** First method of each name; one more for the end. */
  methodStarts: names + 1,
  /** Method of a frame whose line no range has, `none` where there may be several. 1: it has other ranges too, so the line is not known. */
  otherMethod: names,
  hasOtherLines: names,
  /** First of the spans of each name (`lineSpans`); one more for the end. */
  spanStarts: names + 1,
  spanFirstLine: spans,
  spanMethod: spans,
  /** Methods of one name as the mapping has them. Lines of the compiled code; both 0: not said. */
  start: methods,
  end: methods,
  /** Class, name and file in the source; `none` for a file that is not known. */
  className: methods,
  name: methods,
  file: methods,
  /** Lines of the source; both `none`: as in the compiled code. The end alone `none`: all lines are the first. */
  originalStart: methods,
  originalEnd: methods,
  /** 1: made by the compiler. */
  isSynthesized: methods,
});

/** A mapping as a file. */
export type MappingFile = ColumnFile<Column, 'strings'>;

/** Format of a compiled mapping of ProGuard or R8. */
export const mappingFormat: FileFormat<Count, Column, 'strings'> = {
  magic: 'MRMAPIDX',
  version: 2,
  counts: ['strings', 'classes', 'names', 'methods', 'spans', 'stringBytes'],
  columns: columnsOf,
  areas: ({ stringBytes }) => ({ strings: stringBytes }),
};
