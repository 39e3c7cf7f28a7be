import { describe, expect, test } from '@jest/globals';
import { parseMicroseconds } from './date-time.ts';

describe('times as microseconds', () => {
  test.each([
    ['1970-01-01T00:00:00Z', 0n],
    ['1970-01-01 00:00:01.5', 1_500_000n],
    ['1969-12-31T23:59:59.999999Z', -1n],
    ['1900-01-01T00:00:00.000000Z', -2_208_988_800_000_000n],
    // 2^53 microseconds are passed in 2255: exact only as a bigint.
    ['2299-12-31T23:59:59.999999Z', 10_413_791_999_999_999n],
    ['2024-02-29T12:00:00.000001Z', 1_709_208_000_000_001n],
    // The same day again, with a blank, another day, and one before 1970.
    ['2024-02-29T23:59:59.999999Z', 1_709_251_199_999_999n],
    ['2024-02-29 12:01:00.000000Z', 1_709_208_060_000_000n],
    ['2024-03-01T00:00:00.000000Z', 1_709_251_200_000_000n],
    ['1969-12-31T23:58:01.000002Z', -118_999_998n],
  ])('%s is exact', (text, microseconds) => {
    expect(BigInt(parseMicroseconds(text) ?? NaN)).toBe(microseconds);
  });

  test('times with six digits are what JavaScript makes of them, in whatever order they come', () => {
    const [from, to] = [Date.UTC(1900, 0, 1), Date.UTC(2254, 0, 1)];
    for (let index = 0; index < 5_000; index++) {
      const ms = from + ((index * 7_919_777_777_777) % (to - from));
      const text = `${new Date(ms).toISOString().slice(0, -1)}${String(index % 1_000).padStart(3, '0')}Z`;
      expect([text, parseMicroseconds(text)]).toEqual([text, ms * 1_000 + (index % 1_000)]);
    }
  });

  test('a Date is the same moment', () => {
    expect(parseMicroseconds(new Date('2026-11-21T10:00:00.123Z'))).toBe(parseMicroseconds('2026-11-21T10:00:00.123Z'));
  });

  test.each([
    '',
    'now',
    '2026-11-21',
    '2026-11-21T10:00:00+01:00',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-11-21T10:00:60.000000Z',
    '2026-11-21T10:00:0x.000000Z',
    '2026-11-21T10:00:00.00000xZ',
    '2026-11-21T10:00:00:000000Z',
    '2026-11-21T10:00:00.0000000',
    '2026-11-31T10:00:00.000000Z',
    '2026-02-29T10:00:00.000000Z',
    '2026-00-10T10:00:00.000000Z',
    '2026-11-00T10:00:00.000000Z',
    '0000-00-00T10:00:00.000000Z',
    '2026-11-21T24:00:00.000000Z',
    '2026-11-21T23:60:00.000000Z',
    '2026-11-21t10:00:00.000000Z',
    '2026/11-21T10:00:00.000000Z',
    '2026-11/21T10:00:00.000000Z',
    '2026-11-21T10.00:00.000000Z',
    '2026-11-21T10:00.00.000000Z',
    '2026-11-21T10:00:00.000000z',
    '2026-11-2xT10:00:00.000000Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T23:60:00Z',
    '2026-11-21T23:59:60Z',
    '1899-12-31T23:59:59.999999Z',
    '2300-01-01T00:00:00Z',
  ])('"%s" is no time that can be stored', (text) => {
    expect(parseMicroseconds(text)).toBeNull();
  });

  test('nor is an invalid Date', () => {
    expect(parseMicroseconds(new Date(NaN))).toBeNull();
  });
});
