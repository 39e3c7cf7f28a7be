/** The lines that are left of a text: the first five, and `taken` of the `bodyCount` others at equal distances. */
export class KeptLines {
  static readonly headerLines = 5;
  readonly #bodyCount: number;
  readonly #taken: number;
  /** Number of lines that are left of these, from the first on. */
  readonly #limit: number;

  constructor(bodyCount: number, taken: number, limit = Infinity) {
    this.#bodyCount = bodyCount;
    this.#taken = taken;
    this.#limit = limit;
  }

  /** The first lines of a text, and no others. */
  static first(count: number): KeptLines {
    return new KeptLines(count, count, count);
  }

  limitedTo(limit: number): KeptLines {
    return new KeptLines(this.#bodyCount, this.#taken, limit);
  }

  /** Indexes of the lines that were taken behind the header, from 0 for the first of the text. */
  bodyIndexes(): number[] {
    const indexes = new Array<number>(this.#taken);
    for (let place = 0; place < this.#taken; place++) indexes[place] = this.#numberAt(place) - 1;
    return indexes;
  }

  /** The numbers of the first and the last line that is left between two numbers; null when none is. */
  within(firstLine: number, lastLine: number): { firstLine: number; lastLine: number } | null {
    const from = this.#firstPlace(firstLine);
    const to = Math.min(this.#firstPlace(lastLine + 1), this.#limit, KeptLines.headerLines + this.#taken) - 1;
    return from > to ? null : { firstLine: this.#lineAt(from), lastLine: this.#lineAt(to) };
  }

  /** The place among the lines that are left of the first whose number is at least this. */
  #firstPlace(number: number): number {
    const { headerLines } = KeptLines;
    if (number <= headerLines + 1) return number - 1;
    return headerLines + Math.ceil(((number - headerLines - 1) * this.#taken) / this.#bodyCount);
  }

  #lineAt(place: number): number {
    return place < KeptLines.headerLines ? place + 1 : this.#numberAt(place - KeptLines.headerLines);
  }

  #numberAt(place: number): number {
    return KeptLines.headerLines + 1 + Math.floor((place * this.#bodyCount) / this.#taken);
  }
}
