import { toText } from '../operators/conversions.ts';
import type { Resolved } from '../resolved.ts';
import { quoted, warn } from '../warnings.ts';

// Formats of other databases and languages. Here a part of a time begins with %, and the place of a value is {}.

const lookedAtMax = 100;

/** The words of other formats; MM is a month, mm are minutes. */
const words: readonly (readonly [word: RegExp, pattern: string])[] = [
  [/yyyy/gi, '%Y'],
  [/HH24|HH/g, '%H'],
  [/MI|mm/g, '%i'],
  [/MM/g, '%m'],
  [/dd/gi, '%d'],
  [/ss/gi, '%S'],
];

/** The format of a time as a text. Warns where it has no part of a time. */
export function timePattern(format: Resolved): Resolved {
  const text = constantText(format);
  if (text !== undefined && !text.includes('%'))
    warn(
      'no_pattern',
      `${quoted(text)} has no part of a time, which begins with %; write '${text === '' ? usual : formatInstead(text)}'`,
      format,
    );
  return toText(format);
}

/** Warns where the format of format() has no place for a value. */
export function warnOfFormat(format: Resolved | undefined): void {
  const text = format && constantText(format);
  if (format && text !== undefined && !text.includes('{'))
    warn('no_pattern', `${quoted(text)} has no {}, the place of a value: write format('{}', x)`, format);
}

function constantText(expr: Resolved): string | undefined {
  return expr.kind === 'constant' && typeof expr.value === 'string' && expr.value.length <= lookedAtMax
    ? expr.value
    : undefined;
}

const usual = '%Y-%m-%d %H:%i:%S';

/** A format in the words of other databases, as YYYY-MM-DD, in ours; the usual one where a word is not known. */
export function formatInstead(format: string): string {
  const made = words.reduce((text, [word, pattern]) => text.replace(word, pattern), format);
  return made !== format && !/(?<!%)[A-Za-z]/.test(made) ? made : usual;
}
