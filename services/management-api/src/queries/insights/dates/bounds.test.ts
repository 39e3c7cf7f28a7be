import { describe, expect, test } from '@jest/globals';
import { readSpan, type DateRange, type SpanOptions } from './date-span.ts';

const nowMs = Date.parse('2026-04-01T10:20:30.456Z'); // a Wednesday
const options = { rule: 'trends', now: { nowMs, timeZone: 'UTC' } } as const;

const ends = (range: DateRange, unit: SpanOptions['unit'], more: Partial<SpanOptions> = {}): string[] => {
  const { from, to } = readSpan({ ...range, excludeIncompletePeriods: true }, { ...options, unit, ...more });
  return [from, to];
};
const [midnight, midnightEnd] = ['00:00:00.000000', '23:59:59.999999'];

describe('excludeIncompletePeriods (contract/insights 4)', () => {
  test.each([
    ['the running day', {}, 'day', [`2026-03-25 ${midnight}`, `2026-03-31 ${midnightEnd}`]],
    ['the running hour', { date_from: '-3h' }, 'hour', ['2026-04-01 07:00:00.000000', '2026-04-01 09:59:59.999999']],
    [
      'the running minute and the begun one',
      { date_from: '-3M' },
      'minute',
      ['2026-04-01 10:18:00.000000', '2026-04-01 10:19:59.999999'],
    ],
    [
      'the running week, and the first that is a part',
      { date_from: '2026-03-18' },
      'week',
      [`2026-03-22 ${midnight}`, `2026-03-28 ${midnightEnd}`],
    ],
    [
      'the running month',
      { date_from: '2026-02-01' },
      'month',
      [`2026-02-01 ${midnight}`, `2026-03-31 ${midnightEnd}`],
    ],
    ['the first day of -48h', { date_from: '-48h' }, 'day', [`2026-03-31 ${midnight}`, `2026-03-31 ${midnightEnd}`]],
    [
      'the first of a past range',
      { date_from: '2026-01-07', date_to: '2026-01-24' },
      'week',
      [`2026-01-11 ${midnight}`, `2026-01-24 ${midnightEnd}`],
    ],
    [
      'nothing of a past range of whole days',
      { date_from: '2026-01-07', date_to: '2026-01-24' },
      'day',
      [`2026-01-07 ${midnight}`, `2026-01-24 ${midnightEnd}`],
    ],
    [
      'a future end',
      { date_from: '2026-03-30', date_to: '2026-04-10' },
      'day',
      [`2026-03-30 ${midnight}`, `2026-03-31 ${midnightEnd}`],
    ],
    [
      'explicit ends',
      { date_from: '2026-03-30T10:00:00Z', explicitDate: true },
      'day',
      [`2026-03-31 ${midnight}`, `2026-03-31 ${midnightEnd}`],
    ],
  ] as [string, DateRange, SpanOptions['unit'], string[]][])('leaves out %s', (_what, range, unit, expected) => {
    expect(ends(range, unit)).toEqual(expected);
  });

  test.each([
    ['today alone', { date_from: 'dStart' }, 'day', [`2026-04-01 ${midnight}`, `2026-04-01 ${midnightEnd}`]],
    [
      'a part of the running week',
      { date_from: '-2d' },
      'week',
      [`2026-03-30 ${midnight}`, `2026-04-01 ${midnightEnd}`],
    ],
    [
      'parts of two weeks',
      { date_from: '2026-03-26' },
      'week',
      [`2026-03-26 ${midnight}`, `2026-04-01 ${midnightEnd}`],
    ],
    [
      'parts of two past weeks',
      { date_from: '2026-01-07', date_to: '2026-01-14' },
      'week',
      [`2026-01-07 ${midnight}`, `2026-01-14 ${midnightEnd}`],
    ],
  ] as [string, DateRange, SpanOptions['unit'], string[]][])(
    'leaves %s as it is: no complete interval would be left',
    (_what, range, unit, expected) => {
      expect(ends(range, unit)).toEqual(expected);
    },
  );

  test('a complete interval before the running one stays, when the first is a part', () => {
    expect(ends({ date_from: '-24h' }, 'day')).toEqual(['2026-03-31 10:00:00.000000', `2026-04-01 ${midnightEnd}`]);
    expect(ends({ date_from: '2026-03-31T10:00:00Z' }, 'hour')).toEqual([
      '2026-03-31 10:00:00.000000',
      '2026-04-01 09:59:59.999999',
    ]);
  });

  test('an exact total ends with yesterday', () => {
    expect(ends({ date_from: '-7d' }, 'day', { exactTotal: true })).toEqual([
      `2026-03-26 ${midnight}`,
      `2026-03-31 ${midnightEnd}`,
    ]);
  });
});
