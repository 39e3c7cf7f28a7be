/**
 * The first and the last microsecond of what a text means, as `parseTime` returns them: the same for a point in time.
 */
export interface Moment {
  first: string;
  last: string;
}

/**
 * Range of `time`, which `parseTime` made of `text`: a bare date is the whole day of the zone (contract/decisions 12).
 * Pure.
 */
export function momentOf(text: string, time: string, timeZone: string): Moment {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text.trim())) return { first: time, last: time };
  const midnight = Date.parse(`${time.slice(0, 10)}T00:00:00Z`);
  return {
    first: utcText(instantOf(midnight, timeZone), '000000'),
    last: utcText(instantOf(midnight + dayMs, timeZone) - 1, '999999'),
  };
}

/** Does this text, a time for `parseTime`, leave its zone to the project? So does a bare date. Pure. */
export const isZoneless = (text: string): boolean => !/[z+-]/i.test(text.trim().slice(10));

/** The instant at which clocks of a zone show `time`, in the form of `parseTime`, as that too. Pure. */
export function instantText(time: string, timeZone: string): string {
  const wall = Date.parse(`${time.slice(0, 19).replace(' ', 'T')}Z`);
  return utcText(instantOf(wall, timeZone), time.slice(20));
}

/** A day of UTC, in milliseconds. */
export const dayMs = 86_400_000;

/** So many months later, of times in milliseconds as `wallMsOf` returns them; the 31st of a shorter month is its last day. Pure. */
export function addMonths(wall: number, count: number): number {
  const date = new Date(wall);
  const dayOfMonth = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(dayOfMonth, days));
}

/** Time that clocks of a zone show at `at`, in milliseconds as if it were UTC; whole seconds. */
export function wallMsOf(at: number, timeZone: string): number {
  // 2026-01-31, 12:00:00. Reading its parts one by one takes three times as long.
  const shown = clockOf(timeZone).format(at);
  return Date.parse(`${shown.slice(0, 10)}T${shown.slice(12)}Z`);
}

/** Making one takes 50 µs; there are some 600 zones. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  clocks.set(timeZone, clock);
  return clock;
}

/** By canonical names, which are some 450: any other is looked up anew. */
const offsets = new Map<string, readonly number[]>();

const [januaryAndJuly, firstYear, lastYear] = [[0, 6], 1970, 2037];

/** How many minutes clocks of a zone were ahead of UTC since 1970, or will be as far as is known; none of a name that is no zone. */
export function offsetsOf(timeZone: string): readonly number[] {
  const known = offsets.get(timeZone);
  if (known !== undefined) return known;
  const name = canonicalName(timeZone);
  if (name === undefined) return [];
  const found = offsets.get(name) ?? seenOffsets(name);
  offsets.set(name, found);
  return found;
}

function seenOffsets(timeZone: string): readonly number[] {
  const found = new Set<number>();
  for (let year = firstYear; year <= lastYear; year += 1)
    for (const month of januaryAndJuly) {
      const at = Date.UTC(year, month);
      found.add((wallMsOf(at, timeZone) - at) / 60_000);
    }
  return [...found].filter(Number.isInteger);
}

function canonicalName(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The first instant at which clocks of a zone show `wall` or more: days do not always begin at midnight, as clocks may go forward just then. */
export function instantOf(wall: number, timeZone: string): number {
  const [before = 0, behind] = [wall - dayMs, wall + dayMs].map(
    (at) => wallMsOf(at, timeZone) - Math.floor(at / 1_000) * 1_000,
  );
  if (before === behind) return wall - before;
  const starts = [before, behind ?? 0]
    .map((offset) => wall - offset)
    .filter((start) => wallMsOf(start, timeZone) >= Math.floor(wall / 1_000) * 1_000);
  return Math.min(...starts);
}

/** A time as `parseTime` returns it; `fraction`: six digits. */
export function utcText(at: number, fraction: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}.${fraction}`;
}
