import { describe, expect, test } from '@jest/globals';
import { judge } from './bars.ts';
import { count, figure, spread } from './format.ts';
import { markdownReport, withReport } from './report.ts';

const circumstances = { date: '2026-01-02', nodeVersion: '24.0.0', cores: 2, processor: 'Some CPU', loadBefore: 0.5, command: 'npm run bench' };

describe('the report', () => {
  test('is a table that says when, where and by what it was made', () => {
    const report = markdownReport([{ what: 'a|b', millrace: '1 ms', beside: '', ratio: '0.5' }], circumstances);
    expect(report.split('\n').slice(0, 3)).toEqual(['| What | Millrace | Beside it, in the same run | Ratio and bar |', '| --- | --- | --- | --- |', '| a\\|b | 1 ms |  | 0.5 |']);
    for (const fact of ['`npm run bench`', '2026-01-02', '24.0.0', '2 cores', 'Some CPU', '0.50']) expect(report).toContain(fact);
  });

  test('shows every bar beside its figure, and names those that were missed, and what was not measured', () => {
    const lines = [
      { what: 'quick', millrace: '', beside: '', ratio: '1.2 times', verdicts: [judge(1.2, { most: 1.5 })] },
      { what: 'small', millrace: '300 MB', beside: '', ratio: '', verdicts: [judge(300, { most: 250, unit: ' MB' })] },
    ];
    const report = markdownReport(lines, { ...circumstances, skipped: ['capture-kafka: no Java.'] });
    expect(report).toContain('| quick |  |  | 1.2 times; bar ≤ 1.5: met |');
    expect(report).toContain('| small | 300 MB |  | bar ≤ 250 MB: missed |');
    expect(report).toContain('Bars met: 1 of 2. Missed: small.');
    expect(report).toContain('Not measured: capture-kafka: no Java.');
  });

  test('takes its own place in a document and leaves the rest as it is', () => {
    const first = withReport('# Title\n\nText.\n', 'one');
    expect(first).toBe('# Title\n\nText.\n\n## Performance\n\n<!-- bench -->\none\n<!-- /bench -->\n');
    expect(withReport(`${first}\nMore.\n`, 'two')).toBe('# Title\n\nText.\n\n## Performance\n\n<!-- bench -->\ntwo\n<!-- /bench -->\n\nMore.\n');
    expect(() => withReport('<!-- bench -->\n', 'x')).toThrow();
  });

  test('figures show the digits that mean something', () => {
    expect([figure(0.123), figure(12.345), figure(1234.5)]).toEqual(['0.12', '12.3', '1235']);
    expect([count(12_345), count(999), count(1_234_567)]).toEqual(['12 300', '999', '1 230 000']);
    expect(spread({ median: 2, least: 1, greatest: 30 }, 'µs')).toBe('2.00 µs (1.00–30.0)');
    expect(() => figure(0 / 0)).toThrow(RangeError);
  });
});
