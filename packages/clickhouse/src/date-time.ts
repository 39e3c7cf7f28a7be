const pattern = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?Z?$/;
const earliestMs = Date.UTC(1900, 0, 1);
const endMs = Date.UTC(2300, 0, 1);

/**
 * Microseconds since 1970 of a UTC time; null when it is none, or lies outside what ClickHouse can store (1900–2299).
 * Exact: a bigint where a number would not be. Pure.
 */
export function parseMicroseconds(value: string | Date): number | bigint | null {
  if (value instanceof Date) return toMicroseconds(value.getTime(), 0);
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

/** The month of a valid time as `YYYYMM`, which is how `PARTITION BY toYYYYMM(…)` names partitions. Pure. */
export function monthOf(value: string | Date): string {
  const text = value instanceof Date ? value.toJSON() : value;
  return text.slice(0, 4) + text.slice(5, 7);
}
