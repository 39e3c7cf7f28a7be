import { describe, expect, test } from '@jest/globals';
import { judge } from './bars.ts';
import { count, figure, spread } from './format.ts';
import { markdownReport, withReport } from './report.ts';

const circumstances = {
  date: '2026-01-02',
  nodeVersion: '24.0.0',
  cores: 2,
  processor: 'Some CPU',
  loadBefore: 0.5,
  command: 'npm run bench',
};

const quick = {
  what: 'quick',
  millrace: '1 µs',
  beside: '2 µs',
  ratio: '1.2 times',
  verdicts: [judge(1.2, { most: 1.5 })],
};
const small = {
  what: 'small',
  millrace: '300 MB',
  beside: '',
  ratio: '',
  verdicts: [judge(300, { most: 250, unit: ' MB' })],
};

describe('the report', () => {
  test('is a table with time, machine and command of its creation', () => {
    const report = markdownReport([{ what: 'a|b', millrace: '1 ms', beside: '', ratio: '0.5' }], circumstances);
    expect(report.split('\n').slice(-3)).toEqual([
      '| What | Millrace | Beside it, in the same run | Ratio and bar |',
      '| --- | --- | --- | --- |',
      '| a\\|b | 1 ms |  | 0.5 |',
    ]);
    for (const fact of ['`npm run bench`', '2026-01-02', '24.0.0', '2 cores', 'Some CPU', '0.50'])
      expect(report).toContain(fact);
  });

  test('shows every bar beside its figure, and what was not measured', () => {
    const report = markdownReport([quick, small], { ...circumstances, skipped: ['capture-kafka: no Java.'] });
    expect(report).toContain('| quick | 1 µs | 2 µs | 1.2 times; bar ≤ 1.5: met |');
    expect(report).toContain('| small | 300 MB |  | bar ≤ 250 MB: missed |');
    expect(report).toContain('Not measured: capture-kafka: no Java.');
  });

  test('begins with the bars that were missed, a row each', () => {
    const before = (report: string): string => report.slice(0, report.indexOf('| What |'));
    const missed = before(markdownReport([quick, small], circumstances));
    expect(missed).toContain(
      'Bars met: 1 of 2.\n\n| Missed | Millrace | Ratio | Bar |\n| --- | --- | --- | --- |\n| small | 300 MB |  | bar ≤ 250 MB: missed |\n',
    );
    expect(missed).not.toContain('quick');
    expect(before(markdownReport([quick], circumstances))).toMatch(/Bars met: 1 of 1\.\n\n$/);
  });

  test('takes the place of the one before it and leaves the rest of the document as it is', () => {
    const empty = '# Title\n\n<!-- bench -->\n<!-- /bench -->\n\nMore.\n';
    const first = withReport(empty, 'one');
    expect(first).toBe('# Title\n\n<!-- bench -->\none\n<!-- /bench -->\n\nMore.\n');
    expect(withReport(first, 'two')).toBe(first.replace('one', 'two'));
    for (const damaged of ['# Title\n', '<!-- bench -->\n', '<!-- /bench --><!-- bench -->'])
      expect(() => withReport(damaged, 'x')).toThrow();
  });

  test('figures show the digits that mean something', () => {
    expect([figure(0.123), figure(12.345), figure(1234.5)]).toEqual(['0.12', '12.3', '1235']);
    expect([count(12_345), count(999), count(1_234_567)]).toEqual(['12 300', '999', '1 230 000']);
    expect(spread({ median: 2, least: 1, greatest: 30 }, 'µs')).toBe('2.00 µs (1.00–30.0)');
    expect(() => figure(0 / 0)).toThrow(RangeError);
  });
});
