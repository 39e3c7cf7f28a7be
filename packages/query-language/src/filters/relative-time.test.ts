import { describe, expect, test } from '@jest/globals';
import { isFewMinutes, readMoment } from './relative-time.ts';

const nowMs = Date.parse('2026-03-30T10:20:30.456Z'); // a Monday; clocks in Berlin went forward the day before
const utc = { nowMs, timeZone: 'UTC' };
const berlin = { nowMs, timeZone: 'Europe/Berlin' };

describe('times of filters (contract/endpoints 2.4)', () => {
  test.each([
    ['-7d', utc, '2026-03-23 10:20:30.000000'],
    ['-24h', utc, '2026-03-29 10:20:30.456000'],
    ['-30M', utc, '2026-03-30 09:50:30.456000'],
    ['-1m', utc, '2026-02-28 10:20:30.000000'],
    ['-1q', utc, '2025-12-30 10:20:30.000000'],
    ['-1y', utc, '2025-03-30 10:20:30.000000'],
    ['dStart', utc, '2026-03-30 00:00:00.000000'],
    ['-1dStart', utc, '2026-03-29 00:00:00.000000'],
    ['-1dEnd', utc, '2026-03-29 23:59:59.999999'],
    ['wStart', utc, '2026-03-30 00:00:00.000000'],
    ['mStart', utc, '2026-03-01 00:00:00.000000'],
    ['-1mEnd', utc, '2026-02-28 23:59:59.999999'],
    ['qStart', utc, '2026-01-01 00:00:00.000000'],
    ['yEnd', utc, '2026-12-31 23:59:59.999999'],
    ['dStart', berlin, '2026-03-29 22:00:00.000000'],
    ['-1dStart', berlin, '2026-03-28 23:00:00.000000'],
    ['-2d', berlin, '2026-03-28 11:20:30.000000'],
    ['-9999y', utc, '1900-01-03 00:00:00.000000'],
    ['2026-01-31T12:00:00+02:00', utc, '2026-01-31 10:00:00.000000'],
  ])('%s is one point in time, by the calendar of the zone', (text, now, time) => {
    expect(readMoment(text, now)).toEqual({ first: time, last: time });
  });

  test('a bare date is the whole day of the zone, also one of 23 hours', () => {
    expect(readMoment('2026-03-29', berlin)).toEqual({
      first: '2026-03-28 23:00:00.000000',
      last: '2026-03-29 21:59:59.999999',
    });
  });

  test.each(['', 'yesterday', '7d', 'd', '-d', '2026-13-01', '-7x', '-1d; DROP', '-12345d'])(
    '%j is refused',
    (text) => {
      expect(() => readMoment(text, utc)).toThrow();
    },
  );
});

test('minutes under an hour may be meant as months', () => {
  const texts = ['-1M', '-30M', '-59MStart', '-60M', '-1440M', '-1m', '-7d', 'MStart', '2026-01-31', '-M'];
  expect(texts.filter(isFewMinutes)).toEqual(['-1M', '-30M', '-59MStart']);
});
