const pattern = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?Z?$/;
const earliestMs = Date.UTC(1900, 0, 1);
const endMs = Date.UTC(2300, 0, 1);

/**
 * Microseconds since 1970 of a UTC time; null when it is none, or lies outside what ClickHouse can store (1900–2299).
 * Exact: a bigint where a number would not be. Pure.
 */
export function parseMicroseconds(value: string | Date): number | bigint | null {
  if (typeof value !== 'string') return toMicroseconds(value.getTime(), 0);
  return value.length === usualTimeLength ? parseUsual(value) : parseAny(value);
}

/** Length of the form that capture writes, with six digits of a second and Z. */
export const usualTimeLength = '2026-01-31T10:00:00.123456Z'.length;
const hyphen = 0x2d;
const colon = 0x3a;
const dot = 0x2e;
const space = 0x20;
const upperT = 0x54;
const upperZ = 0x5a;

/** The day that was met last, as the number that its eight digits make, and its beginning: most times of a batch are of few days. */
let known = { day: NaN, ms: NaN };

/** Digit by digit: each event has two times, and an import has as many minutes as events. */
function parseUsual(text: string): number | bigint | null {
  const day = digitsAt(text, 0, 4) * 10_000 + digitsAt(text, 5, 2) * 100 + digitsAt(text, 8, 2);
  const hour = digitsAt(text, 11, 2);
  const minute = digitsAt(text, 14, 2);
  const second = digitsAt(text, 17, 2);
  const microsecond = digitsAt(text, 20, 6);
  // A number that is none is no number below anything.
  if (!(day >= 0 && hour < 24 && minute < 60 && second < 60 && microsecond < 1_000_000) || !isPunctuated(text))
    return null;
  if (day !== known.day) {
    const start = parseAny(`${text.slice(0, 10)}T00:00:00Z`);
    if (start === null) return null;
    known = { day, ms: Number(BigInt(start) / 1000n) };
  }
  return toMicroseconds(known.ms + ((hour * 60 + minute) * 60 + second) * 1000, microsecond);
}

/** Checks the characters between the digits. */
function isPunctuated(text: string): boolean {
  const middle = text.charCodeAt(10);
  return (
    text.charCodeAt(4) === hyphen &&
    text.charCodeAt(7) === hyphen &&
    (middle === upperT || middle === space) &&
    text.charCodeAt(13) === colon &&
    text.charCodeAt(16) === colon &&
    text.charCodeAt(19) === dot &&
    text.charCodeAt(26) === upperZ
  );
}

/** The number that so many digits make; NaN when one is none. */
function digitsAt(text: string, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return NaN;
    value = value * 10 + digit;
  }
  return value;
}

function parseAny(value: string): number | bigint | null {
  const parts = pattern.exec(value);
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second, fraction = ''] = parts;
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  // `Date.UTC` makes 3 March of 31 February: such a day is refused, and so is a month 13.
  const moment = new Date(ms);
  if (
    moment.getUTCDate() !== Number(day) ||
    moment.getUTCMonth() !== Number(month) - 1 ||
    Number(hour) > 23 ||
    Number(minute) > 59 ||
    Number(second) > 59
  )
    return null;
  return toMicroseconds(ms, Number(fraction.padEnd(6, '0')));
}

function toMicroseconds(ms: number, microseconds: number): number | bigint | null {
  if (!(ms >= earliestMs && ms < endMs)) return null;
  const sum = ms * 1000 + microseconds;
  return Number.isSafeInteger(sum) ? sum : BigInt(ms) * 1000n + BigInt(microseconds);
}
