import { describe, expect, test } from '@jest/globals';
import { readSpan, type DateRange, type SpanOptions } from './date-span.ts';
import { previousSpan } from './previous-span.ts';

const nowMs = Date.parse('2026-04-01T10:20:30.456Z'); // a Wednesday; clocks in Berlin went forward on March 29
const utc: SpanOptions = { unit: 'day', rule: 'trends', now: { nowMs, timeZone: 'UTC' } };
const berlin: SpanOptions = { ...utc, now: { nowMs, timeZone: 'Europe/Berlin' } };

const previous = (range: DateRange | undefined, options: SpanOptions, compare_to?: string) =>
  previousSpan(readSpan(range, options), range, compare_to === undefined ? {} : { compare_to }, options);
const ends = (...given: Parameters<typeof previous>): string[] => {
  const { from, to } = previous(...given);
  return [from, to];
};
const days = (from: string, to: string): string[] => [`${from} 00:00:00.000000`, `${to} 23:59:59.999999`];
const hour: SpanOptions = { ...utc, unit: 'hour' };

describe('the period right before, at the same times of day (contract/insights 5.6)', () => {
  test.each([
    ['days', { date_from: '2026-01-06', date_to: '2026-01-10' }, utc, days('2026-01-01', '2026-01-05')],
    ['-6d', { date_from: '-6d' }, utc, days('2026-03-19', '2026-03-25')],
    ['one day', { date_from: 'dStart' }, utc, days('2026-03-31', '2026-03-31')],
    [
      'weeks',
      { date_from: '2026-03-18', date_to: '2026-03-30' },
      { ...utc, unit: 'week' },
      days('2026-03-05', '2026-03-17'),
    ],
    [
      'months',
      { date_from: '2026-01-01', date_to: '2026-03-31' },
      { ...utc, unit: 'month' },
      days('2025-10-03', '2025-12-31'),
    ],
    ['-24h by day', { date_from: '-24h' }, utc, ['2026-03-29 10:00:00.000000', '2026-03-30 23:59:59.999999']],
    ['-24h by hour', { date_from: '-24h' }, hour, ['2026-03-30 10:00:00.000000', '2026-03-31 10:59:59.999999']],
    ['-48h by hour', { date_from: '-48h' }, hour, ['2026-03-28 10:00:00.000000', '2026-03-30 10:59:59.999999']],
    ['-3h by hour', { date_from: '-3h' }, hour, ['2026-03-31 07:00:00.000000', '2026-03-31 10:59:59.999999']],
    [
      'complete hours',
      { date_from: '-25h', excludeIncompletePeriods: true },
      hour,
      ['2026-03-29 09:00:00.000000', '2026-03-30 09:59:59.999999'],
    ],
    [
      'minutes that clocks left out the day before',
      { date_from: '2026-03-30T02:40:00', date_to: '2026-03-30T03:10:00' },
      { ...berlin, unit: 'hour' },
      ['2026-03-29 01:40:00.000000', '2026-03-29 01:40:00.000000'],
    ],
    ['-7d by hour', { date_from: '-7d' }, hour, ['2026-03-17 00:00:00.000000', '2026-03-24 10:59:59.999999']],
    ['hours of a day', { date_from: '2026-03-10', date_to: '2026-03-10' }, hour, days('2026-03-09', '2026-03-09')],
    [
      'minutes',
      { date_from: '2026-03-10T10:00:00Z', date_to: '2026-03-10T10:29:59.999999Z' },
      { ...utc, unit: 'minute' },
      ['2026-03-10 09:30:00.000000', '2026-03-10 09:59:59.999999'],
    ],
    [
      'explicit times',
      { date_from: '2026-03-10T12:00:00.5Z', date_to: '2026-03-11T18:00:00Z', explicitDate: true },
      utc,
      ['2026-03-08 12:00:00.500000', '2026-03-09 18:00:00.000000'],
    ],
    [
      'days over a change of clocks',
      { date_from: '2026-03-28', date_to: '2026-03-30' },
      berlin,
      ['2026-03-24 23:00:00.000000', '2026-03-27 22:59:59.999999'],
    ],
    [
      'days after a change of clocks',
      { date_from: '2026-03-30', date_to: '2026-03-31' },
      berlin,
      ['2026-03-27 23:00:00.000000', '2026-03-29 21:59:59.999999'],
    ],
  ] as [string, DateRange, SpanOptions, string[]][])('%s', (_what, range, options, expected) => {
    expect(ends(range, options)).toEqual(expected);
  });

  test('days that begin at 01:00, and with 23:00 twice, are whole days', () => {
    const cairo = { ...utc, now: { nowMs, timeZone: 'Africa/Cairo' } };
    expect(ends({ date_from: '2025-04-25', date_to: '2025-04-25' }, cairo)).toEqual([
      '2025-04-23 22:00:00.000000',
      '2025-04-24 21:59:59.999999',
    ]);
    expect(ends({ date_from: '2025-04-26', date_to: '2025-04-26' }, cairo)).toEqual([
      '2025-04-24 22:00:00.000000',
      '2025-04-25 20:59:59.999999',
    ]);
    expect(ends({ date_from: '2025-10-31', date_to: '2025-10-31' }, cairo)).toEqual([
      '2025-10-29 21:00:00.000000',
      '2025-10-30 21:59:59.999999',
    ]);
  });
});

describe('whole weeks and today move by whole weeks', () => {
  test.each([
    ['no range', undefined, days('2026-03-18', '2026-03-25')],
    ['-7d', { date_from: '-7d' }, days('2026-03-18', '2026-03-25')],
    ['-14d', { date_from: '-14d' }, days('2026-03-04', '2026-03-18')],
    ['an absolute end', { date_from: '-7d', date_to: '2026-04-01' }, days('2026-03-18', '2026-03-25')],
    [
      'explicit',
      { date_from: '-7d', explicitDate: true },
      ['2026-03-18 10:20:30.456000', '2026-03-25 10:20:30.456000'],
    ],
    ['not with a relative end', { date_from: '-7d', date_to: '-0d' }, days('2026-03-17', '2026-03-24')],
    ['complete days', { date_from: '-7d', excludeIncompletePeriods: true }, days('2026-03-18', '2026-03-24')],
    [
      'no complete day is cut of a past end',
      { date_from: '-14d', date_to: '2026-03-30', excludeIncompletePeriods: true },
      days('2026-03-06', '2026-03-18'),
    ],
  ] as [string, DateRange | undefined, string[]][])('%s', (_what, range, expected) => {
    expect(ends(range, utc)).toEqual(expected);
  });
  test('only by day', () => {
    expect(ends({ date_from: '-7d' }, { ...utc, unit: 'week' })).toEqual(days('2026-03-17', '2026-03-24'));
  });
});

describe('starts of a unit until now are compared with the whole unit before', () => {
  test.each([
    ['wStart', days('2026-03-22', '2026-03-28')],
    ['mStart', days('2026-03-01', '2026-03-31')],
    ['qStart', days('2026-01-01', '2026-03-31')],
    ['yStart', days('2025-01-01', '2025-12-31')],
  ])('%s', (date_from, expected) => {
    expect(ends({ date_from }, utc)).toEqual(expected);
    expect(ends({ date_from }, { ...utc, exactTotal: true })).toEqual(expected);
  });
  test('not with date_to', () => {
    expect(ends({ date_from: 'yStart', date_to: 'dStart' }, utc)).toEqual(days('2025-10-02', '2025-12-31'));
  });
});

test('all time is compared with the same time right before the first event', () => {
  const earliest = '2026-03-31 12:00:00.000001';
  expect(ends({ date_from: 'all' }, { ...utc, earliest })).toEqual([
    '2026-03-30 00:00:00.000002',
    '2026-03-31 12:00:00.000000',
  ]);
});

describe('an exact total is compared with the time right before, to the microsecond', () => {
  const total = { ...utc, exactTotal: true };
  test('without date_to', () => {
    expect(ends({ date_from: '-7d' }, total)).toEqual(['2026-03-18 10:20:30.455999', '2026-03-25 10:20:30.455999']);
    expect(ends(undefined, total)).toEqual(['2026-03-17 13:39:29.543999', '2026-03-24 23:59:59.999999']);
  });
  test('with it as other displays', () => {
    expect(ends({ date_from: '2026-01-06', date_to: '2026-01-10' }, total)).toEqual(days('2026-01-01', '2026-01-05'));
  });
  test('its events count from its own beginning', () => {
    expect(previous({ date_from: '-7d' }, total).countsFrom).toBe('2026-03-18 10:20:30.455999');
  });
});

describe('compare_to', () => {
  const range = { date_from: '2026-03-30', date_to: '2026-03-31' };
  test.each([
    ['-1d', utc, days('2026-03-29', '2026-03-30')],
    ['-1w', utc, days('2026-03-23', '2026-03-24')],
    ['-1m', utc, days('2026-02-28', '2026-03-01')],
    ['-1y', utc, days('2025-03-30', '2025-03-31')],
    ['-6h', hour, ['2026-03-29 18:00:00.000000', '2026-03-31 17:59:59.999999']],
    ['-1w', berlin, ['2026-03-22 23:00:00.000000', '2026-03-24 22:59:59.999999']],
  ] as [string, SpanOptions, string[]][])('%s', (compareTo, options, expected) => {
    expect(ends(range, options, compareTo)).toEqual(expected);
  });
  test('wins over the other rules', () => {
    expect(ends({ date_from: 'mStart' }, utc, '-1w')).toEqual(days('2026-03-25', '2026-03-25'));
    expect(ends(undefined, utc, '-1w')).toEqual(days('2026-03-18', '2026-03-25'));
  });
  test.each(['', '1w', '-1q', '-1M', '-w', '-1wStart', 'all', '2026-01-01'])('%j is refused', (text) => {
    expect(() => previous(range, utc, text)).toThrow(
      expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining('compare_to') }),
    );
  });
  test('a period before 1900 is refused', () => {
    expect(() => previous(range, utc, '-200y')).toThrow('before 1900');
    expect(() => previous(range, utc, '-9999y')).toThrow('before 1900');
    expect(() => previous(range, utc, '-1500y')).toThrow('before 1900');
    expect(() => previous({ date_from: '-9999y' }, { ...utc, unit: 'month' })).toThrow('before 1900');
  });
});

test('the intervals are those of the period', () => {
  const { starts, endMs, unit, countsFrom } = previous({ date_from: '-24h' }, utc);
  expect([starts.map((start) => new Date(start).toISOString().slice(0, 10)), endMs, unit, countsFrom]).toEqual([
    ['2026-03-29', '2026-03-30'],
    Date.UTC(2026, 2, 31),
    'day',
    '2026-03-29 10:00:00.000000',
  ]);
});
