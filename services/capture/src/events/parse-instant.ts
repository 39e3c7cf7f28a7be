import type { Instant } from './instant.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;

/** Numbers from here on are milliseconds, smaller ones seconds (as seconds it would be the year 5138). */
const millisecondsFrom = 1e11;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days since 1970 of a date of the Gregorian calendar, for every year (`Date.UTC` takes 0–99 for 1900–1999). */
function daysSince1970(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}

function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1 || day > (daysOfMonth[month - 1] ?? 0)) return false;
  return month !== 2 || day < 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0));
}

/** The digits at `at` as a number, or -1 when there are fewer than `count`. */
function digits(text: string, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** `2026-11-21`, `2026/11/21`, with or without a time after `T` or a blank. Written by hand: it runs for every event. */
function parseIso(text: string): Instant | null {
  const separator = text[4];
  if ((separator !== '-' && separator !== '/') || text[7] !== separator) return null;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  if (year < 0 || !isDate(year, month, day)) return null;
  const midnight = daysSince1970(year, month, day) * dayMs;
  if (text.length === 10) return { ms: midnight, us: 0 };
  const gap = text[10];
  if (gap !== 'T' && gap !== 't' && gap !== ' ') return null;
  return parseTimeOfDay(text, 11, midnight);
}

/** `10:20`, `10:20:30`, `10:20:30.123456789`, each with an optional zone; a leap second is the next minute's first. */
function parseTimeOfDay(text: string, start: number, midnight: number): Instant | null {
  const hour = digits(text, start, 2);
  const minute = digits(text, start + 3, 2);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || text[start + 2] !== ':') return null;
  let at = start + 5;
  let second = 0;
  let us = 0;
  if (text[at] === ':') {
    second = digits(text, at + 1, 2);
    if (second < 0 || second > 60) return null;
    at += 3;
    if (text[at] === '.' || text[at] === ',') {
      const end = endOfDigits(text, at + 1);
      const count = end - at - 1;
      if (count < 1 || count > 9) return null;
      us = digits(text, at + 1, Math.min(count, 6)) * (powersOfTen[6 - Math.min(count, 6)] ?? 1);
      at = end;
    }
  }
  const zoneMs = parseZone(text, at);
  if (zoneMs === null) return null;
  const wholeMs = Math.floor(us / 1000);
  const timeMs = hour * hourMs + minute * minuteMs + second * 1000 + wholeMs;
  return { ms: midnight + timeMs - zoneMs, us: us - wholeMs * 1000 };
}

const powersOfTen = [1, 10, 100, 1000, 10_000, 100_000];

function endOfDigits(text: string, from: number): number {
  let at = from;
  while (digits(text, at, 1) >= 0) at++;
  return at;
}

/** Milliseconds east of UTC that the rest of the text says: nothing, `Z`, `+03`, `+0330`, `+03:30`, a blank before it. */
function parseZone(text: string, start: number): number | null {
  const at = text[start] === ' ' ? start + 1 : start;
  const rest = text.length - at;
  const sign = text[at];
  if (rest === 0) return at === start ? 0 : null;
  if (rest === 1) return sign === 'Z' || sign === 'z' ? 0 : null;
  if (sign !== '+' && sign !== '-') return text.slice(at) === 'UTC' || text.slice(at) === 'GMT' ? 0 : null;
  const colon = text[at + 3] === ':' ? 1 : 0;
  const hours = digits(text, at + 1, 2);
  const minutes = rest === 3 ? 0 : digits(text, at + 3 + colon, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || (rest !== 3 && rest !== 5 + colon)) return null;
  return (sign === '-' ? -1 : 1) * (hours * hourMs + minutes * minuteMs);
}

// RFC 2822, and what `String(new Date())` gives in browsers.
const mailDate =
  /^(?:[a-z]{3},\s*)?(?<day>\d{1,2})\s+(?<month>[a-z]{3})\s+(?<year>\d{4})\s+(?<time>\d\d:\d\d(?::\d\d)?)\s*(?<zone>[+-]\d{4}|gmt|utc|ut|z)?$/i;
const scriptDate =
  /^[a-z]{3}\s+(?<month>[a-z]{3})\s+(?<day>\d{1,2})\s+(?<year>\d{4})\s+(?<time>\d\d:\d\d:\d\d)(?:\s*(?<zone>gmt(?:[+-]\d{4})?|[+-]\d{4}))?(?:\s+\(.*\))?$/i;
const wordyLengthMax = 100;

function parseWordyDate(text: string): Instant | null {
  if (text.length > wordyLengthMax) return null;
  const parts = (mailDate.exec(text) ?? scriptDate.exec(text))?.groups;
  if (parts === undefined) return null;
  const month = months.indexOf((parts['month'] ?? '').toLowerCase()) + 1;
  const zone = /[+-]\d{4}$/.exec(parts['zone'] ?? '')?.[0] ?? '';
  const day = (parts['day'] ?? '').padStart(2, '0');
  return parseIso(`${parts['year']}-${String(month).padStart(2, '0')}-${day}T${parts['time']}${zone}`);
}

function fromEpoch(value: number): Instant | null {
  if (!Number.isFinite(value)) return null;
  const ms = Math.abs(value) >= millisecondsFrom ? value : value * 1000;
  const wholeMs = Math.floor(ms);
  return { ms: wholeMs, us: Math.min(999, Math.round((ms - wholeMs) * 1000)) };
}

/**
 * Reads a time in any form that clients send (contract/capture 2.5): RFC 3339 with any or no zone (none is UTC), 1–9
 * digits of a second cut to microseconds (contract/decisions 3), a blank for the `T`, a bare date, `YYYY/MM/DD`,
 * RFC 2822, JavaScript's own text, epoch seconds or milliseconds as number or text. Null when it is none of these.
 */
export function parseInstant(value: unknown): Instant | null {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string') return null;
  const fast = parseIso(value);
  if (fast !== null) return fast;
  const text = value.trim();
  if (/^-?\d+(\.\d+)?$/.test(text)) return fromEpoch(Number(text));
  return parseIso(text) ?? parseWordyDate(text);
}
