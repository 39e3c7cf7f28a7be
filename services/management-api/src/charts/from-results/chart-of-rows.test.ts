import { describe, expect, test } from '@jest/globals';
import { chartOfRows } from './chart-of-rows.ts';

const typed = (first: string, second: string, results: unknown[][]) => ({
  columns: ['a', 'b'],
  types: [
    ['a', first],
    ['b', second],
  ] as [string, string][],
  results,
});

describe('charts of SQL results', () => {
  test('texts and numbers are horizontal bars in the order of the rows', () => {
    const rows = typed('LowCardinality(Nullable(String))', 'UInt64', [['x', 1], [null, '12345678901234567890']]); // prettier-ignore
    expect(chartOfRows(rows, 'Totals')).toEqual({
      form: 'totals',
      title: 'Totals',
      labels: ['x', 'null'],
      series: [{ label: 'b', values: [1, Number('12345678901234567890')], colour: 0 }],
      unit: 'count',
    });
  });

  test.each([
    ['Date', ['2025-01-07', '2025-01-06'], ['6-Jan-2025', '7-Jan-2025']],
    [
      "DateTime64(6, 'UTC')",
      ['2025-01-06 10:00:00.000000', '2025-01-06 09:30:00.000000'],
      ['6-Jan 09:30', '6-Jan 10:00'],
    ],
    ['Nullable(DateTime)', ['2025-01-07T00:00:00Z', '2025-01-06T00:00:00Z'], ['6-Jan-2025', '7-Jan-2025']],
  ])('%s and numbers are a line in order of time', (type, times, labels) => {
    const rows = typed(type, 'Float64', [
      [times[0], 2],
      [times[1], 1],
      ...(type.startsWith('Nullable') ? [[null, 9]] : []),
    ]);
    expect(chartOfRows(rows, 't')).toMatchObject({ form: 'line', labels, series: [{ values: [1, 2] }] });
  });

  test('two numbers are upright bars', () => {
    expect(chartOfRows(typed('UInt8', 'Decimal(10, 2)', [[9, '1.50'], [10, null]]), 't')).toMatchObject({ form: 'bars', labels: ['9', '10'], series: [{ values: [1.5, null] }] }); // prettier-ignore
  });

  test('one row of one number is that number', () => {
    expect(chartOfRows({ columns: ['count()'], types: [['count()', 'UInt64']], results: [[7]] }, 't')).toEqual({
      form: 'numbers',
      title: 't',
      numbers: [{ label: 'count()', value: 7, unit: 'count' }],
    });
  });

  test('without types the values decide', () => {
    const columns = ['a', 'b'];
    expect(chartOfRows({ columns, results: [['2025-01-06', 1]] }, 't').form).toBe('line');
    expect(chartOfRows({ columns, results: [['x', 1]] }, 't').form).toBe('totals');
    expect(chartOfRows({ columns, results: [[3, 1]] }, 't').form).toBe('bars');
  });

  test('no rows are an empty chart', () => {
    expect(chartOfRows(typed('String', 'UInt64', []), 't')).toMatchObject({ form: 'totals', labels: [] });
  });

  test.each([
    ['three columns', { columns: ['a', 'b', 'c'], results: [['x', 1, 2]] }],
    ['no number', typed('String', 'String', [['x', 'y']])],
    ['a number first', typed('UInt64', 'String', [[1, 'x']])],
    ['a list', typed('Array(String)', 'UInt64', [[['x'], 1]])],
    ['rows of one number', { columns: ['a'], results: [[1], [2]] }],
    ['one text', { columns: ['a'], results: [['x']] }],
  ])('%s is refused, and told what is needed', (_, rows) => {
    expect(() => chartOfRows(rows, 't')).toThrow(
      expect.objectContaining({
        status: 400,
        details: expect.objectContaining({ attr: 'format' }) as object,
        message: expect.stringMatching(/^A chart needs two columns, .* The result has \d rows? of \d: a/) as unknown,
      }),
    );
  });
});
