import { rawNumber } from '@millrace/json/exact-json.ts';

/** Below this Python writes floats with an exponent; JavaScript does so from 1e-6 on. */
const leastWithoutExponent = 1e-4;

/** The text of a number in Python: a raw number as it was written, a whole one by its digits. Infinity is `inf`. */
export function numberText(value: number): string {
  if (Number.isInteger(value)) return String(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  if (Math.abs(value) >= leastWithoutExponent) return String(value);
  const [digits = '', exponent = ''] = value.toExponential().split('e-');
  return `${digits}e-${exponent.padStart(2, '0')}`;
}

/** Python's `f"{value:.{places}f}"`. Halves go to the even digit, where `toFixed` goes up: 0.125 is `0.12`. */
export function fixedDecimals(value: number, places: number): string {
  if (!Number.isFinite(value)) return numberText(value);
  const magnitude = Math.abs(value);
  const sign = value < 0 ? '-' : '';
  if (magnitude >= 1e21) return `${sign}${BigInt(magnitude)}${places === 0 ? '' : `.${'0'.repeat(places)}`}`;
  const rounded = magnitude.toFixed(places);
  // A double is a tie at this place exactly when so many doublings make it an odd whole number.
  const doubled = magnitude * 2 ** (places + 1);
  const last = Number(rounded.at(-1));
  if (!Number.isInteger(doubled) || doubled % 2 === 0 || last % 2 === 0) return sign + rounded;
  return `${sign}${rounded.slice(0, -1)}${last - 1}`;
}

const decimalText = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** The number that a value is, or that a text says; null for all others. True and false are 1 and 0, as in Python. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const text = typeof value === 'string' ? value : rawNumber(value);
  return text !== null && decimalText.test(text) ? Number(text) : null;
}
