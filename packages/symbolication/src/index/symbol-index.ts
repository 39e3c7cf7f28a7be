import { findSegment, none } from '../source-map/segments.ts';
import { SymbolDataError } from '../symbol-data-error.ts';
import { type Columns, layOut, type LaidOut, readHead } from './layout.ts';

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
  const isAligned = bytes.byteOffset % Uint32Array.BYTES_PER_ELEMENT === 0;
  const file = isAligned ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : alignedCopy(bytes);
  const counts = readHead(file);
  if (counts === null) throw new SymbolDataError('index', 'these bytes are no whole index of this version');
  return new SymbolIndex(layOut(file, counts));
}

function alignedCopy(bytes: Uint8Array): Buffer {
  const copy = new Uint8Array(bytes);
  return Buffer.from(copy.buffer);
}

/** Symbols of one minified script, in its compiled form. Damaged numbers lead to wrong answers or none, never to an error. */
export class SymbolIndex {
  readonly #index: LaidOut;

  constructor(index: LaidOut) {
    this.#index = index;
  }

  /** Bytes of memory. */
  get byteLength(): number {
    const { columns, contents } = this.#index;
    return contents.byteOffset + contents.byteLength - columns.lineStarts.byteOffset;
  }

  /** Finds a place of the script, both from 0; null where the map says nothing (contract/decisions 125). */
  lookUp(line: number, column: number): OriginalPosition | null {
    const { columns } = this.#index;
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
   * Lines of a source's text from one to another, both from 1 and included, without their ends; fewer at the rim of the text, none
   * without a text. Of a long line only so many bytes are read.
   */
  linesOf(sourceIndex: number, first: number, last: number, bytesMax: number): { number: number; text: string }[] {
    const { columns, contents } = this.#index;
    const start = columns.contentStarts[sourceIndex] ?? 0;
    const count = (columns.contentStarts[sourceIndex + 1] ?? 0) - start;
    const lines = [];
    for (let number = Math.max(first, 1); number <= Math.min(last, count); number++) {
      const from = columns.contentLineStarts[start + number - 1] as number;
      const to = columns.contentLineStarts[start + number] as number;
      const text = contents.toString('utf8', from, Math.min(to, from + bytesMax));
      lines.push({ number, text: withoutEnd(text) });
    }
    return lines;
  }

  #functionAt({ boundaryLine, boundaryColumn, boundaryName }: Columns, line: number, column: number): number {
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
    const { columns, strings } = this.#index;
    return strings.toString('utf8', columns.stringEnds[index - 1] ?? 0, columns.stringEnds[index] ?? 0);
  }
}

const withoutEnd = (line: string): string => line.replace(/(?:\r\n?|[\n\u2028\u2029])$/, '');
