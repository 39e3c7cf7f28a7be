import { expect, test } from '@jest/globals';
import { shownLines } from './shown-lines.ts';

const shown = (text: string, lineCount: number, isSampled = true): number[] => {
  const hasLine = shownLines({ text, lineCount, isSampled });
  return Array.from({ length: 100 }, (_, line) => line).filter(hasLine);
};

test('all lines stand in a text that is not sampled', () => {
  expect(shown('L1: a\nL2: b', 2, false)).toEqual([1, 2]);
});

test('a sampled text has the lines whose numbers stand at their begin', () => {
  expect(shown('L01: a\nL02: b\n[SAMPLED VIEW]\nL40: L41: c\n L42: d', 99)).toEqual([1, 2, 40]);
});

test.each(['\r', '\r\r', '\u2028', '\u2029', '\v', '\f', '\u0085'])('%j in a text begins no line', (sign) => {
  expect(shown(`L1: a${sign}L7: b\nL9: c`, 9)).toEqual([1, 9]);
});

test('no number is beyond the last line', () => {
  expect(shown('L1: a\nL9: b\nL10: c', 9)).toEqual([1, 9]);
});
