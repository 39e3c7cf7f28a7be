import {
  computedPatternMax,
  formatMax,
  grownBytesMax,
  jsonPathTextMax,
  madeBytesMax,
  needleMax,
  pairsMax,
  searchPairsMax,
  unevenTextMax,
} from './limits.ts';

const thousands = (value: number): string => value.toLocaleString('en-US');

/**
 * Error messages for a run whose values go beyond the limits of a function. They hold only letters, digits and plain signs, as they
 * are literals in printed SQL.
 */
export const boundedMessage = {
  uneven: (name: string): string =>
    `${name} takes texts of at most ${thousands(unevenTextMax)} bytes with this pattern; shorten the text with substring, or change the pattern: where a choice or a repeated group has an unlimited repetition such as .*, nothing should follow it`,
  computedPattern: (name: string): string =>
    `A computed pattern of ${name} has at most ${computedPatternMax} bytes and no braces`,
  jsonPath: (name: string): string =>
    `${name} takes texts of at most ${thousands(jsonPathTextMax)} bytes with a path of many items; read the list with JSONExtract and arrayMap`,
  format: (name: string): string => `The format of ${name} has at most ${formatMax} bytes`,
  needle: (name: string): string => `${name} searches for texts of at most ${thousands(needleMax)} bytes`,
  likePattern: (name: string): string => `A computed pattern of ${name} has at most ${computedPatternMax} bytes`,
  caseless: (name: string): string =>
    `${name} takes two texts whose lengths multiply to at most ${thousands(searchPairsMax)}; search for a shorter text, or shorten the other one with substring`,
  pairs: (name: string): string =>
    `${name} compares at most ${thousands(pairsMax)} pairs of items; the product of the lengths of both arrays is more`,
  early: (name: string): string =>
    `${name}() of computed values is not possible in numbers() and WITH FILL, which are evaluated before there are rows; write the number itself`,
  carried:
    'INTERPOLATE may make a value longer with each row that it fills in; shorten it, for example with substring(…, 1, 100)',
  series: 'generate_series gives at most 9,999,999 rows',
  grown: (name: string): string =>
    `${name} would make a text of more than ${thousands(grownBytesMax)} bytes, because its arguments are too long`,
  made: (name: string): string =>
    `${name} would make a value of more than ${thousands(madeBytesMax)} bytes, the most that a query makes`,
} as const;
