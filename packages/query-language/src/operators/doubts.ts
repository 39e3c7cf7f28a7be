import { isUuidText } from './conversions.ts';
import { isProperty } from './property-order.ts';
import type { Resolved, ResolvedConstant } from '../resolved.ts';
import type { Span } from '../query-error.ts';
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

/** Warns where a property is less or greater than a number in quotes, which are compared as texts then. `aligned` as for `warnOfNoDate`. */
export function warnOfTextOrder(sides: readonly Resolved[], aligned: readonly Resolved[]): void {
  if (!sides.some(mayBeNumber) || !aligned.every(({ type }) => type.kind === 'text')) return;
  for (const side of sides)
    if (side.kind === 'constant' && typeof side.value === 'string' && isPlainNumber(side.value))
      warn(
        'text_order',
        `${quoted(side.value)} is a text: texts are compared letter by letter, so '9' is greater than '10'. To compare numbers ${numberAdvice(side)}`,
        side,
      );
}

// The caller of a run has no quotes to take away.
function numberAdvice({ placeholder, value }: ResolvedConstant): string {
  if (placeholder === undefined) return `write ${String(value).trim()} without quotes`;
  return placeholder.startsWith('variables.')
    ? `declare the variable ${placeholder.slice('variables.'.length)} with type Number`
    : `write a number as ${placeholder} in query.values`;
}

/** Warns where a variable that is NULL is compared. */
export function warnOfNullVariable(sides: readonly Resolved[]): void {
  for (const side of sides.slice(0, lookedAtMax))
    if (side.kind === 'constant' && side.type.kind === 'null' && side.placeholder?.startsWith('variables.'))
      warn(
        'null_variable',
        `The variable ${side.placeholder.slice('variables.'.length)} is null: no value equals NULL, or is less or greater. Leave it out to get its default, or test it with {${side.placeholder}} IS NULL`,
        side,
      );
}

// A property that the project knows as a text, or that the query calls one, is compared as it is meant.
function mayBeNumber(side: Resolved): boolean {
  const { asText, learned, learnedText } = side.type;
  return isProperty(side) && !asText && !learnedText && (learned === undefined || learned === 'Numeric');
}

// Days without signs, 20260131, sort as texts too.
const isPlainNumber = (text: string): boolean =>
  text.length <= 32 && /^\s*-?(?:0|[1-9]\d*)(?:\.\d+)?\s*$/.test(text) && !/^(?:19|20)\d{6}$/.test(text);

/** Warns where an item is read at a place that is written as 0. */
export function warnOfPlaceZero(place: Resolved | undefined, span: Span): void {
  if (place?.kind === 'constant' && place.value === 0)
    warn('place_zero', 'Places count from 1: no item is at place 0. The first is [1], the last [-1]', span);
}

/** Warns where a text that becomes a time may mean several, and the engine takes one of them. */
export function warnOfGuess(expr: Resolved): void {
  if (expr.kind !== 'constant' || typeof expr.value !== 'string' || expr.value.length > quotableMax) return;
  const text = expr.value.trim();
  const [, first = '', second = ''] = /^(\d{1,2})[/-](\d{1,2})[/-](?:\d{2}|\d{4})(?!\d)/.exec(text) ?? [];
  const isOpen = first !== '' && Number(first) <= 12 && Number(second) <= 12 && Number(first) !== Number(second);
  if (isOpen)
    warn(
      'guessed_date',
      `${quoted(text)} is taken for day ${Number(first)} of month ${Number(second)}; ${clearly}`,
      expr,
    );
  else if (/^\d{1,2}(?:[/.]\d{1,2})?$/.test(text))
    warn('guessed_date', `${quoted(text)} names no year: one is guessed; ${clearly}`, expr);
  else if (/^\d{1,2}:\d{2}(?::\d{2})?$/.test(text))
    warn('guessed_date', `${quoted(text)} names no day: one is guessed; ${clearly}`, expr);
}

/** Warns where a number that becomes a time is read as seconds since 1970, and is as large as a time of today in smaller units. */
export function warnOfMilliseconds(expr: Resolved): void {
  if (expr.kind !== 'constant' || typeof expr.value !== 'number' || expr.value < leastMilliseconds) return;
  const isMicro = expr.value >= leastMicroseconds;
  const instead = isMicro ? `fromUnixTimestamp(${expr.value} / 1000000)` : `fromUnixTimestamp64Milli(${expr.value})`;
  warn(
    'milliseconds',
    `${expr.value} is read as seconds since 1970, far beyond the year 5000. For ${isMicro ? 'micro' : 'milli'}seconds write ${instead}`,
    expr,
  );
}

/** As milliseconds a day of 1973, as seconds one of the year 5138. */
const leastMilliseconds = 1e11;
const leastMicroseconds = 1e14;
const quotableMax = 40;
const clearly = 'write 2026-01-31 or 2026-01-31 12:00:00';

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
