import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayMs } from '@millrace/query-language/filters/zone-time.ts';
import { readSpan, type DateSpan, type SpanOptions } from './date-span.ts';
import { intervalIndex } from './interval-texts.ts';
import { intervalsMax, startAfter, startOf, type IntervalUnit } from './intervals.ts';
import { momentBefore, msOf } from './moments.ts';
import { previousSpan } from './previous-span.ts';

const zones = [
  'UTC',
  'America/New_York',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Pacific/Apia',
];
const units: readonly IntervalUnit[] = ['minute', 'hour', 'day', 'week', 'month'];
const lengths = { minute: 60_000, hour: 3_600_000, day: dayMs, week: 7 * dayMs, month: 30 * dayMs };

const spans = fc
  .record({
    unit: fc.constantFrom(...units),
    rule: fc.constantFrom('trends', 'exact', 'midnight', 'interval'),
    timeZone: fc.constantFrom(...zones),
    nowMs: fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2037, 0) }),
    length: fc.double({ min: 0, max: 200, noNaN: true }),
    explicitDate: fc.boolean(),
    excludeIncompletePeriods: fc.boolean(),
  })
  .map(({ unit, rule, timeZone, nowMs, length, ...range }) => ({
    range: { ...range, date_from: new Date(nowMs - Math.floor(length * lengths[unit])).toISOString() },
    options: { unit, rule, now: { nowMs, timeZone } } satisfies SpanOptions,
  }));

describe('intervals of any range', () => {
  test('ascend without gaps, the first holds its beginning, the last begins before its end', () => {
    fc.assert(
      fc.property(spans, ({ range, options }) => {
        const span = readSpan(range, options);
        expectWhole(span, options);
        expectWhole(previousSpan(span, range, {}, options), options);
      }),
      { numRuns: 500 },
    );
  });

  test('the period before ends before the range, and by day is as long', () => {
    fc.assert(
      fc.property(spans, ({ range, options }) => {
        const span = readSpan(range, options);
        const previous = previousSpan(span, range, {}, options);
        expect(previous.to < span.from).toBe(true);
        expect(previous.from <= previous.to).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

function expectWhole({ from, to, countsFrom, starts, endMs, unit }: DateSpan, { now, rule }: SpanOptions): void {
  const span = { from, to, countsFrom, starts, endMs, unit };
  const [first = 0, last = 0] = [starts[0], starts.at(-1)];
  expect(first <= msOf(from) && last <= msOf(to) && msOf(to) < endMs).toBe(true);
  expect(countsFrom <= from).toBe(true);
  if (rule !== 'midnight') expect(msOf(countsFrom) >= first).toBe(true);
  const ends = [...starts.slice(1), endMs];
  const zone = now.timeZone;
  const wrong = starts.filter((start, index) => {
    const end = ends[index] ?? 0;
    const isHeld = [start, end - 1].every(
      (ms) => startOf(ms, unit, zone) === start && intervalIndex(span, ms) === index,
    );
    return start >= end || !isHeld || startAfter(start, unit, zone) !== end;
  });
  expect(wrong).toEqual([]);
  expect(intervalIndex(span, first - 1)).toBe(-1);
  expect(momentBefore(endMs) >= to).toBe(true);
}

describe('speed', () => {
  const now = { nowMs: Date.parse('2026-03-30T10:20:30Z'), timeZone: 'Europe/Berlin' };
  const best = (run: () => unknown, times: number): number => {
    const took = Array.from({ length: times }, () => {
      const began = performance.now();
      run();
      return performance.now() - began;
    });
    return Math.min(...took);
  };
  // 30 µs and 0.1 ms when this was written; a slow machine may take longer.
  test('90 days take well under a millisecond, 10,000 minutes a few', () => {
    const days: SpanOptions = { unit: 'day', rule: 'trends', now };
    const minutes: SpanOptions = { unit: 'minute', rule: 'trends', now };
    const range = { date_from: '2026-03-23T00:00:00Z', date_to: '2026-03-29T22:39:59Z' };
    expect(readSpan(range, minutes).starts).toHaveLength(intervalsMax);
    expect(best(() => readSpan({ date_from: '-90d' }, days), 2_000)).toBeLessThan(0.15);
    expect(best(() => readSpan(range, minutes), 50)).toBeLessThan(5);
  });
});
