import type { ColumnFile, FileFormat } from '../index/column-file.ts';

type Count = 'strings' | 'classes' | 'methods' | 'stringBytes';
type Column = keyof ReturnType<typeof columnsOf>;

const columnsOf = ({ strings, classes, methods }: Readonly<Record<Count, number>>) => ({
  /** Bytes at which strings end. They are sorted, so that a name is found by halves, and its place compares as it does. */
  stringEnds: strings,
  /** Names of classes in the compiled code, ascending. */
  obfuscatedClass: classes,
  originalClass: classes,
  /** First method of each class; one more for the end. */
  classStarts: classes + 1,
  /** Names of methods in the compiled code, ascending in each class; those of one name as the mapping has them. */
  obfuscatedMethod: methods,
  /** Lines of the compiled code; both 0: not said. */
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
  version: 1,
  counts: ['strings', 'classes', 'methods', 'stringBytes'],
  columns: columnsOf,
  areas: ({ stringBytes }) => ({ strings: stringBytes }),
};
