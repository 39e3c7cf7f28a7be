const pattern = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?Z?$/;
const earliestMs = Date.UTC(1900, 0, 1);
const endMs = Date.UTC(2300, 0, 1);

/**
 * Microseconds since 1970 of a UTC time; null when it is none, or lies outside what ClickHouse can store (1900–2299).
 * Exact: a bigint where a number would not be. Pure.
 */
export function parseMicroseconds(value: string | Date): number | bigint | null {
  if (typeof value !== 'string') return toMicroseconds(value.getTime(), 0);
  return value.length === usualLength ? parseUsual(value) : parseAny(value);
}

/** Length of the form that capture writes, with six digits of a second and Z, and of what stands in front of its seconds. */
const usualLength = '2026-01-31T10:00:00.123456Z'.length;
const minuteLength = '2026-01-31T10:00:'.length;
const dot = 0x2e;
const upperZ = 0x5a;

/** The minute that was met last: most times of a batch are of few minutes. */
let known = { minute: 'none', ms: NaN };

function parseUsual(text: string): number | bigint | null {
  const second = digitsAt(text, minuteLength, 2);
  const microsecond = digitsAt(text, minuteLength + 3, 6);
  if (text.charCodeAt(minuteLength + 2) !== dot || text.charCodeAt(usualLength - 1) !== upperZ || !(second < 60) || Number.isNaN(microsecond)) return null;
  if (!text.startsWith(known.minute)) {
    const minute = text.slice(0, minuteLength);
    const start = parseAny(`${minute}00Z`);
    if (start === null) return null;
    known = { minute, ms: Number(BigInt(start) / 1000n) };
  }
  return toMicroseconds(known.ms + second * 1000, microsecond);
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
  if (moment.getUTCDate() !== Number(day) || moment.getUTCMonth() !== Number(month) - 1 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  return toMicroseconds(ms, Number(fraction.padEnd(6, '0')));
}

function toMicroseconds(ms: number, microseconds: number): number | bigint | null {
  if (!(ms >= earliestMs && ms < endMs)) return null;
  const sum = ms * 1000 + microseconds;
  return Number.isSafeInteger(sum) ? sum : BigInt(ms) * 1000n + BigInt(microseconds);
}
