import { codePoints, firstCodePoints } from '../values/code-points.ts';
import { fixedDecimals } from '../values/python-numbers.ts';
import { lineCount } from './lines.ts';
import type { NumberedLines } from './numbered-lines.ts';

/** The first lines are always left. */
const headerLines = 5;
/** The note of sampling stands behind so many of them. */
const linesBeforeNote = 2;
const triesMax = 10;
/** How many fewer lines the next try takes than the length of the last one asks for. */
const margin = 0.9;

export interface Sample {
  readonly text: string;
  /** Numbers of the lines in it, ascending; null when the text is the beginning of the whole. */
  readonly kept: readonly number[] | null;
}

/**
 * A text of at most `maxLength` code points out of one that is longer: its first five lines, a note, and lines at equal
 * distances of the rest (contract/llm-surveys 5.9). A text of fewer lines, or of too long ones, is cut.
 */
export function sampleLines(lines: NumberedLines, length: number, maxLength: number): Sample {
  const cut = (): Sample => ({ text: firstCodePoints(lines.join(2 * maxLength), maxLength), kept: null });
  const bodyCount = lines.count - headerLines;
  if (bodyCount <= 0) return cut();
  const header = lines.at(Array.from({ length: headerLines }, (_, index) => index));
  const headerLength = codePoints(header.join('\n')) + 1;
  const room = maxLength - headerLength - (noteOf(100, lines.count).length + 1);
  if (room <= 0) return cut();
  const average = (length - headerLength + 1) / bodyCount;
  let target = Math.floor(room / average);
  if (target >= bodyCount) return cut();
  target = Math.max(target, 1);
  for (let tries = 0; ; tries++) {
    const indexes = evenly(target, bodyCount);
    const note = noteOf((target / bodyCount) * 100, lines.count);
    const parts = [...header.slice(0, linesBeforeNote), note, ...header.slice(linesBeforeNote), ...lines.at(indexes)];
    const text = parts.join('\n');
    // The note is not a line of the text, so it has no number.
    const kept = [1, 2, 3, 4, 5, ...indexes.map((index) => index + 1)];
    const sampled = codePoints(text);
    if (sampled <= maxLength) return { text, kept };
    if (tries === triesMax) {
      const beginning = firstCodePoints(text, maxLength);
      return { text: beginning, kept: kept.slice(0, lineCount(beginning) - 1) };
    }
    target = Math.max(Math.floor(target * ((maxLength / sampled) * margin)), 1);
  }
}

/** Indexes of `target` lines of the body at equal distances. */
function evenly(target: number, bodyCount: number): number[] {
  return Array.from({ length: target }, (_, index) => headerLines + Math.floor((index * bodyCount) / target));
}

function noteOf(percent: number, total: number): string {
  const lines = String(total).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `[SAMPLED VIEW: Showing ~${fixedDecimals(percent, 0)}% of ${lines} lines. Gaps in line numbers indicate omitted content.]`;
}
