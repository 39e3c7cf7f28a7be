import { lengthsMax } from '../lengths.ts';
import { findSegment, type Segments } from '../source-map/segments.ts';
import type { SourceMap } from '../source-map/source-map.ts';
import { lineAt, type Lines } from '../text/lines.ts';
import type { Declaration, FoundFunction } from './find-functions.ts';
import { readFunctionName, readName } from './read-name.ts';

/** Name of functions that have none in their source. */
const anonymous = '<anonymous>';

/** Segments in one place: as many as functions that were inlined into one another. */
const segmentsMax = 50;

/** A minified script with its map. */
export interface MappedScript {
  script: string;
  scriptLines: Lines;
  map: Pick<SourceMap, 'names' | 'contents'>;
  segments: Segments;
  /** Lines of each source that has a text. */
  contentLines: readonly (Lines | null)[];
}

/**
 * Name that a function of a minified script has in its source; undefined where nothing says it, since no name is better than
 * one that misleads. Pure.
 */
export function nameOf({ start, declaration }: FoundFunction, mapped: MappedScript): string | undefined {
  const name = declaration === null ? nameAtStart(start, mapped) : declaredName(declaration, mapped);
  return name?.slice(0, lengthsMax.name);
}

/** By the map's names, else by the source, else by the script where minifying keeps the name. */
function declaredName({ start, end, isKept }: Declaration, mapped: MappedScript): string | undefined {
  const { names } = mapped.map;
  const found = segmentsAt(start, mapped);
  return (
    firstText(found, (at) => names[mapped.segments.name[at] as number]) ??
    firstText(found, (at) => readSource(at, mapped, readName)) ??
    (isKept ? readName(mapped.script.slice(start, end), 0) : undefined)
  );
}

/** Minifying takes away a function's own name that the function does not use; the source has it behind `function`. */
const nameAtStart = (start: number, mapped: MappedScript): string =>
  firstText(segmentsAt(start, mapped), (at) => readSource(at, mapped, readFunctionName)) ?? anonymous;

/** Segments that begin right at this place of the script: an inlined function has that of its call before its own. */
function segmentsAt(place: number, { scriptLines: { starts }, segments }: MappedScript): number[] {
  const line = lineAt(starts, place);
  const column = place - (starts[line] as number);
  const found = [];
  const end = segments.lineStarts[line + 1] ?? 0;
  let at = findSegment(segments, line, column);
  while (at !== -1 && at < end && segments.column[at] === column && found.length < segmentsMax) found.push(at++);
  return found;
}

function firstText(found: readonly number[], textOf: (at: number) => string | undefined): string | undefined {
  for (const at of found) {
    const text = textOf(at);
    if (text !== undefined && text !== '') return text;
  }
  return undefined;
}

/** Reads the source text at the place that a segment names. */
function readSource(
  at: number,
  { segments, map, contentLines }: MappedScript,
  read: (text: string, place: number) => string | undefined,
): string | undefined {
  const source = segments.source[at] as number;
  const content = map.contents[source];
  const start = contentLines[source]?.starts[segments.originalLine[at] as number];
  if (typeof content !== 'string' || start === undefined) return undefined;
  return read(content, start + (segments.originalColumn[at] as number));
}
