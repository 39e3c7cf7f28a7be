import { marksIn, marksMax } from '../text-repr/values/marks.ts';

const encoder = new TextEncoder();

/** Values that may still be parsed, all texts of a trace together: as many as one body may have (`refuseTooManyValues`). */
export class ValueBudget {
  #left = marksMax;

  /** True, and taken, when all values of this JSON text (of UTF-8) may be parsed; false, and nothing is taken, when they are too many. */
  take(json: string | Uint8Array): boolean {
    const marks = marksIn(typeof json === 'string' ? encoder.encode(json) : json);
    if (marks > this.#left) return false;
    this.#left -= marks;
    return true;
  }
}
