import { describe, expect, test } from '@jest/globals';
import { isBucketStart } from './bucket-start.ts';

describe('moments with which a bucket begins (contract/endpoints 6.4)', () => {
  test.each<[bucketFn: string, timeZone: string, starts: string[], others: string[]]>([
    ['toStartOfMinute', 'UTC', ['2026-03-01T10:07:00Z', '2026-03-01 10:07'], ['2026-03-01T10:07:01Z']],
    ['toStartOfFifteenMinutes', 'UTC', ['2026-03-01T10:45:00'], ['2026-03-01T10:40:00']],
    ['toStartOfHour', 'UTC', ['2026-03-01T10:00:00.000Z'], ['2026-03-01T10:00:00.000001Z', '2026-03-01T10:30:00Z']],
    ['toStartOfHour', 'Asia/Kolkata', ['2026-03-01T10:00:00', '2026-03-01T10:30:00Z'], ['2026-03-01T10:00:00Z']],
    ['toStartOfDay', 'UTC', ['2026-03-01', '2026-03-01T00:00:00Z', '2026-03-01T01:00:00+01:00'], ['2026-03-01 00:01']],
    ['toStartOfDay', 'America/Los_Angeles', ['2026-03-09', '2026-03-09T07:00:00Z'], ['2026-03-09T08:00:00Z']],
    // There clocks go from 23:59 to 1:00.
    ['toStartOfDay', 'America/Santiago', ['2026-09-05'], ['2026-09-06', '2026-09-06T01:00:00']],
    ['toStartOfWeek', 'UTC', ['2026-03-01'], ['2026-03-02', '2026-03-01T01:00:00Z']],
    ['toStartOfMonth', 'UTC', ['2026-03-01', '2026-04-01'], ['2026-03-02']],
    ['toStartOfDay', 'UTC', [], ['', 'yesterday', '1969-05-01', '2110-01-01', '2026-02-30']],
    ['toStartOfYear', 'UTC', [], ['2026-01-01']],
  ])('%s in %s', (bucketFn, timeZone, starts, others) => {
    const all = [...starts, ...others];
    expect(all.filter((text) => isBucketStart(bucketFn, text, timeZone))).toEqual(starts);
  });

  test('an hour that clocks show twice begins once', () => {
    const [first, second] = ['2026-11-01T08:00:00Z', '2026-11-01T09:00:00Z'];
    expect(isBucketStart('toStartOfHour', first, 'America/Los_Angeles')).toBe(true);
    expect(isBucketStart('toStartOfHour', second, 'America/Los_Angeles')).toBe(false);
  });
});
