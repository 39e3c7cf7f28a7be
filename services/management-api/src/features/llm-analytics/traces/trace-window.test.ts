import { describe, expect, test } from '@jest/globals';
import { readTraceWindow, widened, type GivenDates } from './trace-window.ts';

const nowMs = Date.parse('2026-03-31T12:00:00.250Z');

const read = (dates: GivenDates, timeZone = 'UTC') => readTraceWindow(dates, { nowMs, timeZone });

describe('the window of a trace (contract/llm-surveys 6.3)', () => {
  test.each([[{}], [{ date_from: null, date_to: null }], [{ date_from: ' ', date_to: '' }]])(
    'is the last thirty days for %j',
    (dates) => {
      expect(read(dates)).toEqual({ from: '2026-03-01 12:00:00.000000', to: '2026-03-31 12:00:00.250000' });
    },
  );

  test.each([
    ['-7d', '2026-03-24 12:00:00.000000'],
    ['-24h', '2026-03-30 12:00:00.250000'],
    ['-2w', '2026-03-17 12:00:00.000000'],
    ['-1m', '2026-02-28 12:00:00.000000'],
    ['-1y', '2025-03-31 12:00:00.000000'],
    ['2026-03-30T10:00:00Z', '2026-03-30 10:00:00.000000'],
    ['2026-03-30T10:00:00.123456+02:00', '2026-03-30 08:00:00.123456'],
    ['2026-03-30 10:00:00', '2026-03-30 10:00:00.000000'],
    [' 2026-03-30 ', '2026-03-30 00:00:00.000000'],
  ])('begins at %s', (date_from, from) => {
    expect(read({ date_from }).from).toBe(from);
  });

  test('takes a bare date for the whole day of the project, and a time without a zone for one of the project', () => {
    const dates = { date_from: '2026-03-01', date_to: '2026-03-02' };
    expect(read(dates, 'America/New_York')).toEqual({
      from: '2026-03-01 05:00:00.000000',
      to: '2026-03-03 04:59:59.999999',
    });
    expect(read({ date_from: '2026-03-02T01:00:00' }, 'America/New_York').from).toBe('2026-03-02 06:00:00.000000');
  });

  test('may be one moment', () => {
    const moment = '2026-03-01T00:00:00Z';
    expect(read({ date_from: moment, date_to: moment }).from).toBe('2026-03-01 00:00:00.000000');
  });

  test.each<[GivenDates, string]>([
    [{ date_from: 'yesterday' }, 'date_from'],
    [{ date_from: '2026-02-30' }, 'date_from'],
    [{ date_from: '-d' }, 'date_from'],
    [{ date_to: 'soon' }, 'date_to'],
    [{ date_from: '-1h', date_to: '1e9' }, 'date_to'],
    [{ date_from: '-1h', date_to: '-2h' }, 'date_from'],
    [{ date_from: '2026-04-01' }, 'date_from'],
  ])('%j is refused, and %s is named', (dates, field) => {
    const details: unknown = expect.objectContaining({ attr: field, detail: expect.stringContaining(field) });
    expect(() => read(dates)).toThrow(expect.objectContaining({ code: 'invalid_input', details }));
  });
});

describe('the widened window', () => {
  test('begins ten minutes earlier and ends ten minutes later', () => {
    expect(widened({ from: '2026-03-01 00:05:00.000001', to: '2026-03-01 23:55:00.999999' })).toEqual({
      from: '2026-02-28 23:55:00.000001',
      to: '2026-03-02 00:05:00.999999',
    });
  });

  test('ends with the times that can be stored', () => {
    const all = { from: '1900-01-01 00:00:00.000000', to: '2299-12-31 23:59:59.999999' };
    expect(widened(all)).toEqual(all);
  });
});
