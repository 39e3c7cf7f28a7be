import type { Spread } from './statistics.ts';

/** A figure with as many digits as mean something: three, and no fraction from 100 on. Pure. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`not a figure: ${value}`);
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits);
}

/** `34.1 µs (33.0–36.2)`: the middle one and both ends. Pure. */
export const spread = ({ median, least, greatest }: Spread, unit: string): string =>
  `${figure(median)} ${unit} (${figure(least)}–${figure(greatest)})`;

/** A count with spaces between thousands: `12 300`, rounded to three digits. Pure. */
export function count(value: number): string {
  const rounded = Number(value.toPrecision(3));
  return String(Math.round(rounded)).replace(/\B(?=(\d{3})+$)/g, ' ');
}
