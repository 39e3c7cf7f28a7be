import { lengthsMax } from '../lengths.ts';
import { linesOfAll, type NamedBoundary, writeIndex } from '../index/write-index.ts';
import { decodeMappings } from '../source-map/decode-mappings.ts';
import { none, type Segments } from '../source-map/segments.ts';
import { readSourceMap } from '../source-map/source-map.ts';
import { cut } from '../text/cut.ts';
import { type FunctionMap, functionAt, readFunctionMaps } from './function-map.ts';

/**
 * Compiles the map of a bundle in Hermes' bytecode, whose columns are addresses, into an index as of a script. Names of functions
 * are those that Metro wrote down; without them a frame has its place alone. Pure. @throws {SymbolDataError}
 */
export function compileHermes(mapText: string): Buffer {
  const map = readSourceMap(mapText);
  const segments = decodeMappings(map.pieces);
  const functions = map.pieces.flatMap(({ functionMaps, sourceCount }) => readFunctionMaps(functionMaps, sourceCount));
  const boundaries = boundariesOf(segments, functions);
  return writeIndex({ map, segments, contentLines: linesOfAll(map.contents), boundaries });
}

/** Cuts the bytecode where the function that its segments lead to changes. */
function boundariesOf(segments: Segments, functions: readonly (FunctionMap | null)[]): NamedBoundary[] {
  const boundaries: NamedBoundary[] = [];
  for (let line = 0; line < segments.lineStarts.length - 1; line++) {
    const start = segments.lineStarts[line] as number;
    const end = segments.lineStarts[line + 1] as number;
    for (let at = start; at < end; at++) {
      const column = segments.column[at] as number;
      // A look-up finds the first of the segments in one place.
      if (at > start && segments.column[at - 1] === column) continue;
      const name = nameOf(segments, functions, at);
      if (boundaries.at(-1)?.name !== name) boundaries.push({ line, column, name });
    }
  }
  return boundaries;
}

function nameOf(segments: Segments, functions: readonly (FunctionMap | null)[], at: number): string | undefined {
  const source = segments.source[at] as number;
  const map = source === none ? null : functions[source];
  if (map === null || map === undefined) return undefined;
  const name = functionAt(map, (segments.originalLine[at] as number) + 1, segments.originalColumn[at] as number);
  return name === undefined ? undefined : cut(name, lengthsMax.name);
}
