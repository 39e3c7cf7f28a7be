import { describe, expect, test } from '@jest/globals';
import { BrokenResultError, rowsBetween, withoutLastRow } from './result-bytes.ts';
import { objectsForm, splitTemplate } from './template-form.ts';

const form = objectsForm(['a']);
// The exact layout of ClickHouse's Template; the integration test asks a real one.
const answer = (rows: readonly string[], more = ''): Buffer =>
  Buffer.from(
    `${rows.join(',\n')}${form.endMark}${rows.length},"statistics":{"elapsed":0.5,"rows_read":9,"bytes_read":72}${more}}`,
  );
const rowsOf = (bytes: Uint8Array): unknown => JSON.parse(`[${Buffer.from(bytes).toString()}]`);
const split = (bytes: Buffer) => splitTemplate(bytes, form, ['a']);

describe('rows of objects pass through as bytes', () => {
  test.each([[[]], [['{"a":1}']], [['{"a":"},\\n{"}', '{"a":"é"}', '{"a":null}']]])('%j', (rows: string[]) => {
    const { result, read } = split(answer(rows));
    expect(rowsOf(result.rows)).toEqual(rows.map((row) => JSON.parse(row) as unknown));
    expect([result.rowCount, result.columns, read]).toEqual([
      rows.length,
      [{ name: 'a' }],
      { rows: 9, bytes: 72, seconds: 0.5 },
    ]);
  });

  test('they can be cut as lists can', () => {
    const { result } = split(answer(['{"a":1}', '{"a":"},\\n{"}', '{"a":3}']));
    expect(rowsOf(withoutLastRow(result).rows)).toEqual([{ a: 1 }, { a: '},\n{' }]);
    expect(rowsOf(rowsBetween(result, 1, 2).rows)).toEqual([{ a: '},\n{' }]);
  });

  test('an answer that was cut off, or that carries an exception, is no result', () => {
    const whole = answer(['{"a":1}', '{"a":2}']);
    for (let length = 0; length < whole.length; length++)
      expect(() => split(whole.subarray(0, length))).toThrow(BrokenResultError);
    expect(() => split(answer(['{"a":1}'], ',"exception":"Code: 1"'))).toThrow(BrokenResultError);
    expect(() => split(Buffer.concat([whole, Buffer.from('Code: 241. DB::Exception: memory')]))).toThrow(
      BrokenResultError,
    );
  });
});

test('two columns of one name cannot be an object', () => {
  expect(() => objectsForm(['a', 'b', 'a'])).toThrow('Two columns are called "a". Give them different names with AS');
});
