import type { Segments } from '../source-map/segments.ts';
import { none } from '../source-map/segments.ts';
import { linesMax, type SourceMap } from '../source-map/source-map.ts';
import { SymbolDataError } from '../symbol-data-error.ts';
import { type Lines, linesOf } from '../text/lines.ts';
import { createFile } from './column-file.ts';
import { type SymbolFile, symbolFormat } from './symbol-format.ts';

/** From here on, up to the next boundary, the innermost function has this name. Both from 0, of the generated script. */
export interface NamedBoundary {
  line: number;
  column: number;
  /** Undefined outside of functions, and where nothing says the name. */
  name: string | undefined;
}

/** The parts of an index. */
interface IndexParts {
  map: Pick<SourceMap, 'sources' | 'contents'>;
  segments: Segments;
  /** Lines of each source that has a text. */
  contentLines: readonly (Lines | null)[];
  /** In ascending order. */
  boundaries: readonly NamedBoundary[];
}

type Columns = SymbolFile['columns'];

/** Writes an index, which `openIndex` reads without parsing. Pure. @throws {SymbolDataError} for one that is too large */
export function writeIndex({ map, segments, contentLines, boundaries }: IndexParts): Buffer {
  const { strings, names } = internNames(map.sources, boundaries);
  const { bytes, columns, areas } = createFile(symbolFormat, {
    lines: segments.lineStarts.length - 1,
    segments: segments.column.length,
    boundaries: boundaries.length,
    sources: map.sources.length,
    strings: strings.length,
    contentLines: sumOf(contentLines, (lines) => lines?.starts.length ?? 0),
    stringBytes: sumOf(strings, (string) => Buffer.byteLength(string)),
    contentBytes: sumOf(contentLines, (lines) => lines?.bytes ?? 0),
  });
  columns.lineStarts.set(segments.lineStarts);
  for (const name of ['column', 'source', 'originalLine', 'originalColumn'] as const) columns[name].set(segments[name]);
  for (const [index, { line, column }] of boundaries.entries()) {
    columns.boundaryLine[index] = line;
    columns.boundaryColumn[index] = column;
  }
  columns.boundaryName.set(names);
  writeStrings(columns.stringEnds, areas.strings, strings);
  writeContents(columns, areas.contents, map.contents, contentLines);
  return bytes;
}

/** Finds the lines of all texts. @throws {SymbolDataError} for more than a script may have */
export function linesOfAll(texts: readonly (string | null)[]): (Lines | null)[] {
  let left = linesMax;
  return texts.map((text) => {
    const lines = text === null ? null : linesOf(text, left);
    if (text !== null && lines === null) throw new SymbolDataError('map', `its texts have more than ${linesMax} lines`);
    left -= lines?.starts.length ?? 0;
    return lines;
  });
}

/** Names of sources, then those of functions, each once; and of each boundary the place of its name. */
function internNames(sources: readonly string[], boundaries: readonly NamedBoundary[]) {
  const strings = [...sources];
  const known = new Map<string, number>();
  const names = boundaries.map(({ name }) => {
    if (name === undefined) return none;
    const index = known.get(name) ?? strings.push(name) - 1;
    known.set(name, index);
    return index;
  });
  return { strings, names };
}

/** Writes strings one after another, and where each ends. */
export function writeStrings(ends: Uint32Array, target: Buffer, strings: readonly string[]): void {
  let end = 0;
  for (const [index, string] of strings.entries()) {
    end += target.write(string, end);
    ends[index] = end;
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
