import { describe, expect, test } from '@jest/globals';
import { readSpan, wantsEarliest, type DateRange, type SpanOptions } from './date-span.ts';

const nowMs = Date.parse('2026-03-30T10:20:30.456Z'); // a Monday; clocks in Berlin went forward the day before
const utc: SpanOptions = { unit: 'day', rule: 'trends', now: { nowMs, timeZone: 'UTC' } };
const berlin: SpanOptions = { ...utc, now: { nowMs, timeZone: 'Europe/Berlin' } };
const kolkata: SpanOptions = { ...utc, now: { nowMs, timeZone: 'Asia/Kolkata' } };
const [minute, hour, week, month] = (['minute', 'hour', 'week', 'month'] as const).map((unit) => ({ ...utc, unit }));

const iso = (ms: number | undefined): string => new Date(ms ?? 0).toISOString().slice(0, 16);

describe('texts of date_from (contract/insights 4)', () => {
  test.each([
    [undefined, utc, '2026-03-23 00:00:00.000000'],
    ['-7d', utc, '2026-03-23 00:00:00.000000'],
    ['7d', utc, '2026-03-23 00:00:00.000000'],
    [' -7d ', utc, '2026-03-23 00:00:00.000000'],
    ['0d', utc, '2026-03-30 00:00:00.000000'],
    ['-24h', utc, '2026-03-29 10:00:00.000000'],
    ['-24h', kolkata, '2026-03-29 09:30:00.000000'],
    ['-24h', minute, '2026-03-29 10:20:30.456000'],
    ['-30M', minute, '2026-03-30 09:50:30.456000'],
    ['-30M', hour, '2026-03-30 00:00:00.000000'],
    ['-6d', minute, '2026-03-24 10:20:30.456000'],
    ['-2w', utc, '2026-03-16 00:00:00.000000'],
    ['-1m', utc, '2026-02-28 00:00:00.000000'],
    ['-1q', utc, '2025-12-29 00:00:00.000000'],
    ['-1y', utc, '2025-03-30 00:00:00.000000'],
    ['dStart', utc, '2026-03-30 00:00:00.000000'],
    ['-1dStart', utc, '2026-03-29 00:00:00.000000'],
    ['-1dEnd', utc, '2026-03-29 00:00:00.000000'],
    ['wStart', utc, '2026-03-29 00:00:00.000000'],
    ['-1wStart', utc, '2026-03-22 00:00:00.000000'],
    ['mStart', utc, '2026-03-01 00:00:00.000000'],
    ['-1mStart', utc, '2026-02-01 00:00:00.000000'],
    ['-1mEnd', utc, '2026-02-28 00:00:00.000000'],
    ['qStart', utc, '2026-01-01 00:00:00.000000'],
    ['yStart', utc, '2026-01-01 00:00:00.000000'],
    ['hStart', hour, '2026-03-30 10:00:00.000000'],
    ['-2d', berlin, '2026-03-27 23:00:00.000000'],
    ['-1d', berlin, '2026-03-28 23:00:00.000000'],
    ['mStart', kolkata, '2026-02-28 18:30:00.000000'],
    ['2026-03-02', utc, '2026-03-02 00:00:00.000000'],
    ['2026-03-02', kolkata, '2026-03-01 18:30:00.000000'],
    ['2026-03-02T12:34:56.123456Z', kolkata, '2026-03-02 12:34:56.123456'],
    ['2026-03-02T12:34:56', kolkata, '2026-03-02 07:04:56.000000'],
    ['2026-03-02 12:34', utc, '2026-03-02 12:34:00.000000'],
    ['2026-03-02T12:34:56+02:00', utc, '2026-03-02 10:34:56.000000'],
  ])('%j', (text, options, from) => {
    expect(readSpan(text === undefined ? undefined : { date_from: text }, options ?? utc).from).toBe(from);
  });

  test('all is the earliest event, and today when there is none', () => {
    const earliest = '2026-01-05 12:34:56.789012';
    expect([
      wantsEarliest({ date_from: 'all' }),
      wantsEarliest({ date_from: '-7d' }),
      wantsEarliest(undefined),
    ]).toEqual([true, false, false]);
    expect(readSpan({ date_from: 'all' }, { ...utc, earliest })).toMatchObject({
      from: earliest,
      countsFrom: '2026-01-05 00:00:00.000000',
    });
    expect(readSpan({ date_from: 'all' }, utc).from).toBe('2026-03-30 00:00:00.000000');
  });

  test('all up to a day before the earliest event is that day, no error', () => {
    const { from, to, starts } = readSpan({ date_from: 'all', date_to: '2020-01-31' }, utc);
    expect([from, to, starts.length]).toEqual(['2020-01-31 00:00:00.000000', '2020-01-31 23:59:59.999999', 1]);
  });

  test.each([
    '',
    ' ',
    'yesterday',
    'd',
    '-d',
    '-mStart',
    '-30s',
    '-1x',
    '-12345d',
    '2026-02-30',
    '2026-01',
    'ALL',
    '-1d;',
  ])('%j is refused, by the name of its field', (text) => {
    const error = (field: string) =>
      expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining(field) });
    expect(() => readSpan({ date_from: text }, utc)).toThrow(error('query.dateRange.date_from'));
    expect(() => readSpan({ date_to: text }, { ...utc, place: 'filters_override' })).toThrow(
      error('filters_override.date_to'),
    );
  });

  test('all is no date_to', () => {
    expect(() => readSpan({ date_to: 'all' }, utc)).toThrow('date_to');
  });
});

describe('texts of date_to', () => {
  test.each([
    [undefined, utc, '2026-03-30 23:59:59.999999'],
    [undefined, berlin, '2026-03-30 21:59:59.999999'],
    [undefined, week, '2026-03-30 23:59:59.999999'],
    [undefined, month, '2026-03-30 23:59:59.999999'],
    [undefined, hour, '2026-03-30 10:59:59.999999'],
    [undefined, { ...kolkata, unit: 'hour' }, '2026-03-30 10:29:59.999999'],
    [undefined, minute, '2026-03-30 10:20:59.999999'],
    ['-1d', utc, '2026-03-29 23:59:59.999999'],
    ['-1h', utc, '2026-03-30 23:59:59.999999'],
    ['-2h', hour, '2026-03-30 08:59:59.999999'],
    ['-1d', hour, '2026-03-29 10:59:59.999999'],
    ['-5M', minute, '2026-03-30 10:15:59.999999'],
    ['-1mEnd', utc, '2026-02-28 23:59:59.999999'],
    ['mStart', utc, '2026-03-01 23:59:59.999999'],
    ['2026-03-29', utc, '2026-03-29 23:59:59.999999'],
    ['2026-03-29', berlin, '2026-03-29 21:59:59.999999'],
    ['2026-03-29', hour, '2026-03-29 23:59:59.999999'],
    ['2026-03-29', minute, '2026-03-29 23:59:59.999999'],
    ['2026-03-29T12:34:56Z', utc, '2026-03-29 23:59:59.999999'],
    ['2026-03-29T12:34:56Z', hour, '2026-03-29 12:34:56.000000'],
    ['2026-03-29T12:34:56', { ...berlin, unit: 'hour' }, '2026-03-29 10:34:56.000000'],
    ['2026-03-29T12:34:56Z', minute, '2026-03-29 12:34:56.000000'],
  ] as [string | undefined, SpanOptions, string][])('%j', (text, options, to) => {
    const from = { date_from: '2026-02-28' };
    const days = options.unit === 'minute' ? { date_from: '2026-03-29' } : from;
    expect(readSpan(text === undefined ? days : { ...days, date_to: text }, options).to).toBe(to);
  });

  test('a range that ends before it begins is refused', () => {
    expect(() => readSpan({ date_from: '2026-03-02', date_to: '2026-03-01' }, utc)).toThrow('date_from');
    expect(() => readSpan({ date_to: '2026-03-01' }, utc)).toThrow('date_from');
    expect(readSpan({ date_from: '2026-03-02', date_to: '2026-03-02' }, utc).starts).toHaveLength(1);
  });
});

describe('explicitDate', () => {
  const explicit = (range: DateRange, options = utc) => {
    const { from, to, countsFrom } = readSpan({ ...range, explicitDate: true }, options);
    return [from, to, countsFrom];
  };
  test('both ends are as given, and events count from the first on', () => {
    const ends = ['2026-03-29 10:20:30.456000', '2026-03-30 10:20:30.456000'];
    expect(explicit({ date_from: '-24h' })).toEqual([...ends, ends[0]]);
    expect(explicit({ date_from: '-1d' }, week)).toEqual([...ends, ends[0]]);
    const times = { date_from: '2026-03-02T12:34:56Z', date_to: '2026-03-02T13:00:00Z' };
    expect(explicit(times)).toEqual([
      '2026-03-02 12:34:56.000000',
      '2026-03-02 13:00:00.000000',
      '2026-03-02 12:34:56.000000',
    ]);
  });
  test('but a bare date_to is the whole day, also by the hour', () => {
    const [, to] = explicit({ date_from: '2026-03-01', date_to: '2026-03-02' }, hour);
    expect(to).toBe('2026-03-02 23:59:59.999999');
  });
});

describe('intervals', () => {
  test('the default range is eight days', () => {
    const { starts, endMs } = readSpan(undefined, utc);
    expect([starts.length, iso(starts[0]), iso(starts.at(-1)), iso(endMs)]).toEqual([
      8,
      '2026-03-23T00:00',
      '2026-03-30T00:00',
      '2026-03-31T00:00',
    ]);
  });
  test.each([
    ['week', '2026-03-18', ['2026-03-15', '2026-03-22', '2026-03-29']],
    ['month', '2026-01-31', ['2026-01-01', '2026-02-01', '2026-03-01']],
  ] as const)('the first %s contains date_from', (unit, from, starts) => {
    const span = readSpan({ date_from: from }, { ...utc, unit });
    expect(span.starts.map((start) => iso(start).slice(0, 10))).toEqual(starts);
  });
  test('days of 23 hours', () => {
    const { starts } = readSpan({ date_from: '2026-03-28', date_to: '2026-03-30' }, berlin);
    expect(starts.map(iso)).toEqual(['2026-03-27T23:00', '2026-03-28T23:00', '2026-03-29T22:00']);
    expect(
      readSpan({ date_from: '2026-03-29', date_to: '2026-03-29' }, { ...berlin, unit: 'hour' }).starts,
    ).toHaveLength(23);
  });
  test('10,000 are the most', () => {
    const to = '2026-03-07T22:39:59Z';
    expect(readSpan({ date_from: '2026-03-01', date_to: to }, minute ?? utc).starts).toHaveLength(10_000);
    expect(() => readSpan({ date_from: '2026-03-01', date_to: '2026-03-07T22:40:00Z' }, minute ?? utc)).toThrow(
      expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining('10,000 intervals') }),
    );
    expect(() => readSpan({ date_from: '-9999y' }, utc)).toThrow('interval');
    expect(readSpan({ date_from: '-9999y' }, month ?? utc).starts).toHaveLength(1_515);
  });
});

describe('events that count', () => {
  const noon = '2026-03-18T12:34:56Z'; // a Wednesday
  test.each([
    ['trends', 'minute', noon, '2026-03-18 12:34:00.000000'],
    ['trends', 'minute', '-90M', '2026-03-30 08:50:30.456000'],
    ['trends', 'hour', noon, '2026-03-18 12:00:00.000000'],
    ['trends', 'hour', '-3h', '2026-03-30 07:00:00.000000'],
    ['trends', 'day', noon, '2026-03-18 00:00:00.000000'],
    ['trends', 'day', '-24h', '2026-03-29 10:00:00.000000'],
    ['trends', 'week', noon, '2026-03-18 00:00:00.000000'],
    ['trends', 'week', '-24h', '2026-03-29 00:00:00.000000'],
    ['trends', 'month', '-7d', '2026-03-23 00:00:00.000000'],
    ['exact', 'day', noon, '2026-03-18 12:34:56.000000'],
    ['exact', 'week', '-24h', '2026-03-29 10:00:00.000000'],
    ['midnight', 'day', noon, '2026-03-18 00:00:00.000000'],
    ['midnight', 'day', '-24h', '2026-03-29 00:00:00.000000'],
    ['interval', 'hour', noon, '2026-03-18 12:00:00.000000'],
    ['interval', 'day', '-24h', '2026-03-29 00:00:00.000000'],
    ['interval', 'week', noon, '2026-03-15 00:00:00.000000'],
    ['interval', 'month', noon, '2026-03-01 00:00:00.000000'],
  ] as const)('%s by %s: %s', (rule, unit, from, countsFrom) => {
    const to = unit === 'minute' && from === noon ? { date_to: '2026-03-18' } : {};
    expect(readSpan({ date_from: from, ...to }, { ...utc, rule, unit }).countsFrom).toBe(countsFrom);
  });
});

describe('an exact total (contract/insights 5.3 BoldNumber)', () => {
  const total = { ...utc, exactTotal: true };
  test.each([
    [undefined, '2026-03-23 00:00:00.000000', '2026-03-30 10:20:30.456000'],
    [{ date_from: '-7d' }, '2026-03-23 10:20:30.456000', '2026-03-30 10:20:30.456000'],
    [{ date_from: '-24h' }, '2026-03-29 10:20:30.456000', '2026-03-30 10:20:30.456000'],
    [{ date_from: '2026-03-18T12:34:56Z' }, '2026-03-18 12:34:56.000000', '2026-03-30 10:20:30.456000'],
    [{ date_from: '-7d', date_to: '-1d' }, '2026-03-23 10:20:30.456000', '2026-03-29 23:59:59.999999'],
    [{ date_from: 'mStart' }, '2026-03-01 00:00:00.000000', '2026-03-30 10:20:30.456000'],
  ])('%j', (range, from, to) => {
    expect(readSpan(range, total)).toMatchObject({ from, to, countsFrom: from });
  });
});

describe('daysOfWeek', () => {
  test.each([[[]], [[1, 2, 3, 4, 5, 6, 7]], [[7, 6, 5, 4, 3, 2, 1, 1]]])('%j means nothing', (daysOfWeek) => {
    expect(readSpan({ daysOfWeek }, utc)).toEqual(readSpan(undefined, utc));
  });
  test.each([[[1]], [[1, 2, 3, 4, 5]], [[0, 1, 2, 3, 4, 5, 6]]])('%j is refused', (daysOfWeek) => {
    expect(() => readSpan({ daysOfWeek }, utc)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        message: expect.stringContaining('query.dateRange.daysOfWeek'),
      }),
    );
  });
});
