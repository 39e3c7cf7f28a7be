import { expect, test } from '@jest/globals';
import { offsetsOf } from './zone-time.ts';

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
