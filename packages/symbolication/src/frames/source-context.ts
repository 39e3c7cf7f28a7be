import type { SymbolIndex } from '../index/symbol-index.ts';
import { cut } from '../text/cut.ts';
import type { RawFrame } from './raw-frame.ts';

/** A line of a source, its number from 1. */
interface SourceLine {
  number: number;
  line: string;
}

/** Lines around a frame, in ascending order (contract/decisions 116). */
export interface SourceContext {
  before: SourceLine[];
  line: SourceLine;
  after: SourceLine[];
}

/** Lines on each side. */
export const contextLines = 15;
/** Characters of a line. */
export const lineLengthMax = 300;
/** As many bytes of UTF-8 have more characters than are kept. */
const lineBytesMax = 4 * (lineLengthMax + 1);

/** Lines around a place that a map leads to; null when the map has no text of the source, or a shorter one. */
export function contextOf(index: SymbolIndex, sourceIndex: number, line: number): SourceContext | null {
  const first = Math.max(line - contextLines, 1);
  const texts = index.linesOf(sourceIndex, first, line + contextLines, lineBytesMax);
  return contextAround(texts, first, line);
}

/** Lines that an SDK sent with a frame; null for a frame without them. Pure. */
export function contextSent({ line, preContext, contextLine, postContext }: RawFrame): SourceContext | null {
  if (line === undefined || contextLine === undefined) return null;
  const before = preContext.slice(-contextLines);
  return contextAround([...before, contextLine, ...postContext.slice(0, contextLines)], line - before.length, line);
}

/** Context of a line among texts of which the first has this number. */
function contextAround(texts: readonly string[], first: number, line: number): SourceContext | null {
  const at = line - first;
  const own = texts[at];
  return own === undefined
    ? null
    : {
        before: numbered(texts, 0, at, first),
        line: { number: line, line: cut(own, lineLengthMax) },
        after: numbered(texts, at + 1, texts.length, first),
      };
}

/** Texts from one place to another with their numbers. */
function numbered(texts: readonly string[], from: number, to: number, first: number): SourceLine[] {
  const lines: SourceLine[] = [];
  for (let at = from; at < to; at++) lines.push({ number: first + at, line: cut(texts[at] as string, lineLengthMax) });
  return lines;
}
