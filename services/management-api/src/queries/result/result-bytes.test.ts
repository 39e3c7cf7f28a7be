import { describe, expect, test } from '@jest/globals';
import { BrokenResultError, readOf, rowsBetween, splitResult, withoutLastRow } from './result-bytes.ts';

// The exact layout of ClickHouse's JSONCompact; the integration test queries a real one.
const response = (rows: string[], more = '') =>
  Buffer.from(
    `{\n\t"meta":\n\t[\n\t\t{\n\t\t\t"name": "a\\n\\t\\"data\\":",\n\t\t\t"type": "String"\n\t\t}\n\t],\n\n\t"data":\n\t[\n${rows.map((row) => `\t\t${row}`).join(',\n')}\n\t],\n\n\t"rows": ${rows.length}${more},\n\n\t"statistics":\n\t{\n\t\t"elapsed": 0.1,\n\t\t"rows_read": 1,\n\t\t"bytes_read": 1\n\t}\n}\n`,
  );
const rowsOf = (bytes: Uint8Array): unknown => JSON.parse(`[${Buffer.from(bytes).toString()}]`);

describe('the rows of a result pass through as bytes', () => {
  test.each([[[]], [['[1]']], [['["]\\n\\t],"]', '[{"rows": 3}]', '["é"]']]])('%j', (rows: string[]) => {
    const result = splitResult(response(rows));
    expect(rowsOf(result.rows)).toEqual(rows.map((row) => JSON.parse(row) as unknown));
    expect(result.rowCount).toBe(rows.length);
    expect(result.columns).toEqual([{ name: 'a\n\t"data":', type: 'String' }]);
  });

  test('the extra row is cut off, whatever it holds', () => {
    const result = withoutLastRow(splitResult(response(['["a,b"]', '["],["]', '["]\\n"]'])));
    expect(rowsOf(result.rows)).toEqual([['a,b'], ['],[']]);
    expect(rowsOf(withoutLastRow(splitResult(response(['[1]']))).rows)).toEqual([]);
  });

  test('a page is the rows between two places, each row as it was', () => {
    const rows = ['["a,b"]', '["],["]', '["]\\n"]', '[4]', '["é"]'];
    const result = splitResult(response(rows));
    for (let from = 0; from <= 6; from++) {
      for (let to = from; to <= 7; to++) {
        const page = rowsBetween(result, from, to);
        const expected = rows.slice(from, to).map((row) => JSON.parse(row) as unknown);
        expect([from, to, rowsOf(page.rows), page.rowCount]).toEqual([from, to, expected, expected.length]);
      }
    }
    expect(rowsBetween(splitResult(response([])), 0, 5)).toMatchObject({
      rowCount: 0,
      rows: expect.objectContaining({ length: 0 }),
    });
  });

  test('an answer that was cut off, or that carries an exception, is no result', () => {
    const whole = response(['[1]', '[2]']);
    for (let length = 0; length < whole.length; length++) {
      expect(() => splitResult(whole.subarray(0, length))).toThrow(BrokenResultError);
    }
    expect(() => splitResult(response(['[1]'], ',\n\n\t"exception": "Code: 1"'))).toThrow(BrokenResultError);
    expect(() => splitResult(Buffer.concat([whole, Buffer.from('Code: 241. DB::Exception: memory')]))).toThrow(
      BrokenResultError,
    );
  });
});

describe('what the engine read for an answer', () => {
  test('stands at its end, whatever its rows hold', () => {
    expect(readOf(response(['["\\n\\t\\"rows_read\\": 7,\\n\\t\\"bytes_read\\": 7\\n}\\n}\\n"]']))).toEqual({
      rows: 1,
      bytes: 1,
      seconds: 0.1,
    });
  });

  test('is not made up when it is missing', () => {
    expect(() => readOf(Buffer.from('{}\n'))).toThrow(BrokenResultError);
  });
});
