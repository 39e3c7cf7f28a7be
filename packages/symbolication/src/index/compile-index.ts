import { boundariesOf } from '../function-names/function-ranges.ts';
import { findFunctions } from '../function-names/find-functions.ts';
import { type MappedScript, nameOf } from '../function-names/name-functions.ts';
import { decodeMappings } from '../source-map/decode-mappings.ts';
import { none, type Segments } from '../source-map/segments.ts';
import { linesMax, readSourceMap } from '../source-map/source-map.ts';
import { SymbolDataError } from '../symbol-data-error.ts';
import { lineAt, type Lines, linesOf } from '../text/lines.ts';
import { type Columns, type IndexCounts, layOut, sizeOf, writeHead } from './layout.ts';

/** Bytes of an index: the greatest number that its head can hold is more. */
const indexBytesMax = 1024 * 1024 * 1024;

/**
 * Compiles a minified script and its map into an index, which `openIndex` reads without parsing. Needs some 100 bytes of memory
 * for each segment, most of them for the parser of the script. Pure.
 * @throws {SymbolDataError} for a map that cannot be read; a script that cannot be parsed only lacks names of functions
 */
export function compileIndex(script: string, mapText: string): Buffer {
  const map = readSourceMap(mapText);
  const segments = decodeMappings(map.pieces);
  const contentLines = linesOfAll(map.contents);
  const scriptLines = linesWithin(script, linesMax);
  const functions = functionBoundaries({ script, scriptLines, map, segments, contentLines }, map.sources);
  const strings = functions.strings.map((string) => Buffer.from(string));
  const counts: IndexCounts = {
    lines: segments.lineStarts.length - 1,
    segments: segments.column.length,
    boundaries: functions.boundaries.length,
    sources: map.sources.length,
    strings: strings.length,
    contentLines: sumOf(contentLines, (lines) => lines?.starts.length ?? 0),
    stringBytes: sumOf(strings, ({ length }) => length),
    contentBytes: sumOf(contentLines, (lines) => lines?.bytes ?? 0),
  };
  const size = sizeOf(counts);
  if (size > indexBytesMax) throw new SymbolDataError('map', `its index would have more than ${indexBytesMax} bytes`);
  const bytes = Buffer.alloc(size);
  writeHead(bytes, counts);
  const index = layOut(bytes, counts);
  writeSegments(index.columns, segments);
  writeBoundaries(index.columns, functions.boundaries);
  writeStrings(index.columns, index.strings, strings);
  writeContents(index.columns, index.contents, map.contents, contentLines);
  return bytes;
}

function linesOfAll(contents: readonly (string | null)[]): (Lines | null)[] {
  let left = linesMax;
  return contents.map((content) => {
    const lines = content === null ? null : linesWithin(content, left);
    left -= lines?.starts.length ?? 0;
    return lines;
  });
}

function linesWithin(text: string, most: number): Lines {
  const lines = linesOf(text, most);
  if (lines === null) throw new SymbolDataError('map', `its texts have more than ${linesMax} lines`);
  return lines;
}

interface NamedBoundary {
  line: number;
  column: number;
  /** Place in the strings, or `none`. */
  name: number;
}

/** Where the innermost function changes, with its name; and the strings, those given first. */
function functionBoundaries(
  mapped: MappedScript,
  sources: readonly string[],
): { boundaries: NamedBoundary[]; strings: string[] } {
  const functions = findFunctions(mapped.script);
  const strings = [...sources];
  const known = new Map<string, number>();
  const names = functions.map((found) => {
    const name = nameOf(found, mapped);
    if (name === undefined) return none;
    const index = known.get(name) ?? strings.push(name) - 1;
    known.set(name, index);
    return index;
  });
  const { starts } = mapped.scriptLines;
  const boundaries = boundariesOf(functions).map(({ place, index }) => {
    const line = lineAt(starts, place);
    return { line, column: place - (starts[line] as number), name: names[index] ?? none };
  });
  return { boundaries, strings };
}

function writeSegments(columns: Columns, segments: Segments): void {
  columns.lineStarts.set(segments.lineStarts);
  columns.column.set(segments.column);
  columns.source.set(segments.source);
  columns.originalLine.set(segments.originalLine);
  columns.originalColumn.set(segments.originalColumn);
}

function writeBoundaries(columns: Columns, boundaries: readonly NamedBoundary[]): void {
  for (const [index, { line, column, name }] of boundaries.entries()) {
    columns.boundaryLine[index] = line;
    columns.boundaryColumn[index] = column;
    columns.boundaryName[index] = name;
  }
}

function writeStrings({ stringEnds }: Columns, target: Buffer, strings: readonly Buffer[]): void {
  let end = 0;
  for (const [index, string] of strings.entries()) {
    target.set(string, end);
    end += string.length;
    stringEnds[index] = end;
  }
}

function writeContents(
  { contentStarts, contentLineStarts }: Columns,
  target: Buffer,
  contents: readonly (string | null)[],
  linesOfContents: readonly (Lines | null)[],
): void {
  let line = 0;
  let byte = 0;
  for (const [index, content] of contents.entries()) {
    contentStarts[index] = line;
    const lines = linesOfContents[index];
    if (content === null || lines === null || lines === undefined) continue;
    for (const start of lines.byteStarts) contentLineStarts[line++] = byte + start;
    target.write(content, byte, 'utf8');
    byte += lines.bytes;
  }
  contentStarts[contents.length] = line;
  contentLineStarts[line] = byte;
}

const sumOf = <Item>(items: readonly Item[], valueOf: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + valueOf(item), 0);
