import { SpanError, type Span } from '../query-error.ts';
import type { Expression } from '../tree/expressions.ts';
import { intervalFunctions } from './words.ts';

interface Part {
  name: string;
  count: number;
}

const lengthMax = 200;
const amount = /\s*([+-]?\d{1,15})\s*([A-Za-z]+),?/y;
const clock = /\s*([+-]?)(\d{1,4}):([0-5]\d)(?::([0-5]\d))?/y;

/** Short names of units in the text of an interval. */
const abbreviations: Readonly<Record<string, string>> = {
  s: 'second',
  sec: 'second',
  min: 'minute',
  h: 'hour',
  hr: 'hour',
  d: 'day',
  w: 'week',
  mon: 'month',
  y: 'year',
  yr: 'year',
};

/** The function that makes an interval of this unit: of one or many, 1 DAY and 7 DAYS. */
export function unitOf(word: string): string | undefined {
  const unit = word.toLowerCase().replace(/s$/, '');
  return Object.hasOwn(intervalFunctions, unit) ? intervalFunctions[unit] : undefined;
}

/** An interval that is written as one text, at offset `at`: '7 days', '1 day 2 hours', '1 day 02:30:00', '-1 mon'. Throws `syntax_error`. */
export function intervalOf(text: string, span: Span, at: Span): Expression {
  const parts = partsOf(text);
  if (parts === undefined)
    throw new SpanError(
      'syntax_error',
      `'${text}' is not an interval; write INTERVAL 7 DAY, or several units as INTERVAL '1 day 2 hours'`,
      at,
    );
  return parts
    .map(({ name, count }): Expression => ({
      node: 'Call',
      name,
      args: [{ node: 'Constant', value: count, start: at.start, end: at.end }],
      start: span.start,
      end: span.end,
    }))
    .reduce((left, right) => ({
      node: 'ArithmeticOperation',
      op: '+',
      left,
      right,
      start: span.start,
      end: span.end,
    }));
}

function partsOf(text: string): Part[] | undefined {
  if (text.length > lengthMax) return undefined;
  const parts: Part[] = [];
  const end = text.trimEnd().length;
  for (let place = 0; place < end;) {
    const found = readAmount(text, place) ?? readClock(text, place);
    if (found === undefined) return undefined;
    parts.push(...found.parts);
    place = found.end;
  }
  return parts.length > 0 ? parts : undefined;
}

function readAmount(text: string, place: number): { parts: Part[]; end: number } | undefined {
  amount.lastIndex = place;
  const [, count = '', word = ''] = amount.exec(text) ?? [];
  const name = unitOf(word) ?? unitOf(longNameOf(word));
  return name === undefined ? undefined : { parts: [{ name, count: Number(count) }], end: amount.lastIndex };
}

function longNameOf(word: string): string {
  const short = word.toLowerCase().replace(/(?<=..)s$/, '');
  return (Object.hasOwn(abbreviations, short) && abbreviations[short]) || '';
}

// Hours, minutes and seconds; those that are none leave no part.
function readClock(text: string, place: number): { parts: Part[]; end: number } | undefined {
  clock.lastIndex = place;
  const found = clock.exec(text);
  if (!found) return undefined;
  const [, sign, hours, minutes, seconds = '0'] = found;
  const parts = [
    { name: 'toIntervalHour', count: Number(hours) },
    { name: 'toIntervalMinute', count: Number(minutes) },
    { name: 'toIntervalSecond', count: Number(seconds) },
  ].filter(({ count }, index) => count > 0 || index === 0);
  return {
    parts: sign === '-' ? parts.map(({ name, count }) => ({ name, count: count === 0 ? 0 : -count })) : parts,
    end: clock.lastIndex,
  };
}
