import { findFunctions } from '../function-names/find-functions.ts';
import { boundariesOf } from '../function-names/function-ranges.ts';
import { type MappedScript, nameOf } from '../function-names/name-functions.ts';
import { decodeMappings } from '../source-map/decode-mappings.ts';
import { readSourceMap } from '../source-map/source-map.ts';
import { lineAt, type Lines } from '../text/lines.ts';
import { linesOfAll, type NamedBoundary, writeIndex } from './write-index.ts';

/**
 * Compiles a minified script and its map into an index, which `openIndex` reads without parsing. Needs some 100 bytes of memory
 * for each segment, most of them for the parser of the script. Pure.
 * @throws {SymbolDataError} for a map that cannot be read; a script that cannot be parsed only lacks names of functions
 */
export function compileIndex(script: string, mapText: string): Buffer {
  const map = readSourceMap(mapText);
  const segments = decodeMappings(map.pieces);
  const contentLines = linesOfAll(map.contents);
  const [scriptLines] = linesOfAll([script]) as [Lines];
  const boundaries = functionBoundaries({ script, scriptLines, map, segments, contentLines });
  return writeIndex({ map, segments, contentLines, boundaries });
}

/** Where the innermost function changes, with its name. */
function functionBoundaries(mapped: MappedScript): NamedBoundary[] {
  const functions = findFunctions(mapped.script);
  const names = functions.map((found) => nameOf(found, mapped));
  const { starts } = mapped.scriptLines;
  return boundariesOf(functions).map(({ place, index }) => {
    const line = lineAt(starts, place);
    return { line, column: place - (starts[line] as number), name: names[index] };
  });
}
