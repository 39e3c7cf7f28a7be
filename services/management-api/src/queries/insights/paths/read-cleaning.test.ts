import { describe, expect, test } from '@jest/globals';
import { readCleaning } from './read-cleaning.ts';

describe('a cleaning rule', () => {
  test.each([
    ['/users/(\\d+)', '/users/\\1'],
    ['(?i)(?P<a>x)(?:y)(?<b>z)', '\\2\\1\\0'],
    ['[(]\\(\\Q(\\E[[:alpha:](]()', '\\1'],
    ['x', '\\\\9'],
    ['', ''],
  ])('%s, %s is taken as it is', (regex, alias) => expect(readCleaning({ regex, alias }, 0)).toEqual({ regex, alias }));

  test.each([
    ['x(', '', /localPathCleaningFilters\.3\.regex: "x\(" is not a valid regular expression/],
    ['x', '\\1', /localPathCleaningFilters\.3\.alias: \\1 stands for a group, and regex has 0/],
    ['[(]\\((x)', '\\2', /\\2 stands for a group, and regex has 1/],
  ])('%s, %s is refused', (regex, alias, message) => expect(() => readCleaning({ regex, alias }, 3)).toThrow(message));
});
