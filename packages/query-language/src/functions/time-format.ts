import { costOf, spend } from '../budget.ts';
import { SpanError, type Span } from '../query-error.ts';

const lengthMax = 250;

/** Patterns of to_char() and what formatDateTime() has for them; longer ones stand before those that they begin with. */
const patterns: readonly (readonly [pattern: string, format: string])[] = [
  ['YYYY', '%Y'],
  ['IYYY', '%G'],
  ['YY', '%y'],
  ['FMMonth', '%M'],
  ['Month', '%M'],
  ['Mon', '%b'],
  ['MM', '%m'],
  ['MI', '%i'],
  ['FMDay', '%W'],
  ['Day', '%W'],
  ['Dy', '%a'],
  ['DDD', '%j'],
  ['DD', '%d'],
  ['IW', '%V'],
  ['ID', '%u'],
  ['HH24', '%H'],
  ['HH12', '%I'],
  ['HH', '%I'],
  ['SS', '%S'],
  ['US', '%f'],
  ['AM', '%p'],
  ['PM', '%p'],
  ['Q', '%Q'],
];
const ofNames: ReadonlySet<string> = new Set(['FMMonth', 'Month', 'Mon', 'FMDay', 'Day', 'Dy', 'AM', 'PM']);
const byLetters = patterns.map(([pattern, format]) => ({ pattern, format, letters: pattern.toLowerCase() }));

/**
 * A format of to_char() as one of formatDateTime(): 'YYYY-MM-DD HH24:MI' is '%Y-%m-%d %H:%i'. Texts in double quotes and signs stay what they are.
 * Throws `wrong_arguments` for a pattern that has no counterpart.
 */
export function timeFormat(format: string, span: Span): string {
  if (format.length > lengthMax)
    throw new SpanError('wrong_arguments', `The format of to_char() has at most ${lengthMax} characters`, span);
  spend(format.length * costOf.letter * patterns.length, span);
  let translated = '';
  for (let at = 0; at < format.length;) {
    const { written, length } = next(format, at, span);
    translated += written;
    at += length;
  }
  return translated;
}

function next(format: string, at: number, span: Span): { written: string; length: number } {
  const character = format.charAt(at);
  if (character === '"') return quoted(format, at, span);
  if (character === '%') return { written: '%%', length: 1 };
  if (!/[A-Za-z]/.test(character)) return { written: character, length: 1 };
  const found = patternAt(format, at);
  if (!found) throw unknown(format, at, span);
  const { pattern, format: written } = found;
  const given = format.slice(at, at + pattern.length);
  // The engine writes names in one way.
  if (ofNames.has(pattern) && given !== pattern)
    throw new SpanError(
      'wrong_arguments',
      `to_char() supports ${pattern}, not ${given}; write ${pattern} and put upper(…) or lower(…) around to_char()`,
      span,
    );
  return { written, length: pattern.length };
}

function patternAt(format: string, at: number): (typeof byLetters)[number] | undefined {
  const letters = format.slice(at, at + 7).toLowerCase();
  return byLetters.find((pattern) => letters.startsWith(pattern.letters));
}

function quoted(format: string, at: number, span: Span): { written: string; length: number } {
  const end = format.indexOf('"', at + 1);
  if (end === -1) throw new SpanError('wrong_arguments', 'A quote in the format of to_char() is never closed', span);
  return { written: format.slice(at + 1, end).replaceAll('%', '%%'), length: end + 1 - at };
}

function unknown(format: string, at: number, span: Span): SpanError {
  let end = at + 1;
  while (/[A-Za-z]/.test(format.charAt(end)) && end < at + 10 && !patternAt(format, end)) end += 1;
  const word = format.slice(at, end);
  const known = patterns.map(([pattern]) => pattern).join(', ');
  return new SpanError(
    'wrong_arguments',
    `to_char() does not support ${word}; it supports ${known} and "texts". For other parts write formatDateTime(time, '%Y-%m-%d %H:%i:%S')`,
    span,
  );
}
