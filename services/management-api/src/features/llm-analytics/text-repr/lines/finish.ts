import { codePoints } from '../values/code-points.ts';
import { TextTooLarge, textUnitsMax } from '../values/text-too-large.ts';
import type { KeptLines } from './kept-lines.ts';
import type { Lines, Mark } from './lines.ts';
import { NumberedLines } from './numbered-lines.ts';
import type { RenderOptions } from './options.ts';
import { sampleLines } from './sample.ts';

/** A rendered event or trace. */
export interface RenderedText {
  /** Well-formed: lone surrogates are U+FFFD. */
  readonly text: string;
  /** Length of the text in code points. */
  readonly charCount: number;
  /** True when `maxLength` cut or sampled the text. */
  readonly truncated: boolean;
  /** Number of lines before that: the highest number that a line can have. */
  readonly lineCount: number;
  /** Marks of parts that still have a line in the text, in the order of their ends. Lines keep their numbers when others are left out. */
  readonly marks: readonly Mark[];
}

/** All lines joined, neither numbered nor bounded. */
export function joinLines(lines: Lines): string {
  return new NumberedLines(lines.pieces, lines.count, false).join();
}

/**
 * The text of lines: numbered, then bounded (contract/llm-surveys 5.9).
 * @throws {TextTooLarge}
 */
export function finishText(lines: Lines, options: RenderOptions): RenderedText {
  if (lines.count === 0) lines.add('');
  const numbered = new NumberedLines(lines.pieces, lines.count, options.includeLineNumbers);
  const length = numbered.length();
  const { maxLength } = options;
  const isCut = maxLength > 0 && length > maxLength;
  if ((isCut ? maxLength : length) > textUnitsMax) throw new TextTooLarge();
  const rest = { truncated: isCut, lineCount: lines.count };
  if (!isCut) {
    const text = numbered.join();
    const wellFormed = numbered.isWellFormed ? text : text.toWellFormed();
    return { text: wellFormed, charCount: length, ...rest, marks: lines.marks };
  }
  const { text, kept } = sampleLines(numbered, length, maxLength);
  return {
    text: text.toWellFormed(),
    charCount: codePoints(text),
    ...rest,
    marks: marksIn(kept, lines.marks),
  };
}

function marksIn(kept: KeptLines, marks: readonly Mark[]): Mark[] {
  const left: Mark[] = [];
  for (const mark of marks) {
    const within = kept.within(mark.firstLine, mark.lastLine);
    if (within !== null) left.push({ ...mark, ...within });
  }
  return left;
}
