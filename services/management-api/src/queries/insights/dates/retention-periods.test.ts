import { describe, expect, test } from '@jest/globals';
import type { DateRange } from './date-span.ts';
import { readPeriods, type PeriodOptions } from './retention-periods.ts';

const now = { nowMs: Date.parse('2026-04-01T10:20:30.456Z'), timeZone: 'UTC' }; // a Wednesday
const read = (range: DateRange | undefined, period: PeriodOptions['period'], totalIntervals = 8) => {
  const { from, to, countsFrom, starts } = readPeriods(range, { period, totalIntervals, now });
  expect(countsFrom).toBe(from);
  return [from, to, starts.length];
};

describe('periods of a retention query (contract/insights 7.2)', () => {
  test.each([
    ['hour', 8, '2026-04-01 03:00:00.000000', '2026-04-01 10:59:59.999999'],
    ['day', 8, '2026-03-25 00:00:00.000000', '2026-04-01 23:59:59.999999'],
    ['week', 3, '2026-03-15 00:00:00.000000', '2026-04-04 23:59:59.999999'],
    ['month', 2, '2026-03-01 00:00:00.000000', '2026-04-30 23:59:59.999999'],
    ['month', 1_000, '1943-01-01 00:00:00.000000', '2026-04-30 23:59:59.999999'],
    ['day', 1, '2026-04-01 00:00:00.000000', '2026-04-01 23:59:59.999999'],
  ] as const)('without date_from: by %s, the last %i', (period, count, from, to) => {
    expect(read(undefined, period, count)).toEqual([from, to, count]);
  });

  test.each([
    [
      'day',
      { date_from: '2025-01-06', date_to: '2025-01-10' },
      '2025-01-06 00:00:00.000000',
      '2025-01-10 23:59:59.999999',
      5,
    ],
    [
      'week',
      { date_from: '2025-01-08', date_to: '2025-01-13' },
      '2025-01-05 00:00:00.000000',
      '2025-01-18 23:59:59.999999',
      2,
    ],
    ['month', { date_from: '-1m' }, '2026-03-01 00:00:00.000000', '2026-04-30 23:59:59.999999', 2],
    ['hour', { date_from: '-3h' }, '2026-04-01 07:00:00.000000', '2026-04-01 10:59:59.999999', 4],
    [
      'hour',
      { date_from: '2026-03-31T12:34:00Z', date_to: '2026-03-31T13:10:00Z' },
      '2026-03-31 12:00:00.000000',
      '2026-03-31 13:59:59.999999',
      2,
    ],
    ['day', { date_from: '-24h' }, '2026-03-31 00:00:00.000000', '2026-04-01 23:59:59.999999', 2],
    [
      'day',
      { date_from: '2025-01-06T12:00:00Z', date_to: '2025-01-07T01:00:00Z', explicitDate: true },
      '2025-01-06 00:00:00.000000',
      '2025-01-07 23:59:59.999999',
      2,
    ],
    ['day', { date_to: '2025-01-10' }, '2025-01-03 00:00:00.000000', '2025-01-10 23:59:59.999999', 8],
  ] as const)('by %s: %j', (period, range, from, to, rows) => {
    expect(read(range, period)).toEqual([from, to, rows]);
  });

  test('excludeIncompletePeriods works with the period', () => {
    const excludeIncompletePeriods = true;
    expect(read({ excludeIncompletePeriods }, 'day')).toEqual([
      '2026-03-25 00:00:00.000000',
      '2026-03-31 23:59:59.999999',
      7,
    ]);
    expect(read({ excludeIncompletePeriods, date_from: '2026-03-18' }, 'week')).toEqual([
      '2026-03-22 00:00:00.000000',
      '2026-03-28 23:59:59.999999',
      1,
    ]);
    expect(read({ excludeIncompletePeriods }, 'week', 1)).toEqual([
      '2026-03-29 00:00:00.000000',
      '2026-04-04 23:59:59.999999',
      1,
    ]);
  });

  test('mistakes are refused as elsewhere', () => {
    expect(() => read({ date_from: 'soon' }, 'day')).toThrow('query.dateRange.date_from');
    expect(() => read({ date_from: '2026-03-02', date_to: '2026-03-01' }, 'day')).toThrow('date_from');
    expect(() => read({ date_from: '2024-01-01' }, 'hour')).toThrow('10,000 intervals');
    expect(() => read({ daysOfWeek: [1] }, 'day')).toThrow('daysOfWeek');
  });

  test('days of 23 and 25 hours are one period', () => {
    const zoned = { period: 'day', totalIntervals: 3, now: { ...now, timeZone: 'Europe/Berlin' } } as const;
    const { starts } = readPeriods({ date_to: '2026-03-30' }, zoned);
    expect(starts.map((start) => new Date(start).toISOString().slice(0, 16))).toEqual([
      '2026-03-27T23:00',
      '2026-03-28T23:00',
      '2026-03-29T22:00',
    ]);
  });
});
