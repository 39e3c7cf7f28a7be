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
    `${name} takes texts of at most ${thousands(unevenTextMax)} bytes with this pattern; cut the text with substring, or let nothing match behind what repeats without an end in a choice or in a repeated group of the pattern`,
  computedPattern: (name: string): string =>
    `A pattern of ${name} that is not written out has at most ${computedPatternMax} bytes and no braces`,
  jsonPath: (name: string): string =>
    `${name} takes texts of at most ${thousands(jsonPathTextMax)} bytes with a path of many items; read the list with JSONExtract and arrayMap`,
  format: (name: string): string => `The format of ${name} has at most ${formatMax} bytes`,
  needle: (name: string): string => `${name} looks for texts of at most ${thousands(needleMax)} bytes`,
  likePattern: (name: string): string =>
    `A pattern of ${name} that is not written out has at most ${computedPatternMax} bytes`,
  caseless: (name: string): string =>
    `${name} takes texts whose lengths make at most ${thousands(searchPairsMax)} when they are multiplied; look for a shorter text or cut the other with substring`,
  pairs: (name: string): string =>
    `${name} compares at most ${thousands(pairsMax)} pairs of items; the product of the lengths of both arrays is more`,
  early: (name: string): string =>
    `${name}() of values that are not written out does not go into numbers() or WITH FILL, which are read before there are rows; write the number itself`,
  carried: 'INTERPOLATE may make a value longer at each row that is filled in; cut it, as with substring(…, 1, 100)',
  series: 'generate_series gives at most 9,999,999 rows',
  grown: (name: string): string =>
    `${name} would make a text of more than ${thousands(grownBytesMax)} bytes, as its arguments are so long`,
  made: (name: string): string =>
    `${name} would make a value of more than ${thousands(madeBytesMax)} bytes, the most that a query makes`,
} as const;
