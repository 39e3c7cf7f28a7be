import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createFormulaGuard, withoutFormula } from './formula-guard.ts';

/** A row as ClickHouse writes it: texts in quotes, numbers bare. */
const line = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => (typeof cell === 'number' ? cell : `"${cell.replaceAll('"', '""')}"`)).join(',')}\n`;

function guarded(csv: string, size: number): string {
  const guard = createFormulaGuard();
  const bytes = Buffer.from(csv);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(guard.push(bytes.subarray(at, at + size)));
  return Buffer.concat([...pieces, guard.rest()]).toString();
}

// The promise to readers of a download: no sender of events can put a formula into it.
describe('texts that begin a formula', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\ta', '\ra', '＝1', '＋1', '－1', '＠x', '='])(
    '%j is made harmless, in each column',
    (text) => {
      expect(guarded(line([text, text, 1, text]), 1_000)).toBe(line([`'${text}`, `'${text}`, 1, `'${text}`]));
      expect(withoutFormula(text)).toBe(`'${text}`);
    },
  );

  // A spreadsheet that separates by ; does not see the quotes of any column but the first: it ends cells within texts.
  test.each([
    ['a;=1', "a;'=1"],
    [';;-1;b', ";;'-1;b"],
    ['a;"=1', `a;'"=1`],
    ['a\n=1', "a\n'=1"],
    ['a\n"=1', `a\n'"=1`],
    ['a\r\n＋1', "a\r\n'＋1"],
    ['\r=1', "'\r'=1"],
    ['=1;=2\n=3', "'=1;'=2\n'=3"],
    ['a\t=1', "a\t'=1"],
    ['\t=1', "'\t'=1"],
  ])('%j contains a formula, which is made harmless in each column', (text, safe) => {
    expect(guarded(line([text, text, -1, text]), 1_000)).toBe(line([safe, safe, -1, safe]));
    expect(withoutFormula(text)).toBe(safe);
  });

  test.each([
    '',
    '1',
    'a=1',
    "'=1",
    '"=1',
    ',=1',
    '\n1',
    ';a',
    ';""=1',
    '; a=1',
    '",=1',
    '",-',
    '(=1',
    '￼',
    'ｘ=1',
    ' ',
  ])('%j is no formula', (text) => {
    expect(guarded(line([text, text, 1, text]), 1_000)).toBe(line([text, text, 1, text]));
    expect(withoutFormula(text)).toBe(text);
  });

  test('numbers stay as they are', () => {
    expect(guarded('-1,-inf,+1,-0.5,nan,,true\n-1,,,,,,\n', 1_000)).toBe('-1,-inf,+1,-0.5,nan,,true\n-1,,,,,,\n');
  });

  test('are found in any text, and wherever the bytes are cut', () => {
    const sign = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '＝', '＠', '"', ',', ';', '\n', 'a', '￼', 'é');
    const cell = fc.oneof(fc.string({ unit: sign, maxLength: 6 }), fc.integer());
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 20 }),
        (rows, size) => {
          const safe = rows.map((row) => line(row.map((one) => (typeof one === 'string' ? withoutFormula(one) : one))));
          expect(guarded(rows.map(line).join(''), size)).toBe(safe.join(''));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
