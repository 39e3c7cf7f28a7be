import { SymbolDataError } from '../symbol-data-error.ts';
import { VlqReader } from '../source-map/vlq-reader.ts';

/** Functions of a source, by the places where the innermost one changes. */
export interface FunctionMap {
  /** From 1, ascending. */
  lines: number[];
  /** From 0. */
  columns: number[];
  names: (string | undefined)[];
}

/** Name that Metro gives to the code outside of functions. */
const outside = '<global>';
/** Places in the functions of all sources: a large app has some 300,000. */
const placesMax = 2_000_000;

/**
 * Reads `x_facebook_sources` of one map: of each source the functions that Metro found in it; null where it found none, or where
 * the map has no such list. @throws {SymbolDataError}
 */
export function readFunctionMaps(value: unknown, sourceCount: number): (FunctionMap | null)[] {
  const list = value === undefined || value === null ? [] : value;
  if (!Array.isArray(list)) throw invalid('x_facebook_sources is not a list');
  let left = placesMax;
  return Array.from({ length: sourceCount }, (_, index) => {
    const metadata = list[index] as unknown;
    const map = Array.isArray(metadata) ? readFunctionMap(metadata[0], left) : null;
    left -= map?.lines.length ?? 0;
    return map;
  });
}

function readFunctionMap(value: unknown, most: number): FunctionMap | null {
  if (typeof value !== 'object' || value === null) return null;
  const { names, mappings } = value as { names?: unknown; mappings?: unknown };
  if (!Array.isArray(names) || typeof mappings !== 'string') throw invalid('a function map has no names or mappings');
  const map: FunctionMap = { lines: [], columns: [], names: [] };
  const reader = new VlqReader(mappings);
  let [line, column, name] = [1, 0, 0];
  while (!reader.isAtEnd()) {
    if (reader.isAtSeparator()) {
      if (reader.isAtLineEnd()) column = 0;
      reader.skip();
      continue;
    }
    column = reader.add(column);
    name = reader.isAtSeparator() ? name : reader.add(name);
    line = reader.isAtSeparator() ? line : reader.add(line);
    if (!reader.isAtSeparator()) throw invalid('a function map has a place of more than 3 fields');
    if (map.lines.length >= most) throw invalid(`more than ${placesMax} places of functions`);
    map.lines.push(line);
    map.columns.push(column);
    map.names.push(nameOf(names[name]));
  }
  return map;
}

const nameOf = (name: unknown): string | undefined => (typeof name === 'string' && name !== outside ? name : undefined);

/** Name of the innermost function around a place, its line from 1; undefined outside of functions. */
export function functionAt({ lines, columns, names }: FunctionMap, line: number, column: number): string | undefined {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const ofLine = lines[middle] as number;
    if (ofLine < line || (ofLine === line && (columns[middle] as number) <= column)) low = middle + 1;
    else high = middle;
  }
  return names[low - 1];
}

const invalid = (reason: string): SymbolDataError => new SymbolDataError('map', reason);
