import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayMs, wallMsOf } from '@millrace/query-language/filters/zone-time.ts';
import { clockTimeAt, instantAt } from './clock-times.ts';
import { dayOf, dayStart, offsetAt, wallAt } from './zone-calendar.ts';

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
const moments = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2040, 0) });

describe('the calendar of a zone', () => {
  test('shows the time that its clocks show', () => {
    fc.assert(
      fc.property(zones, moments, (zone, at) => {
        expect(Math.floor(wallAt(at, zone) / 1_000) * 1_000).toBe(wallMsOf(at, zone));
      }),
      { numRuns: 1_000 },
    );
  });

  test('changes of clocks are known to the second', () => {
    const change = Date.parse('2026-03-29T01:00:00Z');
    expect([change - 1, change].map((at) => offsetAt(at, 'Europe/Berlin'))).toEqual([3_600_000, 7_200_000]);
    const back = Date.parse('2000-10-15T02:00:00Z'); // a week after they went forward
    expect([back - 1, back].map((at) => offsetAt(at, 'America/Recife'))).toEqual([-7_200_000, -10_800_000]);
  });

  test('each moment is of one day, which begins at or before it', () => {
    fc.assert(
      fc.property(zones, moments, (zone, at) => {
        const day = dayOf(at, zone);
        expect(dayStart(day, zone) <= at && at < dayStart(day + dayMs, zone)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('clock times of starts of days are midnights, and lead back', () => {
    fc.assert(
      fc.property(zones, moments, (zone, at) => {
        const start = BigInt(dayStart(dayOf(at, zone), zone)) * 1_000n;
        const shown = clockTimeAt(start, zone);
        expect(shown % (BigInt(dayMs) * 1_000n)).toBe(0n);
        expect(instantAt(shown, zone)).toBe(start);
      }),
      { numRuns: 1_000 },
    );
  });

  test('of two midnights the later begins the day, after which no clock shows the day before', () => {
    const start = BigInt(Date.parse('2010-11-07T03:30:00Z')) * 1_000n; // clocks went from 00:01 back to 23:01
    const midnight = BigInt(Date.UTC(2010, 10, 7)) * 1_000n;
    expect(instantAt(midnight, 'America/St_Johns')).toBe(start);
    expect(clockTimeAt(start, 'America/St_Johns')).toBe(midnight);
  });

  test('keep microseconds, also before 1970', () => {
    for (const micros of [1_234_567_890_123_456n, -1_234_567_890_123_456n])
      expect(instantAt(clockTimeAt(micros, 'Asia/Kolkata'), 'Asia/Kolkata')).toBe(micros);
  });
});
