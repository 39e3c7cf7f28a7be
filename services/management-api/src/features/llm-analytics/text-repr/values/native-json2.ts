import { rawNumber } from '@millrace/json/exact-json.ts';
import { TextTooLarge, textUnitsMax } from './text-too-large.ts';

/** `JSON.stringify` recurses; deeper values are printed by `writeContainer`. */
const depthMax = 200;
/** Python prints smaller numbers with an exponent, as JavaScript does not. */
const leastAlike = 1e-4;

/**
 * Text that `JSON.stringify(value, null, 2)` prints, when it is what Python prints but for the escapes of other characters than
 * ASCII; null for maps, very small numbers, and deep values. It is five times as fast as printing here.
 * @throws {TextTooLarge} before a text is made that would be
 */
export function nativeJson2(value: unknown): string | null {
  return new Measure().isAlike(value, 0) ? JSON.stringify(value, null, 2) : null;
}

class Measure {
  /** The text has at least so many units. */
  #units = 0;

  isAlike(value: unknown, depth: number): boolean {
    if (typeof value === 'string') return this.#add(value.length);
    if (typeof value === 'number')
      return Number.isInteger(value) || (Number.isFinite(value) && Math.abs(value) >= leastAlike);
    if (typeof value !== 'object') return typeof value === 'boolean';
    if (value === null || rawNumber(value) !== null) return true;
    if (depth === depthMax || value instanceof Map) return false;
    if (Array.isArray(value)) {
      this.#add(value.length * (2 * depth + 3));
      for (const item of value) if (!this.isAlike(item, depth + 1)) return false;
      return true;
    }
    const object = value as Record<string, unknown>;
    for (const key of Object.keys(object)) {
      this.#add(key.length + 2 * depth + 6);
      if (!this.isAlike(object[key], depth + 1)) return false;
    }
    return true;
  }

  #add(units: number): true {
    this.#units += units;
    if (this.#units > textUnitsMax) throw new TextTooLarge();
    return true;
  }
}
