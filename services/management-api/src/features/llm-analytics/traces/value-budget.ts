import { valuesIn, valuesMax } from '../text-repr/values/value-count.ts';

const encoder = new TextEncoder();

/** Values that may still be parsed, all texts of a trace together: as many as one body may have (`valuesMax`). */
export class ValueBudget {
  #left = valuesMax;

  /** True, and taken, when all values of this JSON text (of UTF-8) may be parsed; false, and nothing is taken, when they are too many. */
  take(json: string | Uint8Array): boolean {
    const count = valuesIn(typeof json === 'string' ? encoder.encode(json) : json);
    if (count > this.#left) return false;
    this.#left -= count;
    return true;
  }
}
