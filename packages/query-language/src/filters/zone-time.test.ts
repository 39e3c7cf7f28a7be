import { expect, test } from '@jest/globals';
import { addMonths, offsetsOf } from './zone-time.ts';

test.each([
  ['America/Los_Angeles', [-480, -420]],
  ['US/Pacific', [-480, -420]],
  ['Asia/Tokyo', [540]],
  ['Asia/Kathmandu', [330, 345]],
  ['Pacific/Apia', [-660, -600, 780, 840]],
  // 44 minutes and 30 seconds behind UTC until 1972.
  ['Africa/Monrovia', [0]],
  ['Etc/UTC', [0]],
  ['No/Zone', []],
])('the offsets of %s, in minutes', (zone, offsets) =>
  expect([...offsetsOf(zone)].sort((a, b) => a - b)).toEqual(offsets),
);

test.each([
  ['2024-01-31T05:00:00.000Z', 1, '2024-02-29T05:00:00.000Z'],
  ['2024-03-31T00:00:00.000Z', -1, '2024-02-29T00:00:00.000Z'],
  ['2024-11-30T00:00:00.000Z', 3, '2025-02-28T00:00:00.000Z'],
  ['2024-05-15T00:00:00.000Z', -17, '2022-12-15T00:00:00.000Z'],
])('%s and %d months is %s', (wall, count, later) =>
  expect(new Date(addMonths(Date.parse(wall), count)).toISOString()).toBe(later),
);
