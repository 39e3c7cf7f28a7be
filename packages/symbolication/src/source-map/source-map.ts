import { lengthsMax } from '../lengths.ts';
import { SymbolDataError } from '../symbol-data-error.ts';
import { cut } from '../text/cut.ts';
import { countValues } from './count-values.ts';
import { sourceName } from './source-name.ts';

/** A place in the generated script, both from 0. */
interface GeneratedPosition {
  line: number;
  column: number;
}

/** One map: the whole of a flat one, or one section of an index map. */
export interface MapPiece {
  /** Where the section begins. */
  start: GeneratedPosition;
  /** Where the next one begins; its mappings from there on do not count. */
  end: GeneratedPosition | null;
  mappings: string;
  /** Its first source among all sources, and how many it has. The same of names. */
  firstSource: number;
  sourceCount: number;
  firstName: number;
  nameCount: number;
  /** `x_facebook_sources` as it stands: functions of the sources, by Metro. */
  functionMaps: unknown;
}

/** A source map, checked but for its mappings. Sources and names are those of all sections, one after another. */
export interface SourceMap {
  pieces: MapPiece[];
  /** Names of sources, cut, the root before them; an empty text for a source without a name. They are never opened. */
  sources: string[];
  /** Texts of sources, by the place of the source; null where the map has none. */
  contents: (string | null)[];
  names: string[];
}

/** Values of a map's JSON: a map of 50 MB has some 100,000, most of them names. */
const valuesMax = 1_000_000;
/** Lines of a script, and of the texts of all sources. */
export const linesMax = 10_000_000;

type Json = Readonly<Record<string, unknown>>;

/** Reads a flat map or an index map (ECMA-426). Reads no mappings. @throws {SymbolDataError} */
export function readSourceMap(text: string): SourceMap {
  const root = parseObject(text);
  const map: SourceMap = { pieces: [], sources: [], contents: [], names: [] };
  checkVersion(root);
  if (root.sections === undefined) addPiece(map, root, { line: 0, column: 0 });
  else addSections(map, root.sections);
  return map;
}

function parseObject(text: string): Json {
  // A first line against inclusion as a script, which ECMA-426 lets readers take away.
  const json = text.startsWith(")]}'") ? text.slice(text.indexOf('\n') + 1) : text;
  if (countValues(json, valuesMax) > valuesMax) throw invalid(`more than ${valuesMax} values`);
  try {
    return asObject(JSON.parse(json), 'the map');
  } catch (error) {
    if (error instanceof SymbolDataError) throw error;
    throw invalid('it is not JSON');
  }
}

function checkVersion({ version }: Json): void {
  if (version !== 3) throw invalid('its version is not 3');
}

function addSections(map: SourceMap, sections: unknown): void {
  if (!Array.isArray(sections)) throw invalid('sections is not a list');
  for (const value of sections as unknown[]) {
    const section = asObject(value, 'a section');
    const offset = asObject(section.offset, 'the offset of a section');
    const start = { line: asCount(offset.line), column: asCount(offset.column) };
    const piece = asObject(section.map, 'the map of a section');
    if (piece.sections !== undefined) throw invalid('a section has sections');
    checkVersion(piece);
    const before = map.pieces.at(-1);
    if (before !== undefined) {
      if (!isBefore(before.start, start)) throw invalid('sections are not in order');
      before.end = start;
    }
    addPiece(map, piece, start);
  }
}

function asCount(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 2 ** 31 - 1) return value;
  throw invalid('the offset of a section is not a line and a column');
}

const isBefore = (one: GeneratedPosition, other: GeneratedPosition): boolean =>
  one.line < other.line || (one.line === other.line && one.column < other.column);

function addPiece(map: SourceMap, piece: Json, start: GeneratedPosition): void {
  const { mappings, sourceRoot = null } = piece;
  if (typeof mappings !== 'string') throw invalid('mappings is not a text');
  if (sourceRoot !== null && typeof sourceRoot !== 'string') throw invalid('sourceRoot is not a text');
  if (start.line > linesMax) throw invalid(`more than ${linesMax} lines`);
  const sources = textsOf(piece.sources, 'sources');
  const names = textsOf(piece.names ?? [], 'names').map((name) => name ?? '');
  const contents = textsOf(piece.sourcesContent ?? [], 'sourcesContent');
  map.pieces.push({
    start,
    end: null,
    mappings,
    firstSource: map.sources.length,
    sourceCount: sources.length,
    firstName: map.names.length,
    nameCount: names.length,
    functionMaps: piece.x_facebook_sources,
  });
  for (const [index, source] of sources.entries()) {
    map.sources.push(source === null ? '' : cut(sourceName(sourceRoot, source), lengthsMax.file));
    map.contents.push(contents[index] ?? null);
  }
  for (const name of names) map.names.push(name);
}

function textsOf(value: unknown, name: string): (string | null)[] {
  if (!Array.isArray(value)) throw invalid(`${name} is not a list`);
  for (const text of value as unknown[])
    if (text !== null && typeof text !== 'string') throw invalid(`${name} holds what is not a text`);
  return value as (string | null)[];
}

function asObject(value: unknown, name: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(`${name} is not an object`);
  return value as Json;
}

const invalid = (reason: string): SymbolDataError => new SymbolDataError('map', reason);
