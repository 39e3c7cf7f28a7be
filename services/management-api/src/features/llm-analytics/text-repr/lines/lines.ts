import { TextTooLarge, textUnitsMax } from '../values/text-too-large.ts';

/** Parts of a text that a reader may refer to. */
export type MarkKind = 'node' | 'tools' | 'input' | 'output' | 'error' | 'message' | 'content' | 'call';

/** Where a part of the data stands in the text. Lines count from 1, as `include_line_numbers` numbers them. */
export interface Mark {
  readonly kind: MarkKind;
  /** Id of the event in the tree; null for the trace itself, and for an event that is rendered alone. */
  readonly node: string | null;
  /** Place of that event among all of the tree, in the order of their lines, from 0; null where `node` is. */
  readonly nodeIndex: number | null;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Number of the message, from 1; null for parts that belong to none. */
  readonly message: number | null;
  /** Role of a message, name of a called tool, event name of a node; else empty. */
  readonly name: string;
}

/** Lines in a row that begin with the same prefix. */
export interface Piece {
  readonly prefix: string;
  /** Each is one line or several. */
  readonly texts: string[];
  /** Number of lines in all of them. */
  lines: number;
}

/**
 * The lines of a text, in order, and the marks of its parts. A content is kept as it came: it is cut into lines only where
 * prefixes, numbers or samples need them.
 */
export class Lines {
  readonly pieces: Piece[] = [];
  readonly marks: Mark[] = [];
  /** Number of lines so far. */
  count = 0;
  /** In front of each line that is added from now on. */
  prefix = '';
  /** The event and the message that marks are about from now on. */
  node: string | null = null;
  nodeIndex: number | null = null;
  message: number | null = null;
  #units = 0;

  /** @throws {TextTooLarge} when the lines without their prefixes are more than 128 Mi units. */
  add(...texts: readonly string[]): void {
    let piece = this.pieces.at(-1);
    if (piece?.prefix !== this.prefix) this.pieces.push((piece = { prefix: this.prefix, texts: [], lines: 0 }));
    for (const text of texts) {
      this.#units += text.length + 1;
      if (this.#units > textUnitsMax) throw new TextTooLarge();
      const lines = lineCount(text);
      piece.texts.push(text);
      piece.lines += lines;
      this.count += lines;
    }
  }

  /** Marks the lines from `firstLine` to the last one so far. */
  markFrom(firstLine: number, kind: MarkKind, name = ''): void {
    this.#mark(kind, name, firstLine, this.count);
  }

  /** Marks one line. */
  markLine(line: number, kind: MarkKind, name: string): void {
    this.#mark(kind, name, line, line);
  }

  #mark(kind: MarkKind, name: string, firstLine: number, lastLine: number): void {
    const { node, nodeIndex, message } = this;
    this.marks.push({ kind, node, nodeIndex, firstLine, lastLine, message, name });
  }
}

/** The number of lines of a text: only `\n` ends one. */
export function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
