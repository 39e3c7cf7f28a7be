import { SymbolDataError } from '../symbol-data-error.ts';
import { none, type Segments } from './segments.ts';
import { linesMax, type MapPiece } from './source-map.ts';
import { isSeparator, lineEnd, VlqReader } from './vlq-reader.ts';

/** 200 MB of columns. A script of 50 MB has about half as many. */
const segmentsMax = 10_000_000;
/** Segments of a line that are in no order; compilers write them in order. A million are sorted in 0.3 s. */
const unsortedMax = 1_000_000;

/**
 * Decodes the mappings of all pieces into columns, sorted by place. Memory is 20 bytes for each `,` and `;`, where the decoder of
 * trace-mapping takes 92 of the heap for each segment.
 * @throws {SymbolDataError} for a number that is broken or out of range, a source or name that is not there, and too many segments
 */
export function decodeMappings(pieces: readonly MapPiece[]): Segments {
  const { segments, lines } = capacityFor(pieces);
  const table = new SegmentTable(segments, lines);
  for (const piece of pieces) addMappings(table, piece);
  return table.finish();
}

function capacityFor(pieces: readonly MapPiece[]): { segments: number; lines: number } {
  let segments = 0;
  let lines = 0;
  for (const { mappings, start } of pieces) {
    let ends = 1;
    segments += 1;
    for (let at = 0; at < mappings.length; at++) {
      const code = mappings.charCodeAt(at);
      if (isSeparator(code)) segments++;
      if (code === lineEnd) ends++;
    }
    lines = Math.max(lines, start.line + ends);
  }
  // Lines without segments cost less, but there is no script of so many.
  if (segments > segmentsMax) throw invalid(`more than ${segmentsMax} segments`);
  if (lines > linesMax) throw invalid(`more than ${linesMax} lines`);
  return { segments, lines };
}

function addMappings(table: SegmentTable, piece: MapPiece): void {
  const reader = new VlqReader(piece.mappings);
  let line = piece.start.line;
  let column = 0;
  let [source, originalLine, originalColumn, name] = [0, 0, 0, 0];
  while (!reader.isAtEnd()) {
    if (reader.isAtSeparator()) {
      if (reader.isAtLineEnd()) [line, column] = [line + 1, 0];
      reader.skip();
      continue;
    }
    column = reader.add(column);
    const place = line === piece.start.line ? column + piece.start.column : column;
    const isInside =
      piece.end === null || line < piece.end.line || (line === piece.end.line && place < piece.end.column);
    let [ofSource, ofName] = [none, none];
    if (!reader.isAtSeparator()) {
      source = withinCount(reader.add(source), piece.sourceCount, 'source');
      originalLine = reader.add(originalLine);
      originalColumn = reader.add(originalColumn);
      ofSource = piece.firstSource + source;
      if (!reader.isAtSeparator()) {
        name = withinCount(reader.add(name), piece.nameCount, 'name');
        ofName = piece.firstName + name;
      }
      if (!reader.isAtSeparator()) throw invalid('a segment has more than 5 fields');
    }
    if (isInside) table.add(line, place, ofSource, originalLine, originalColumn, ofName);
  }
}

function withinCount(index: number, count: number, kind: string): number {
  if (index >= count) throw invalid(`a segment names ${kind} ${index} of ${count}`);
  return index;
}

/** Column, source, original line and column, name. */
type Columns = [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array];

/** Columns that segments are added to, line by line. */
class SegmentTable {
  readonly #lineStarts: Uint32Array;
  readonly #columns: Columns;
  #count = 0;
  #line = 0;
  /** The line at hand has a segment that stands before the one added before it. */
  #isUnsorted = false;

  constructor(segments: number, lines: number) {
    this.#lineStarts = new Uint32Array(lines + 1);
    const column = (): Uint32Array => new Uint32Array(segments);
    this.#columns = [column(), column(), column(), column(), column()];
  }

  add(line: number, column: number, source: number, originalLine: number, originalColumn: number, name: number): void {
    if (column > 0x7fff_ffff) throw invalid('a column is out of range');
    this.#goTo(line);
    const at = this.#count++;
    const [columns, sources, originalLines, originalColumns, names] = this.#columns;
    columns[at] = column;
    sources[at] = source;
    originalLines[at] = originalLine;
    originalColumns[at] = originalColumn;
    names[at] = name;
    const start = this.#lineStarts[line] as number;
    this.#isUnsorted ||= at > start && (columns[at - 1] as number) > column;
  }

  finish(): Segments {
    this.#goTo(this.#lineStarts.length - 1);
    const [column, source, originalLine, originalColumn, name] = this.#columns.map((all) =>
      all.subarray(0, this.#count),
    ) as Columns;
    return { lineStarts: this.#lineStarts, column, source, originalLine, originalColumn, name };
  }

  #goTo(line: number): void {
    if (line > this.#line && this.#isUnsorted) this.#sort(this.#lineStarts[this.#line] as number);
    while (this.#line < line) this.#lineStarts[++this.#line] = this.#count;
  }

  /** Sorts the segments of the last line. Those of one place keep their order. */
  #sort(start: number): void {
    if (this.#count - start > unsortedMax) throw invalid(`more than ${unsortedMax} segments of a line are in no order`);
    const column = this.#columns[0];
    const order = Array.from({ length: this.#count - start }, (_, index) => start + index);
    order.sort((one, other) => (column[one] as number) - (column[other] as number));
    for (const values of this.#columns)
      values.set(
        order.map((at) => values[at] as number),
        start,
      );
    this.#isUnsorted = false;
  }
}

const invalid = (reason: string): SymbolDataError => new SymbolDataError('map', reason);
