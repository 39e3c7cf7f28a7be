import { findSegment, none } from '../source-map/segments.ts';
import { SymbolDataError } from '../symbol-data-error.ts';
import { carriageReturn, lineFeed } from '../text/lines.ts';
import { openFile } from './column-file.ts';
import { symbolFormat, type SymbolFile } from './symbol-format.ts';

/** A place of a minified script, in its source. */
export interface OriginalPosition {
  /** Place of the source in the index. */
  sourceIndex: number;
  /** Its name; undefined for a source that the map does not name. */
  source: string | undefined;
  /** From 1. */
  line: number;
  /** From 0, as the map has it. */
  column: number;
  /** Innermost function around the place, `<anonymous>` for one without a name; undefined outside of functions and where unknown. */
  functionName: string | undefined;
}

/**
 * Opens what `compileIndex` made, without reading more than its head. The index keeps the bytes, which must not change.
 * @throws {SymbolDataError} for bytes of something else, of another version, or not all of them
 */
export function openIndex(bytes: Uint8Array): SymbolIndex {
  const file = openFile(symbolFormat, bytes);
  if (file === null) throw new SymbolDataError('index', 'these bytes are no whole index of this version');
  return new SymbolIndex(file);
}

/** Symbols of one minified script, in its compiled form. Damaged numbers lead to wrong answers or none, never to an error. */
export class SymbolIndex {
  readonly #file: SymbolFile;

  constructor(file: SymbolFile) {
    this.#file = file;
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#file.bytes.length;
  }

  /** Finds a place of the script, both from 0; null where the map says nothing (contract/decisions 125). */
  lookUp(line: number, column: number): OriginalPosition | null {
    const { columns } = this.#file;
    const at = findSegment(columns, line, column);
    const sourceIndex = at === -1 ? none : (columns.source[at] as number);
    if (sourceIndex === none) return null;
    const name = this.#functionAt(columns, line, column);
    const source = this.#string(sourceIndex);
    return {
      sourceIndex,
      source: source === '' ? undefined : source,
      line: (columns.originalLine[at] as number) + 1,
      column: columns.originalColumn[at] as number,
      functionName: name === none ? undefined : this.#string(name),
    };
  }

  /**
   * Lines of a source's text from one to another, both from 1 and included, without their ends; fewer at the end of the text, none
   * without a text. Of a long line only so many bytes are read.
   */
  linesOf(sourceIndex: number, first: number, last: number, bytesMax: number): string[] {
    const { columns, areas } = this.#file;
    const start = columns.contentStarts[sourceIndex] ?? 0;
    const count = (columns.contentStarts[sourceIndex + 1] ?? 0) - start;
    const to = Math.min(last, count);
    return first > to
      ? []
      : cutLines(areas.contents, columns.contentLineStarts, start + first - 1, start + to, bytesMax);
  }

  #functionAt(
    { boundaryLine, boundaryColumn, boundaryName }: SymbolFile['columns'],
    line: number,
    column: number,
  ): number {
    let low = 0;
    let high = boundaryLine.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const ofLine = boundaryLine[middle] as number;
      if (ofLine < line || (ofLine === line && (boundaryColumn[middle] as number) <= column)) low = middle + 1;
      else high = middle;
    }
    return boundaryName[low - 1] ?? none;
  }

  #string(index: number): string {
    const { columns, areas } = this.#file;
    return areas.strings.toString('utf8', columns.stringEnds[index - 1] ?? 0, columns.stringEnds[index] ?? 0);
  }
}

/** Lines from one to another, the latter not included. */
function cutLines(contents: Buffer, starts: Uint32Array, first: number, last: number, bytesMax: number): string[] {
  const begin = starts[first] as number;
  const end = starts[last] as number;
  // One text for all lines costs a quarter of one for each. In ASCII alone bytes are characters, so that it can be cut.
  const whole = end - begin <= (last - first) * bytesMax ? contents.toString('utf8', begin, end) : '';
  const isAscii = whole.length === end - begin;
  const lines = new Array<string>(last - first);
  let from = begin;
  for (let line = first; line < last; line++) {
    const next = starts[line + 1] as number;
    const to = Math.min(endOfLine(contents, from, next), from + bytesMax);
    lines[line - first] = isAscii ? whole.slice(from - begin, to - begin) : contents.toString('utf8', from, to);
    from = next;
  }
  return lines;
}

/** Byte at which the text of a line ends, before the characters that end the line (see `linesOf` in text/lines.ts). */
function endOfLine(bytes: Buffer, from: number, to: number): number {
  const last = bytes[to - 1];
  if (last === lineFeed) return bytes[to - 2] === carriageReturn && to - 2 >= from ? to - 2 : to - 1;
  if (last === carriageReturn) return to - 1;
  // U+2028 and U+2029.
  return (last === 0xa8 || last === 0xa9) && bytes[to - 2] === 0x80 && bytes[to - 3] === 0xe2 ? to - 3 : to;
}
