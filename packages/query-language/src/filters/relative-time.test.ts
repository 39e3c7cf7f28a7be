import { describe, expect, test } from '@jest/globals';
import { isFewMinutes, readMoment } from './relative-time.ts';

const nowMs = Date.parse('2026-03-30T10:20:30.456Z'); // a Monday; clocks in Berlin went forward the day before
const utc = { nowMs, timeZone: 'UTC' };
const berlin = { nowMs, timeZone: 'Europe/Berlin' };
const at = (time: string) => ({ nowMs: Date.parse(time), timeZone: 'UTC' });
const [saturday, sunday] = [at('2026-03-28T23:59:59Z'), at('2026-03-29T00:00:00Z')];
const [monthEnd, leapDay, yearEnd] = [
  at('2026-05-31T23:00:00Z'),
  at('2028-02-29T00:00:00Z'),
  at('2026-12-31T12:00:00Z'),
];

describe('times of filters (contract/endpoints 2.4)', () => {
  test.each([
    ['-7d', utc, '2026-03-23 10:20:30.000000'],
    ['-24h', utc, '2026-03-29 10:20:30.456000'],
    ['-30M', utc, '2026-03-30 09:50:30.456000'],
    ['-1m', utc, '2026-02-28 10:20:30.000000'],
    ['-1m', monthEnd, '2026-04-30 23:00:00.000000'],
    ['-3m', monthEnd, '2026-02-28 23:00:00.000000'],
    ['-1y', leapDay, '2027-02-28 00:00:00.000000'],
    ['7d', utc, '2026-03-23 10:20:30.000000'],
    ['1mStart', utc, '2026-02-01 00:00:00.000000'],
    ['-2w', utc, '2026-03-16 10:20:30.000000'],
    ['-1q', utc, '2025-12-29 10:20:30.000000'],
    ['-2q', utc, '2025-09-29 10:20:30.000000'],
    ['-1y', utc, '2025-03-30 10:20:30.000000'],
    ['dStart', utc, '2026-03-30 00:00:00.000000'],
    ['-1dStart', utc, '2026-03-29 00:00:00.000000'],
    ['-1dEnd', utc, '2026-03-29 23:59:59.999999'],
    ['-1hStart', utc, '2026-03-30 09:00:00.000000'],
    ['hEnd', utc, '2026-03-30 10:59:59.999999'],
    ['-1MStart', utc, '2026-03-30 10:19:00.000000'],
    ['wStart', utc, '2026-03-29 00:00:00.000000'],
    ['wEnd', utc, '2026-04-04 23:59:59.999999'],
    ['-1wStart', utc, '2026-03-22 00:00:00.000000'],
    ['-1wEnd', utc, '2026-03-28 23:59:59.999999'],
    ['wStart', sunday, '2026-03-29 00:00:00.000000'],
    ['wStart', saturday, '2026-03-22 00:00:00.000000'],
    // Clocks in Berlin go forward on that Sunday, at 02:00.
    ['wStart', berlin, '2026-03-28 23:00:00.000000'],
    ['wEnd', berlin, '2026-04-04 21:59:59.999999'],
    ['mStart', utc, '2026-03-01 00:00:00.000000'],
    ['-1mEnd', utc, '2026-02-28 23:59:59.999999'],
    ['-1mStart', utc, '2026-02-01 00:00:00.000000'],
    ['mEnd', utc, '2026-03-31 23:59:59.999999'],
    ['qStart', utc, '2026-01-01 00:00:00.000000'],
    ['qEnd', utc, '2026-03-31 23:59:59.999999'],
    ['-1qStart', utc, '2025-10-01 00:00:00.000000'],
    ['-1qEnd', utc, '2025-12-31 23:59:59.999999'],
    ['-1qStart', yearEnd, '2026-07-01 00:00:00.000000'],
    ['yStart', utc, '2026-01-01 00:00:00.000000'],
    ['-1yEnd', utc, '2025-12-31 23:59:59.999999'],
    ['dEnd', utc, '2026-03-30 23:59:59.999999'],
    ['yEnd', utc, '2026-12-31 23:59:59.999999'],
    ['dStart', berlin, '2026-03-29 22:00:00.000000'],
    ['-1dStart', berlin, '2026-03-28 23:00:00.000000'],
    ['-2d', berlin, '2026-03-28 11:20:30.000000'],
    ['-9999y', utc, '1900-01-03 00:00:00.000000'],
    ['2026-01-31T12:00:00+02:00', utc, '2026-01-31 10:00:00.000000'],
    ['2026-01-31T12:00:00+02:00', berlin, '2026-01-31 10:00:00.000000'],
    ['2026-01-31T12:00:00Z', berlin, '2026-01-31 12:00:00.000000'],
    ['2026-01-31T12:00', berlin, '2026-01-31 11:00:00.000000'],
    ['2026-07-31 12:00:00.123456', berlin, '2026-07-31 10:00:00.123456'],
    ['2026-01-31T12:00', utc, '2026-01-31 12:00:00.000000'],
  ])('%s is one point in time, by the calendar of the zone', (text, now, time) => {
    expect(readMoment(text, now, 'date_from')).toEqual({ first: time, last: time });
  });

  test('a bare date is the whole day of the zone, also one of 23 hours', () => {
    expect(readMoment('2026-03-29', berlin, 'date_from')).toEqual({
      first: '2026-03-28 23:00:00.000000',
      last: '2026-03-29 21:59:59.999999',
    });
  });

  test.each([
    '',
    'yesterday',
    '7 days',
    'all',
    'd',
    '-d',
    '-dStart',
    '+7d',
    '--7d',
    '7',
    'Start',
    '2026-13-01',
    '-7x',
    '-1d; DROP',
    '-12345d',
  ])('%j is refused', (text) => {
    expect(() => readMoment(text, utc, 'date_from')).toThrow(/in date_from is not a time/);
  });
});

test('minutes under an hour may be meant as months', () => {
  const texts = ['-1M', '-30M', '-59MStart', '-60M', '-1440M', '-1m', '-7d', 'MStart', '2026-01-31', '-M', '5M'];
  expect(texts.filter(isFewMinutes)).toEqual(['-1M', '-30M', '-59MStart', '5M']);
});
