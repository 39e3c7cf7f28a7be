import { describe, expect, test } from '@jest/globals';
import { FormulaError, parseFormula, valueOf } from './formula.ts';

const computed = (text: string): number => valueOf(parseFormula(text, 3), [8, 2, -5]);

describe('formulas (contract/insights 5.4)', () => {
  test.each([
    ['A', 8],
    ['a + b', 10],
    ['A - B - c', 11],
    ['A / B * 10', 40],
    ['A + B * C', -2],
    ['(A + B) * C', -50],
    ['-A ** B', -64],
    ['(-A) ** B', 64],
    ['B ** 3 ** B', 512],
    ['B ** -1', 0.5],
    ['- - A', 8],
    ['-+-A', 8],
    ['A / 0', 0],
    ['A % 0', 0],
    ['C % A', 3],
    ['A % C', -2],
    ['5.5 % 2', 1.5],
    ['1e2 + .5 + 2.', 102.5],
    [' A\n+\tB ', 10],
    ['A-1', 7],
  ])('%s is %d', (text, expected) => {
    expect(computed(text)).toBe(expected);
  });

  test.each([
    ['', 'it is empty'],
    ['  ', 'it is empty'],
    ['A +', 'it ends too early'],
    ['A B', '"B" cannot stand there'],
    ['(A', 'a parenthesis is not closed'],
    ['A)', '")" cannot stand there'],
    ['AB', '"AB" cannot stand there'],
    ['sum(A)', '"sum" cannot stand there'],
    ['A * * B', '"*" cannot stand there'],
    ['A // B', '"/" cannot stand there'],
    ['D', 'D names no series: the query has 3'],
    ['A + é', '"é" has no meaning here'],
    ['A; B', '";" has no meaning here'],
    ['A == B', '"=" has no meaning here'],
    ['constructor', '"constructor" cannot stand there'],
    [`${'('.repeat(200)}A`, 'it is nested more than 100 levels deep'],
    [`${'-'.repeat(200)}A`, 'it is nested more than 100 levels deep'],
  ])('%j: %s', (text, message) => {
    expect(() => parseFormula(text, 3)).toThrow(new FormulaError(message));
  });

  test('a chain of 60,000 characters is computed', () => {
    expect(computed(`A${'+1'.repeat(30_000)}`)).toBe(30_008);
    expect(computed(`A${'**1'.repeat(90)}`)).toBe(8);
  });
});
