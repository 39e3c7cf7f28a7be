import { codePoints, firstCodePoints } from '../values/code-points.ts';
import { fixedDecimals } from '../values/python-numbers.ts';
import { thousands } from '../values/thousands.ts';
import { KeptLines } from './kept-lines.ts';
import { lineCount } from './lines.ts';
import type { NumberedLines } from './numbered-lines.ts';

/** The note of sampling stands behind so many lines. */
const linesBeforeNote = 2;
const triesMax = 10;
/** How many fewer lines the next try takes than the length of the last one asks for. */
const margin = 0.9;

/** A text that was cut or sampled, and which lines are in it. */
export interface Sample {
  readonly text: string;
  readonly kept: KeptLines;
}

/**
 * A text of at most `maxLength` code points out of one of `length`, which is more: its first five lines, a note, and lines at
 * equal distances of the rest (contract/llm-surveys 5.9). A text of fewer lines, or of too long ones, is cut.
 */
export function sampleLines(lines: NumberedLines, length: number, maxLength: number): Sample {
  const { headerLines } = KeptLines;
  const bodyCount = lines.count - headerLines;
  if (bodyCount <= 0) return cut(lines, maxLength);
  const header = lines.at(Array.from({ length: headerLines }, (_, index) => index));
  const headerLength = codePoints(header.join('\n')) + 1;
  const room = maxLength - headerLength - (noteOf(100, lines.count).length + 1);
  const average = (length - headerLength + 1) / bodyCount;
  if (room <= 0) return cut(lines, maxLength);
  // Fewer than all: with all of them the text would not be too long.
  let target = Math.max(Math.floor(room / average), 1);
  for (let tries = 0; ; tries++) {
    const kept = new KeptLines(bodyCount, target);
    const top = [...header.slice(0, linesBeforeNote), noteOf((target / bodyCount) * 100, lines.count)];
    const body = lines.at(kept.bodyIndexes()).join('\n');
    const text = [...top, ...header.slice(linesBeforeNote), body].join('\n');
    const sampled = codePoints(text);
    if (sampled <= maxLength) return { text, kept };
    if (tries === triesMax) {
      const beginning = firstCodePoints(text, maxLength);
      // The note is not a line of the text.
      return { text: beginning, kept: kept.limitedTo(lineCount(beginning) - 1) };
    }
    target = Math.max(Math.floor(target * ((maxLength / sampled) * margin)), 1);
  }
}

function cut(lines: NumberedLines, maxLength: number): Sample {
  const text = firstCodePoints(lines.join(2 * maxLength), maxLength);
  return { text, kept: KeptLines.first(lineCount(text)) };
}

function noteOf(percent: number, total: number): string {
  const lines = thousands(total);
  return `[SAMPLED VIEW: Showing ~${fixedDecimals(percent, 0)}% of ${lines} lines. Gaps in line numbers indicate omitted content.]`;
}
