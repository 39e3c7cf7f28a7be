/** A moment: whole milliseconds since 1970, and 0–999 microseconds on top. */
export interface Instant {
  ms: number;
  us: number;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;

/** Bounds of what ClickHouse's DateTime64 holds: 1900-01-01 to the end of 2299 (contract/decisions 29). */
const earliestMs = Date.UTC(1900, 0, 1);
const latestMs = Date.UTC(2300, 0, 1) - 1;

/** An event dated further ahead than this gets the time of arrival (contract/capture 2.5). */
const futureMaxMs = 23 * hourMs;

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
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}

function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1 || day > (daysOfMonth[month - 1] ?? 0)) return false;
  return month !== 2 || day < 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0));
}

/** Moves by milliseconds and microseconds (either may be negative). */
function shift(from: Instant, ms: number, us = 0): Instant {
  const total = from.us + us;
  const carry = Math.floor(total / 1000);
  return { ms: from.ms + ms + carry, us: total - carry * 1000 };
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

/** `2026-11-21`, `2026/11/21`, with or without a time behind `T` or a blank. Written by hand: it runs for every event. */
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
const mailDate = /^(?:[a-z]{3},\s*)?(?<day>\d{1,2})\s+(?<month>[a-z]{3})\s+(?<year>\d{4})\s+(?<time>\d\d:\d\d(?::\d\d)?)\s*(?<zone>[+-]\d{4}|gmt|utc|ut|z)?$/i;
const scriptDate = /^[a-z]{3}\s+(?<month>[a-z]{3})\s+(?<day>\d{1,2})\s+(?<year>\d{4})\s+(?<time>\d\d:\d\d:\d\d)\s*(?:gmt)?(?<zone>[+-]\d{4})?(?:\s+\(.*\))?$/i;
const wordyLengthMax = 100;

function parseWordyDate(text: string): Instant | null {
  if (text.length > wordyLengthMax) return null;
  const parts = (mailDate.exec(text) ?? scriptDate.exec(text))?.groups;
  if (parts === undefined) return null;
  const month = months.indexOf((parts['month'] ?? '').toLowerCase()) + 1;
  const zone = /^[+-]/.test(parts['zone'] ?? '') ? parts['zone'] : '';
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

/** False for what no `CapturedEvent` may carry: times before 1900 or after 2299 (contract/decisions 29). */
export function isInRange({ ms }: Instant): boolean {
  return ms >= earliestMs && ms <= latestMs;
}

/** True for the first moment of 1970, in any form: a time, but also what many languages have in the place of none. */
export function isUnixZero(value: unknown): boolean {
  const instant = parseInstant(value);
  return instant?.ms === 0 && instant.us === 0;
}

/** What an event says about its time, and what the request knows. */
export interface TimeFacts {
  timestamp: unknown;
  offset: unknown;
  ignoreSentAt: boolean;
  receivedAtMs: number;
  /** When the client sent the request, by its own clock. */
  sentAt: Instant | null;
}

export type TimeWarning = 'ignored_invalid_timestamp' | 'event_timestamp_in_future' | 'event_timestamp_out_of_range';

/** When the event happened (contract/capture 2.5, contract/decisions 3 and 29), and what had to be corrected. */
export function eventTime(facts: TimeFacts): { time: Instant; warning: TimeWarning | null } {
  const now: Instant = { ms: facts.receivedAtMs, us: 0 };
  const said = saidTime(facts, now);
  if (said === 'unreadable') return { time: now, warning: 'ignored_invalid_timestamp' };
  if (said.ms - now.ms > futureMaxMs) return { time: now, warning: 'event_timestamp_in_future' };
  if (said.ms < earliestMs) return { time: { ms: earliestMs, us: 0 }, warning: 'event_timestamp_out_of_range' };
  if (said.ms > latestMs) return { time: { ms: latestMs, us: 0 }, warning: 'event_timestamp_out_of_range' };
  return { time: said, warning: null };
}

function saidTime(facts: TimeFacts, now: Instant): Instant | 'unreadable' {
  const { offset, timestamp, sentAt } = facts;
  if (typeof offset === 'number' && Number.isFinite(offset)) return shift(now, -Math.round(offset));
  if (timestamp === undefined || timestamp === null || timestamp === '') return now;
  const parsed = parseInstant(timestamp);
  if (parsed === null) return 'unreadable';
  if (sentAt === null || facts.ignoreSentAt) return parsed;
  return shift(parsed, now.ms - sentAt.ms, now.us - sentAt.us);
}

const daySeconds = 86_400;
const pairs = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
const triples = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));
// Events of one request share their day and mostly their second: those texts are kept, because the rest of a time costs little.
let keptDay = NaN;
let keptDayText = '';
let keptSecond = NaN;
let keptSecondText = '';

/** UTC with six digits: `YYYY-MM-DDTHH:MM:SS.ffffffZ`, as `CapturedEvent` carries it. For years 0–9999. */
export function formatInstant({ ms, us }: Instant): string {
  const second = Math.floor(ms / 1000);
  if (second !== keptSecond) {
    keptSecondText = formatSecond(second);
    keptSecond = second;
  }
  return `${keptSecondText}${triples[ms - second * 1000]}${triples[us]}Z`;
}

function formatSecond(second: number): string {
  const day = Math.floor(second / daySeconds);
  if (day !== keptDay) {
    keptDayText = new Date(day * dayMs).toISOString().slice(0, 11);
    keptDay = day;
  }
  const rest = second - day * daySeconds;
  const minutes = Math.floor(rest / 60);
  const hours = Math.floor(minutes / 60);
  return `${keptDayText}${pairs[hours]}:${pairs[minutes - hours * 60]}:${pairs[rest - minutes * 60]}.`;
}
