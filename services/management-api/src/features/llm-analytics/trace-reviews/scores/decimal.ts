/** An exact decimal number: `digits` divided by ten to the power of `scale`, which is not negative. */
export interface Decimal {
  digits: bigint;
  scale: number;
}

const form = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d{1,4}))?$/i;

/** Longest text of a number: the digits of a longer one would take long to read. */
const lengthMax = 400;

/** The number of a text, or of a number by its shortest digits; null: it is none, or a very long one. Pure. */
export function readDecimal(value: string | number): Decimal | null {
  const text = String(value).trim();
  const match = text.length > lengthMax ? null : form.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = match[4] ?? '', , exponent = '0'] = match;
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** The number without an exponent, with all of its decimals. Pure. */
export function decimalText({ digits, scale }: Decimal): string {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const point = text.length - scale;
  return `${digits < 0n ? '-' : ''}${text.slice(0, point)}${scale > 0 ? `.${text.slice(point)}` : ''}`;
}

/** Negative: `one` is less than `other`; 0: they are equal. Pure. */
export function compare(one: Decimal, other: Decimal): number {
  const [first, second] = aligned(one, other);
  return first < second ? -1 : first > second ? 1 : 0;
}

/** True when `value` is `start` and a whole number of steps, of which one is not 0. Pure. */
export function isOnStep(value: Decimal, start: Decimal, step: Decimal): boolean {
  const scale = Math.max(value.scale, start.scale, step.scale);
  return (scaled(value, scale) - scaled(start, scale)) % scaled(step, scale) === 0n;
}

const scaled = ({ digits, scale }: Decimal, to: number): bigint => digits * 10n ** BigInt(to - scale);

function aligned(one: Decimal, other: Decimal): [bigint, bigint] {
  const scale = Math.max(one.scale, other.scale);
  return [scaled(one, scale), scaled(other, scale)];
}
