import { openFile } from '../index/column-file.ts';
import { none } from '../source-map/segments.ts';
import { SymbolDataError } from '../symbol-data-error.ts';
import { type MappingFile, mappingFormat } from './mapping-format.ts';

/** A method of the source. */
export interface OriginalMethod {
  className: string;
  name: string;
  /** From 1; undefined where the mapping or the frame does not say it. */
  line: number | undefined;
  /** Undefined where the mapping does not say it. */
  file: string | undefined;
  /** The compiler made it. */
  isSynthesized: boolean;
}

/** Methods that are inlined into one another. */
const depthMax = 50;
/** R8's name for the file of a class that it made. */
const noFile = 'R8$$SyntheticClass';

/** Opens what `compileMapping` made. The index keeps the bytes, which must not change. @throws {SymbolDataError} */
export function openMapping(bytes: Uint8Array): MappingIndex {
  const file = openFile(mappingFormat, bytes);
  if (file === null) throw new SymbolDataError('index', 'these bytes are no whole index of this version');
  return new MappingIndex(file);
}

/** A mapping of ProGuard or R8, in its compiled form. Damaged numbers lead to wrong answers or none, never to an error. */
export class MappingIndex {
  readonly #file: MappingFile;

  constructor(file: MappingFile) {
    this.#file = file;
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#file.bytes.length;
  }

  /** Name of a class in the source; undefined for one that the mapping does not name. */
  classOf(className: string): string | undefined {
    const index = this.#findClass(className);
    return index === -1 ? undefined : this.#string(this.#file.columns.originalClass[index] as number);
  }

  /**
   * Methods that a frame stands for, the innermost first: more than one where methods were inlined. None for a method that the
   * class does not have, and where the mapping allows several.
   */
  lookUp(className: string, method: string, line: number | undefined): OriginalMethod[] {
    const { columns } = this.#file;
    const ofClass = this.#findClass(className);
    const string = this.#findString(method);
    if (ofClass === -1 || string === -1) return [];
    const namesEnd = columns.classStarts[ofClass + 1] as number;
    const name = lowerBound(columns.obfuscatedMethod, string, columns.classStarts[ofClass] as number, namesEnd);
    if (name >= namesEnd || columns.obfuscatedMethod[name] !== string) return [];
    const found = this.#methodsOfLine(name, line ?? 0) ?? this.#otherMethod(name);
    const known = found.filter((one) => !one.isSynthesized);
    return known.length > 0 ? known : found;
  }

  /** The first group of methods with one range that contains the line; null when there is none. */
  #methodsOfLine(name: number, line: number): OriginalMethod[] | null {
    const { spanFirstLine, spanStarts, spanMethod, methodStarts, name: names } = this.#file.columns;
    const first = spanStarts[name] as number;
    const span = lowerBound(spanFirstLine, line + 1, first, spanStarts[name + 1] as number) - 1;
    const at = span < first ? none : (spanMethod[span] ?? none);
    if (at === none) return null;
    const end = Math.min(methodStarts[name + 1] as number, names.length, at + depthMax);
    const group = [];
    for (let next = at; next < end && this.#isSameRange(at, next); next++) group.push(this.#methodAt(next, line));
    return group;
  }

  /** Without a range of the line: the method that all ranges belong to, or all that have none. */
  #otherMethod(name: number): OriginalMethod[] {
    const { otherMethod, hasOtherLines } = this.#file.columns;
    const at = otherMethod[name] as number;
    return at === none ? [] : [{ ...this.#methodAt(at, 0), ...(hasOtherLines[name] === 1 && { line: undefined }) }];
  }

  #isSameRange(one: number, other: number): boolean {
    const { start, end } = this.#file.columns;
    return start[one] === start[other] && end[one] === end[other];
  }

  #methodAt(at: number, line: number): OriginalMethod {
    const { columns } = this.#file;
    const file = columns.file[at] === none ? undefined : this.#string(columns.file[at] as number);
    return {
      className: this.#string(columns.className[at] as number),
      name: this.#string(columns.name[at] as number),
      line: this.#originalLine(at, line) || undefined,
      file: file === noFile ? undefined : file,
      isSynthesized: columns.isSynthesized[at] === 1,
    };
  }

  /** 0 where it is not known. */
  #originalLine(at: number, line: number): number {
    const { columns } = this.#file;
    const [originalStart, originalEnd] = [columns.originalStart[at] as number, columns.originalEnd[at] as number];
    if (originalStart === none) return line;
    if (originalEnd === none || originalEnd === originalStart) return originalStart;
    // A frame without a line may be anywhere in the method.
    if (line === 0) return 0;
    return Math.min(originalStart + line - (columns.start[at] as number), originalEnd);
  }

  #findClass(className: string): number {
    const { obfuscatedClass } = this.#file.columns;
    const name = this.#findString(className);
    const index = lowerBound(obfuscatedClass, name, 0, obfuscatedClass.length);
    return name !== -1 && obfuscatedClass[index] === name ? index : -1;
  }

  /** Place of a string, or -1. */
  #findString(string: string): number {
    let low = 0;
    let high = this.#file.columns.stringEnds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#string(middle) < string) low = middle + 1;
      else high = middle;
    }
    return this.#string(low) === string ? low : -1;
  }

  #string(index: number): string {
    const { columns, areas } = this.#file;
    return areas.strings.toString('utf8', columns.stringEnds[index - 1] ?? 0, columns.stringEnds[index] ?? 0);
  }
}

/** The first place from `low` up to `high` whose value is not below this one. */
function lowerBound(column: Uint32Array, value: number, low: number, high: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
