import { isUuidText } from './conversions.ts';
import type { Resolved, ResolvedConstant } from '../resolved.ts';
import { dayAt } from '../time-zone.ts';
import { quoted, warn } from '../warnings.ts';

// Comparisons that have an answer whatever the rows say.

/** Members of a list that are looked at. */
const lookedAtMax = 1_000;

/** Warns where values that are UUIDs meet a constant that is none. */
export function warnOfNoUuid(sides: readonly Resolved[]): void {
  if (!sides.some(({ kind, type }) => kind !== 'constant' && type.kind === 'uuid')) return;
  const wrong = sides.filter((side, at) => at < lookedAtMax && isConstant(side) && !isUuidText(side.value));
  for (const side of wrong as ResolvedConstant[])
    warn('no_uuid', `${quoted(side.value)} is not a UUID: no value of the column equals it`, side);
}

/** Warns where dates are to equal a constant that is a time of day. `aligned` are the sides as they are compared. */
export function warnOfNoDate(sides: readonly Resolved[], aligned: readonly Resolved[]): void {
  if (!sides.some(({ kind, type }) => kind !== 'constant' && type.kind === 'date')) return;
  sides.slice(0, lookedAtMax).forEach((side, at) => {
    const time = aligned[at];
    if (side.kind !== 'constant' || time?.kind !== 'constant' || time.type.kind !== 'datetime') return;
    if (dayAt(String(time.value), side) === undefined)
      warn(
        'no_date',
        `${quoted(side.value)} is a time of day: no date equals it. Write a date, or compare the time`,
        side,
      );
  });
}

function isConstant(side: Resolved): side is ResolvedConstant {
  return side.kind === 'constant' && side.value !== null && typeof side.value !== 'object';
}

/** A long text of a run may be used thousands of times. */
const searchedMax = 1_000;
const written = /^\s*\d{4}-(\d{1,2})-(\d{1,2})(?!\d)/;
const daysOf = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Is this text surely no time for the engine, which reads many forms: without a digit, or with a day that no month has? */
export function isNoTime(text: string): boolean {
  if (text.length > searchedMax) return false;
  if (!/\d/.test(text)) return true;
  const [, month = '', day = ''] = written.exec(text) ?? [];
  return Number(month) > 12 || Number(day) > (daysOf[Number(month) - 1] ?? 99);
}
