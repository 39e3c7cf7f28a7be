import type { RenderedText } from '../../text-repr/lines/finish.ts';
import type { Mark } from '../../text-repr/lines/lines.ts';

/** The tree that the renderer draws in front of lines. */
const drawing = /^[│├└─ ]+/;
const label = /^L(\d+): /;
/** Most lines that one quotation is made of. */
const linesMax = 20;

/** A rendered text by the numbers of its lines. Lines that a sample left out are not in it. */
export class SourceText {
  readonly #lines: readonly string[];
  /** Places by number; null when every line is in its place. */
  readonly #places: ReadonlyMap<number, number> | null;
  readonly marks: readonly Mark[];
  /** False: a sample or a cut has left lines out. */
  readonly isWhole: boolean;
  /** First lines of steps that are in the text, by place. */
  readonly #stepLines = new Map<number, number>();
  readonly firstLine: number;
  readonly lastLine: number;

  constructor({ text, truncated, lineCount, marks }: RenderedText) {
    this.#lines = text.split('\n');
    this.#places = truncated ? placesOf(this.#lines) : null;
    this.marks = marks;
    this.isWhole = !truncated;
    for (const { kind, nodeIndex, firstLine } of marks)
      if (kind === 'node' && nodeIndex !== null) this.#stepLines.set(nodeIndex, firstLine);
    const numbers = this.#places === null ? null : [...this.#places.keys()];
    this.firstLine = numbers?.[0] ?? 1;
    this.lastLine = numbers === null ? lineCount : (numbers.at(-1) ?? 1);
  }

  /** The first line of a step that is in the text; null when none is. */
  lineOfStep(index: number): number | null {
    return this.#stepLines.get(index) ?? null;
  }

  /** Text of the lines from one number to another, of the first twenty that are not empty. */
  between(firstLine: number, lastLine: number): string {
    const texts: string[] = [];
    for (let number = firstLine; number <= lastLine && texts.length < linesMax; number++) {
      const text = this.line(number);
      if (text !== '') texts.push(text);
    }
    return texts.join('\n');
  }

  /** One line without its number and the tree; empty when it is not in the text. */
  line(number: number): string {
    const place = this.#places === null ? number - 1 : this.#places.get(number);
    const text = place === undefined ? undefined : this.#lines[place];
    return text === undefined ? '' : text.replace(label, '').replace(drawing, '').trim();
  }

  /** Numbers of the lines that are in the text, in order. */
  *numbers(): Iterable<number> {
    if (this.#places !== null) yield* this.#places.keys();
    else for (let number = 1; number <= this.#lines.length; number++) yield number;
  }
}

function placesOf(lines: readonly string[]): Map<number, number> {
  const places = new Map<number, number>();
  for (const [place, line] of lines.entries()) {
    const number = Number(label.exec(line)?.[1] ?? 0);
    if (number > 0) places.set(number, place);
  }
  return places;
}
