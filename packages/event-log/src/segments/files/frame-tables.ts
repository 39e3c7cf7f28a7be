import type { Frame } from './frame.ts';

/** Positions of the records of a part of a segment, by partition. They outlive the bytes of their window. */
export interface FrameTable {
  sequence: number;
  /** Positions in the segment; those of the frames count from `start`. */
  start: number;
  end: number;
  frames: readonly (readonly Frame[])[];
}

/** A cache of the tables of the parts that were read last, bounded by their records. */
export class FrameTables {
  readonly #framesMax: number;
  /** The oldest first. */
  #tables: FrameTable[] = [];
  #count = 0;

  constructor(framesMax: number) {
    this.#framesMax = framesMax;
  }

  add(table: FrameTable): void {
    this.#tables.push(table);
    this.#count += countOf(table);
    while (this.#count > this.#framesMax) this.#count -= countOf(this.#tables.shift() as FrameTable);
  }

  /** A table in which the position lies. */
  find(sequence: number, position: number): FrameTable | undefined {
    return this.#tables.findLast(
      ({ sequence: of, start, end }) => of === sequence && start <= position && position < end,
    );
  }

  remove(table: FrameTable): void {
    const kept = this.#tables.filter((other) => other !== table);
    if (kept.length < this.#tables.length) this.#count -= countOf(table);
    this.#tables = kept;
  }

  clear(): void {
    this.#tables = [];
    this.#count = 0;
  }
}

function countOf({ frames }: FrameTable): number {
  let count = 0;
  for (const { length } of frames) count += length;
  return count;
}
