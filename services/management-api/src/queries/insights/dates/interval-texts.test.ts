import { describe, expect, test } from '@jest/globals';
import { readSpan, type DateSpan } from './date-span.ts';
import { daysOf, intervalIndex, isoDaysOf, isoMoment, labelsOf } from './interval-texts.ts';
import type { IntervalUnit } from './intervals.ts';

const span = (unit: IntervalUnit, from: string, to: string, timeZone = 'UTC'): DateSpan =>
  readSpan(
    { date_from: from, date_to: to },
    { unit, rule: 'trends', now: { nowMs: Date.parse('2026-03-30T10:20:30Z'), timeZone } },
  );

describe('days and labels (contract/insights 4)', () => {
  test.each([
    ['day', '2025-01-05', '2025-01-06', ['2025-01-05', '2025-01-06'], ['5-Jan-2025', '6-Jan-2025']],
    [
      'hour',
      '2025-01-06T09:10:00Z',
      '2025-01-06T10:00:00Z',
      ['2025-01-06 09:00:00', '2025-01-06 10:00:00'],
      ['6-Jan 09:00', '6-Jan 10:00'],
    ],
    [
      'minute',
      '2025-01-06T09:59:30Z',
      '2025-01-06T10:00:00Z',
      ['2025-01-06 09:59:00', '2025-01-06 10:00:00'],
      ['6-Jan 09:59', '6-Jan 10:00'],
    ],
    [
      'month',
      '2024-12-24',
      '2025-02-01',
      ['2024-12-01', '2025-01-01', '2025-02-01'],
      ['Dec 2024', 'Jan 2025', 'Feb 2025'],
    ],
    ['week', '2025-01-05', '2025-01-18', ['2025-01-05', '2025-01-12'], ['5–11 Jan', '12–18 Jan']],
    ['week', '2025-01-26', '2025-02-02', ['2025-01-26', '2025-02-02'], ['26-Jan – 1-Feb', '2-Feb-2025']],
    ['week', '2024-12-29', '2025-01-04', ['2024-12-29'], ['29-Dec-2024 – 4-Jan-2025']],
    ['week', '2025-01-08', '2025-01-14', ['2025-01-05', '2025-01-12'], ['8–11 Jan', '12–14 Jan']],
    ['week', '2025-01-11', '2025-01-12', ['2025-01-05', '2025-01-12'], ['11-Jan-2025', '12-Jan-2025']],
    ['week', '2024-12-31', '2025-01-01', ['2024-12-29'], ['31-Dec-2024 – 1-Jan-2025']],
    ['week', '2025-01-02', '2025-01-02', ['2024-12-29'], ['2-Jan-2025']],
  ] as const)('%s from %s to %s', (unit, from, to, days, labels) => {
    const given = span(unit, from, to);
    expect([daysOf(given, 'UTC'), labelsOf(given, 'UTC')]).toEqual([days, labels]);
  });

  test('are local times', () => {
    const zone = 'Asia/Kolkata';
    const hours = span('hour', '2025-01-06T09:10:00', '2025-01-06T09:20:00', zone);
    expect([daysOf(hours, zone), labelsOf(hours, zone), isoDaysOf(hours, zone)]).toEqual([
      ['2025-01-06 09:00:00'],
      ['6-Jan 09:00'],
      ['2025-01-06T09:00:00+05:30'],
    ]);
    const weeks = span('week', '2025-01-05', '2025-01-12', zone);
    expect([daysOf(weeks, zone), labelsOf(weeks, zone)]).toEqual([
      ['2025-01-05', '2025-01-12'],
      ['5–11 Jan', '12-Jan-2025'],
    ]);
  });

  test('name a day without a midnight, and an hour that came twice', () => {
    const zone = 'America/Sao_Paulo';
    const day = span('day', '2018-11-04', '2018-11-04', zone);
    expect([daysOf(day, zone), labelsOf(day, zone), isoDaysOf(day, zone)]).toEqual([
      ['2018-11-04'],
      ['4-Nov-2018'],
      ['2018-11-04T01:00:00-02:00'],
    ]);
    const night = span('hour', '2026-11-01T05:00:00Z', '2026-11-01T06:30:00Z', 'America/New_York');
    expect([labelsOf(night, 'America/New_York'), isoDaysOf(night, 'America/New_York')]).toEqual([
      ['1-Nov 01:00', '1-Nov 01:00'],
      ['2026-11-01T01:00:00-04:00', '2026-11-01T01:00:00-05:00'],
    ]);
  });
});

test('moments in ISO 8601 have the offset of their time', () => {
  const { from, to } = span('day', '2026-03-29', '2026-03-29', 'Europe/Berlin');
  expect([from, to].map((moment) => isoMoment(moment, 'Europe/Berlin'))).toEqual([
    '2026-03-29T00:00:00.000000+01:00',
    '2026-03-29T23:59:59.999999+02:00',
  ]);
  expect(isoMoment(from, 'UTC')).toBe('2026-03-28T23:00:00.000000Z');
  expect(isoMoment(from, 'America/St_Johns')).toBe('2026-03-28T20:30:00.000000-02:30');
});

describe('the index of an interval', () => {
  const days = span('day', '2026-03-28', '2026-03-30', 'Europe/Berlin');
  test.each([
    ['2026-03-27T22:59:59.999Z', -1],
    ['2026-03-27T23:00:00.000Z', 0],
    ['2026-03-28T22:59:59.999Z', 0],
    ['2026-03-28T23:00:00.000Z', 1],
    ['2026-03-29T21:59:59.999Z', 1],
    ['2026-03-29T22:00:00.000Z', 2],
    ['2026-03-30T21:59:59.999Z', 2],
    ['2026-03-30T22:00:00.000Z', -1],
  ])('of %s is %i', (at, index) => {
    expect(intervalIndex(days, Date.parse(at))).toBe(index);
  });
});
