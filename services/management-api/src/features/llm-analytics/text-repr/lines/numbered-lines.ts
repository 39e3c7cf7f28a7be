import { codePoints } from '../values/code-points.ts';
import type { Piece } from './lines.ts';

/** Text of lines that begin with the same prefix, which has no surrogates. */
interface JoinedPiece {
  readonly prefix: string;
  readonly text: string;
  readonly lines: number;
}

/**
 * The lines of pieces, each with its number in front when they are numbered: `L`, the number as wide as the highest one, `: `.
 * Lines are made when they are read: a deep tree whose prefixes have 100 times the length of its texts costs nothing until then.
 */
export class NumberedLines {
  readonly #pieces: readonly JoinedPiece[];
  readonly count: number;
  /** True when the lines have no lone surrogate. It is known at once of pieces that are Latin-1, unlike the text of all, which a tree makes no Latin-1. */
  readonly isWellFormed: boolean;
  /** Digits of a number; 0 when lines are not numbered. */
  readonly #digits: number;

  constructor(pieces: readonly Piece[], count: number, isNumbered: boolean) {
    this.#pieces = pieces.map(({ prefix, texts, lines }) => ({ prefix, text: texts.join('\n'), lines }));
    this.count = count;
    this.isWellFormed = this.#pieces.every(({ text }) => text.isWellFormed());
    this.#digits = isNumbered ? String(count).length : 0;
  }

  /** Length of all lines joined, in code points. */
  length(): number {
    const labelLength = this.#digits === 0 ? 0 : this.#digits + 3;
    let length = Math.max(0, this.#pieces.length - 1);
    for (const { prefix, text, lines } of this.#pieces)
      length += codePoints(text) + lines * (prefix.length + labelLength);
    return length;
  }

  /** All lines. With `enough`, only so many as reach that number of units. */
  join(enough = Infinity): string {
    const texts: string[] = [];
    let units = 0;
    let number = 1;
    for (const { prefix, text, lines } of this.#pieces) {
      if (this.#digits === 0 && prefix === '') {
        texts.push(text);
        units += text.length + 1;
        number += lines;
      } else {
        for (let start = 0; start <= text.length && units <= enough; number++) {
          const stop = endOfLine(text, start);
          const line = this.#label(number) + prefix + text.slice(start, stop);
          texts.push(line);
          units += line.length + 1;
          start = stop + 1;
        }
      }
      if (units > enough) break;
    }
    return texts.join('\n');
  }

  /** The lines with these indexes, from 0, which ascend. */
  at(indexes: readonly number[]): string[] {
    const taken: string[] = [];
    let first = 0;
    for (const piece of this.#pieces) {
      const end = first + piece.lines;
      let line = first;
      let start = 0;
      for (let index = indexes[taken.length]; index !== undefined && index < end; index = indexes[taken.length]) {
        for (; line < index; line++) start = piece.text.indexOf('\n', start) + 1;
        const text = piece.text.slice(start, endOfLine(piece.text, start));
        taken.push(this.#label(index + 1) + piece.prefix + text);
      }
      first = end;
    }
    return taken;
  }

  #label(number: number): string {
    return this.#digits === 0 ? '' : `L${String(number).padStart(this.#digits, '0')}: `;
  }
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}
